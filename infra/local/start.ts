// `npm start`: the whole service on this machine, until SIGTERM or Ctrl-C. Listens for these first and
// loads everything else after: who stops it in its first second is told so, too.

import { stopSignal } from '#local/stack/stop-signal.ts';

const asked = stopSignal();
const stopAtOnce = () => {
  process.stdout.write('stopped\n');
  process.exit();
};
asked.addEventListener('abort', stopAtOnce);
const { runStack } = await import('#local/stack/run-stack.ts');
asked.removeEventListener('abort', stopAtOnce);
await runStack(asked);
