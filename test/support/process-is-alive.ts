// Whether a process exists and is not a zombie that only waits for its parent.

import { execFileSync } from 'node:child_process';

export function processIsAlive(pid: number): boolean {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
    return !state.trim().startsWith('Z');
  } catch {
    return false;
  }
}
