// Swagger UI's own files, read from its package. In a bundle there is no package: infra/bundling.ts puts
// the text of each file where this one asks for it. Must never be fetched from elsewhere by a reader.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const SWAGGER_STYLE = textOfPackageFile('swagger-ui-dist/swagger-ui.css');
export const SWAGGER_SCRIPT = textOfPackageFile('swagger-ui-dist/swagger-ui-bundle.js');

function textOfPackageFile(specifier: string): string {
  return readFileSync(fileURLToPath(import.meta.resolve(specifier)), 'utf8');
}
