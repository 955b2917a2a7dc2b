// HTTP dates (RFC 9110, 5.6.7): the three forms that a recipient must read, and nothing else.
// Date.parse is never asked: it accepts far more, in local time.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(${MONTHS.join('|')})`;
const TIME = '(\\d{2}):(\\d{2}):(\\d{2})';
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY = '(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)';

const IMF_FIXDATE = new RegExp(`^${DAY}, (\\d{2}) ${MONTH} (\\d{4}) ${TIME} GMT$`);
const RFC_850 = new RegExp(`^${LONG_DAY}, (\\d{2})-${MONTH}-(\\d{2}) ${TIME} GMT$`);
const ASCTIME = new RegExp(`^${DAY} ${MONTH} ([ \\d]\\d) ${TIME} (\\d{4})$`);

/**
 * @param nearMs what a year of two digits is judged by: it is never more than 50 years after this
 * @returns milliseconds since the epoch, or undefined when it is no HTTP date
 */
export function parseHttpDate(text: string, nearMs: number): number | undefined {
  const fixdate = IMF_FIXDATE.exec(text);
  if (fixdate)
    return instant({
      year: fixdate[3],
      month: fixdate[2],
      day: fixdate[1],
      time: fixdate.slice(4),
    });
  const rfc850 = RFC_850.exec(text);
  if (rfc850) {
    const near = new Date(nearMs).getUTCFullYear();
    const year = near - (near % 100) + Number(rfc850[3]);
    const nearest = year > near + 50 ? year - 100 : year <= near - 50 ? year + 100 : year;
    return instant({ year: `${nearest}`, month: rfc850[2], day: rfc850[1], time: rfc850.slice(4) });
  }
  const asctime = ASCTIME.exec(text);
  if (asctime)
    return instant({
      year: asctime[6],
      month: asctime[1],
      day: asctime[2],
      time: asctime.slice(3, 6),
    });
  return undefined;
}

interface DateParts {
  readonly year: string | undefined;
  readonly month: string | undefined;
  readonly day: string | undefined;
  readonly time: readonly string[];
}

function instant({ year, month, day, time }: DateParts): number | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = time.map(Number);
  const monthIndex = MONTHS.indexOf(month ?? '');
  const date = Number(day);
  // A leap second is read as the second after it.
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined;
  const midnightMs = Date.UTC(Number(year), monthIndex, date);
  // 31 April would roll over into May.
  if (new Date(midnightMs).getUTCDate() !== date) return undefined;
  return midnightMs + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}
