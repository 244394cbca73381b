import { readRows, type CsvTable } from './csv-table.ts';

/** States which of two numbers before the year is the day: `14/08/2016`, `08/14/2016`. */
export type DayOrder = 'day-first' | 'month-first';

/**
 * Reads a date as people and spreadsheets write it: `14/08/2016`, `14.08.2016`, `14-Aug-2016`, `14-AUG-16`, `Aug 14, 2016`,
 * `Sunday, August 14, 2016`, `2016-8-14`. Of two numbers the order decides; with dots, the day comes first anyway. Milliseconds since the Unix epoch
 * at midnight; NaN for anything else, and where the order is unknown.
 */
export function parseLocalizedDate(text: string, order: DayOrder | null): number {
  const numbers = NUMBERS.exec(text);
  if (numbers !== null) {
    const [, first, mark, second, year] = numbers;
    const known = mark === '.' ? 'day-first' : order;
    if (known === null) return Number(first) === Number(second) ? dateMs(year, second, first) : Number.NaN;
    return known === 'day-first' ? dateMs(year, second, first) : dateMs(year, first, second);
  }
  const [, yearBefore, monthAfter, dayLast] = YEAR_FIRST.exec(text) ?? [];
  if (yearBefore !== undefined) return dateMs(yearBefore, monthAfter, dayLast);
  const [, day, month, year] = DAY_MONTH_YEAR.exec(text) ?? [];
  if (day !== undefined) return dateMs(year, monthNumber(month), day);
  const [, named, dayAfter, yearAfter] = MONTH_DAY_YEAR.exec(text) ?? [];
  return dateMs(yearAfter, monthNumber(named), dayAfter);
}

/** Takes `14/08/2016 16:57:02.65` or `Aug 14, 2016 16:57:02.65` apart at the blank behind the date; null where no such date begins the text. */
export function splitDateTime(text: string): { date: string; time: string } | null {
  const [, date, time] = DATE_AND_TIME.exec(text) ?? [];
  return date === undefined || time === undefined ? null : { date, time };
}

/** Reads `16:57:02.65`, `16:57:2:50` with milliseconds, `16:57` and `4:57 PM` as milliseconds since midnight; NaN for anything else. */
export function parseLocalizedTime(text: string): number {
  const [, hours, minutes, seconds = '0', milliseconds = '0', half] = TIME_OF_DAY.exec(text) ?? [];
  if (hours === undefined || Number(minutes) > 59 || Number(hours) > 23) return Number.NaN;
  const hour =
    half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const secondsMs = Math.round(Number(seconds.replace(',', '.')) * 1e6) / 1e3;
  return (hour * 60 + Number(minutes)) * 60_000 + secondsMs + Number(milliseconds);
}

/** 1 for a name that begins like January, in English and any case; NaN for none. */
export function monthNumber(name = ''): number {
  const index = MONTHS.indexOf(name.slice(0, 3).toLowerCase());
  return name.length < 3 || index < 0 || index % 3 > 0 ? Number.NaN : index / 3 + 1;
}

/**
 * Finds the order of day and month in a column of dates, or of dates with times. A single date often fits both orders;
 * it is known where some date fits only one of them and none only the other. Null where the dates do not show it.
 */
export function findDayOrder(table: CsvTable, column: number): DayOrder | null {
  const seen = new Set<DayOrder>();
  let before = '';
  readRows(table, [column], (row) => {
    const text = row.text(0);
    const date = splitDateTime(text)?.date ?? text;
    if (date === before) return true;
    before = date;
    const order = inferDayOrder(date);
    if (order !== null) seen.add(order);
    return seen.size < 2;
  });
  const [only] = seen;
  return seen.size === 1 && only !== undefined ? only : null;
}

/** Returns the order that a single date shows because one of its numbers can be no month; null where both can. */
export function inferDayOrder(date: string): DayOrder | null {
  const [first, second] = (NUMBERS.exec(date) ?? []).filter((_, part) => part % 2 === 1).map(Number);
  if (first === undefined || second === undefined) return null;
  if (first > 12 && second <= 12) return 'day-first';
  return second > 12 && first <= 12 ? 'month-first' : null;
}

const NUMBERS = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;
const DAY_MONTH_YEAR = /^(?:[a-z]{2,9}\.?,? )?(\d{1,2})\.?[ -]([a-z]{3,9})\.?,?[ -](\d{4}|\d{2})$/i;
const MONTH_DAY_YEAR = /^(?:[a-z]{2,9}\.?,? )?([a-z]{3,9})\.? (\d{1,2}),? (\d{4})$/i;
const YEAR_FIRST = /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})$/;
const DATE_AND_TIME =
  /^((?:[a-z]{2,9}\.?,? )?(?:\d{1,2}[./ -](?:\d{1,2}|[a-z]{3,9})\.?,?[./ -]\d{2,4}|[a-z]{3,9}\.? \d{1,2},? \d{4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})),?[ T](\d.*)$/i;
const TIME_OF_DAY =
  /^(\d{1,2}):(\d\d|\d(?=:))(?::(\d{1,2}(?:[.,]\d{1,12})?)(?::(\d{1,3}))?)? ?(?:([ap])\.?m\.?)?$/i;

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec';

/** NaN for a date that does not exist, and for parts that are none. Two digits of a year belong to this century. */
function dateMs(year = '', month: number | string = '', day = ''): number {
  const fullYear = Number(year) + (year.length === 2 ? 2000 : 0);
  const date = new Date(Date.UTC(fullYear, Number(month) - 1, Number(day)));
  const exists = year !== '' && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return exists ? date.getTime() : Number.NaN;
}
