// One operation as a reader shall see it: all but what the list of routes already says of it (its path,
// methods and name, and whether it wants a token).

import type { ZodOpenApiOperationObject } from 'zod-openapi';

export type Described = Omit<ZodOpenApiOperationObject, 'operationId' | 'security'> & {
  readonly summary: string;
};
