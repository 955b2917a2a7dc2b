// Calls the gateway of a local stack with every byte as given, and tells what came back.

import http from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: an event of API Gateway, looked into by name
  readonly event: any;
}

export type Call = (
  method: string,
  path: string,
  headers?: Record<string, string | string[]>,
  body?: string | Buffer,
) => Promise<Answer>;

/** node:http, since fetch joins doubled headers and normalises paths before they leave. */
export function caller(url: string): Call {
  const { hostname, port } = new URL(url);
  return (method, path, headers = {}, body = '') =>
    new Promise((resolve, reject) => {
      const request = http.request({ hostname, port, method, path, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          const event = text.startsWith('{"event"') ? JSON.parse(text).event : undefined;
          resolve({ status, headers: response.headers, text, event });
        });
      });
      request.once('error', reject);
      request.end(body);
    });
}
