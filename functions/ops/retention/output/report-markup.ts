// Small pieces of markup that every part of the page uses.

/** `12 %`, `0.04 %`, `< 0.01 %`. */
export function percentLabel(share: number): string {
  const percent = 100 * share;
  if (percent > 0 && percent < 0.01) return '< 0.01 %';
  return `${Number(percent.toPrecision(2))} %`;
}
