// `npm run --silent token -- alice`: prints a token for a subject, and nothing else, for $(…).
// Needs nothing that runs: the key lies in .local/, the issuer is a constant.

import { parseArgs } from 'node:util';
import { signToken, TOKEN_TTL_S_DEFAULT } from '#local/gateway/jwt.ts';
import { loadSigningKey } from '#local/gateway/signing-key.ts';
import { explain, Sentence } from '#local/stack/sentence.ts';

const HELP = `Prints a token for the local service.

  npm run --silent token -- SUBJECT [--ttl SECONDS]

  SUBJECT   who is calling, for example alice: each subject has jobs and articles of its own
  --ttl     seconds until it expires (default ${TOKEN_TTL_S_DEFAULT}: a day)

Examples:
  TOKEN=$(npm run --silent token -- alice)
  curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8787/v1/export-jobs
  npm run --silent token -- bob --ttl 60
`;
/** Longer subjects are a mistake, not a name. */
const SUBJECT_CHARACTERS_MAX = 200;

async function main(args: string[]): Promise<string> {
  const { values, positionals } = parse(args);
  if (values.help) return HELP;
  const [subject, ...rest] = positionals;
  if (subject === undefined || subject === '' || rest.length > 0) {
    throw new Sentence('Name one subject, for example: npm run --silent token -- alice');
  }
  if (subject.length > SUBJECT_CHARACTERS_MAX) {
    throw new Sentence(`The subject is longer than ${SUBJECT_CHARACTERS_MAX} characters.`);
  }
  const ttlS = values.ttl === undefined ? TOKEN_TTL_S_DEFAULT : Number(values.ttl);
  if (!Number.isSafeInteger(ttlS) || ttlS < 1) {
    throw new Sentence(`--ttl must be a whole number of seconds, at least 1, not ${values.ttl}.`);
  }
  return `${await signToken(loadSigningKey(), subject, { ttlS })}\n`;
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { ttl: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (failure) {
    throw new Sentence(`${(failure as Error).message} See --help.`);
  }
}

try {
  process.stdout.write(await main(process.argv.slice(2)));
} catch (failure) {
  process.stderr.write(`${explain(failure)}\n`);
  process.exitCode = 1;
}
