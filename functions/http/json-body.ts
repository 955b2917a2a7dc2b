// The JSON body: media type, size, encoding, syntax, in this order and before anything is stored.

import { HEADERS } from '#contract/headers.ts';
import { ProblemError } from '#http/problem.ts';
import type { HttpRequest } from '#http/request.ts';

const JSON_MEDIA_TYPE = /^application\/json[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?$/i;

/** What API Gateway puts where the bytes of a text were not UTF-8: two different bodies look the same. */
const REPLACEMENT_CHARACTER = '\ufffd';

/** @throws ProblemError unsupported-media-type, body-too-large or invalid-json */
export function readJsonBody(
  request: HttpRequest,
  { bodyBytesMax, keyed }: { readonly bodyBytesMax: number; readonly keyed: boolean },
): unknown {
  if (request.header('content-encoding') !== undefined) {
    throw new ProblemError('unsupported-media-type', {
      detail: 'Send the body as it is, without Content-Encoding.',
    });
  }
  if (!JSON_MEDIA_TYPE.test(request.header(HEADERS.contentType)?.trim() ?? '')) {
    throw new ProblemError('unsupported-media-type');
  }
  const text = decodeBody(request, bodyBytesMax);
  // Under a key the body is part of the intent: what cannot be told apart is not taken.
  if (keyed && !request.rawBody.base64 && text.includes(REPLACEMENT_CHARACTER)) {
    throw new ProblemError('invalid-json', {
      detail: 'The body is not UTF-8. Where U+FFFD itself is meant, write \\ufffd.',
    });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ProblemError('invalid-json', text === '' ? { detail: 'The body is empty.' } : {});
  }
}

function decodeBody({ rawBody: { text = '', base64 } }: HttpRequest, bytesMax: number): string {
  // Base64 is a third longer than its bytes: too long a text is refused before it is decoded.
  if (text.length > (base64 ? Math.ceil(bytesMax / 3) * 4 : bytesMax)) throw tooLarge(bytesMax);
  const bytes = Buffer.from(text, base64 ? 'base64' : 'utf8');
  if (bytes.byteLength > bytesMax) throw tooLarge(bytesMax);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ProblemError('invalid-json', { detail: 'The body is not UTF-8.' });
  }
}

function tooLarge(bytesMax: number): ProblemError {
  return new ProblemError('body-too-large', { detail: `The body is over ${bytesMax} bytes.` });
}
