// The CORS configuration of the HTTP API, for serverless.yml: from `allowedOrigins`, with the headers and
// methods that the contract has. The gateway on one machine asks this very file.

import { corsOf } from '#contract/cors.ts';

export async function cors({ resolveVariable }) {
  return corsOf(await resolveVariable('param:allowedOrigins'));
}
