import { describe, expect, it } from 'vitest';
import { readRate } from '#ops/audit/read-rate.ts';
import { progressTo } from '#ops/progress.ts';

describe('the read rate', () => {
  it('is kept over all segments together', async () => {
    let nowMs = 0;
    const waits: number[] = [];
    const rate = readRate(
      100,
      () => nowMs,
      async (ms) => {
        waits.push(ms);
      },
    );

    // Two segments at the same instant: the second waits for its own and for the other's units.
    await Promise.all([rate.spend(50), rate.spend(100)]);
    nowMs = 2_000;
    await rate.spend(10);

    expect(waits).toEqual([500, 1_500, 100]);
  });
});

describe('progress', () => {
  const shown = (isTTY: boolean) => {
    let nowMs = 0;
    let text = '';
    const write = (line: string | Uint8Array) => {
      text += line;
      return true;
    };
    const progress = progressTo({ isTTY, write } as never, () => nowMs);
    for (; nowMs <= 20_000; nowMs += 100) progress.show(`at ${nowMs}`);
    progress.clear();
    return text;
  };

  it('is a line every ten seconds in a log', () => {
    expect(shown(false)).toBe('at 0\nat 10000\nat 20000\n');
  });

  it('is one line that is rewritten for a person, and gone at the end', () => {
    expect(shown(true)).not.toContain('\n');
    expect(shown(true)).toSatisfy((text: string) => text.endsWith('at 20000\r\u001b[K'));
  });
});
