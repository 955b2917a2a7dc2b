// Which command this is: the version of its package, and the name under which it calls the service.

import manifest from '#client/package/command/package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
export const USER_AGENT = `export-once/${VERSION} node/${process.versions.node}`;
