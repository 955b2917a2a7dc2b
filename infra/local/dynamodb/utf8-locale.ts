// Java reads the names of its files by the locale. Under LC_ALL=C (cron, containers, CI) it cannot open a
// jar below a folder whose name is not ASCII. What is started in here sees a locale of UTF-8.

/** Part of glibc, musl and macOS; where it is not known, the C library falls back to C. */
const UTF8_LOCALE = 'C.UTF-8';

export async function inUtf8Locale<T>(start: () => Promise<T>): Promise<T> {
  const { LC_ALL, LC_CTYPE, LANG } = process.env;
  if (/utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '')) return start();
  process.env.LC_ALL = UTF8_LOCALE;
  try {
    return await start();
  } finally {
    if (LC_ALL === undefined) delete process.env.LC_ALL;
    else process.env.LC_ALL = LC_ALL;
  }
}
