import { DAY_MS } from '../../durations.ts';

/**
 * Reads an ISO 8601 date and time from the bytes of a file: `2026-06-21T20:43:33.039Z`, `2015-12-11 15:43:13,994+01:00`.
 * Any number of decimals, `T`, `_`, `-` or blanks between, a zone of letters behind it; seconds are obligatory. Letters other than `Z`,
 * `UTC` and `GMT` are the name of a local time.
 * Milliseconds since the Unix epoch, fractions included; a time without a zone is taken as if it were UTC (ask `hasZone`).
 * NaN for anything else, impossible dates included.
 */
export function parseDateTime(bytes: Uint8Array, start: number, end: number): number {
  const from = skipBlanks(bytes, start, end);
  let timeStart = from + DATE_LENGTH;
  const dateMs = parseDate(bytes, from, timeStart);
  if (DATE_ENDS.has(byteAt(bytes, timeStart, end))) timeStart++;
  else timeStart = skipBlanks(bytes, timeStart, end);
  if (timeStart === from + DATE_LENGTH) return Number.NaN;

  const timeEnd = endOfTimeOfDay(bytes, timeStart, end);
  return dateMs + parseTimeOfDay(bytes, timeStart, timeEnd) - parseZone(bytes, timeEnd, end);
}

/** Reads a date of the form `2026-06-21`, `2026/06/21`, `2026.06.21` or, as cameras write it, `2026:06:21`: milliseconds since the Unix epoch at its midnight, or NaN. */
export function parseDate(bytes: Uint8Array, start: number, end: number): number {
  const from = skipBlanks(bytes, start, end);
  if (end - from < DATE_LENGTH || skipBlanks(bytes, from + DATE_LENGTH, end) !== end) return Number.NaN;
  const separator = byteAt(bytes, from + 4, end);
  if (separator !== DASH && separator !== SLASH && separator !== COLON && separator !== POINT)
    return Number.NaN;
  if (byteAt(bytes, from + 7, end) !== separator) return Number.NaN;
  const year = twoDigits(bytes, from) * 100 + twoDigits(bytes, from + 2);
  const month = twoDigits(bytes, from + 5);
  const day = twoDigits(bytes, from + 8);
  if (!(day >= 1 && day <= (LONGEST_MONTH_DAYS[month - 1] ?? 0))) return Number.NaN;
  return daysSinceEpoch(year, month, day) * DAY_MS;
}

/** Reads `16:57:02.65` and `9:5:2.65` as milliseconds since midnight; hours run as far as their digits go. NaN for anything else. */
export function parseTimeOfDay(bytes: Uint8Array, start: number, end: number): number {
  let at = skipBlanks(bytes, start, end);
  let hours = 0;
  const hoursStart = at;
  for (; at < hoursStart + MAX_HOUR_DIGITS && isDigit(byteAt(bytes, at, end)); at++) {
    hours = hours * 10 + byteAt(bytes, at, end) - ZERO;
  }
  if (at === hoursStart || byteAt(bytes, at, end) !== COLON) return Number.NaN;
  const minutesEnd = endOfTwoDigits(bytes, at + 1, end);
  if (byteAt(bytes, minutesEnd, end) !== COLON) return Number.NaN;
  const secondsEnd = endOfTwoDigits(bytes, minutesEnd + 1, end);
  const minutes = oneOrTwoDigits(bytes, at + 1, minutesEnd);
  const seconds = oneOrTwoDigits(bytes, minutesEnd + 1, secondsEnd);
  // A file that was cut off may end behind the first digit of its last time.
  if (secondsEnd === bytes.length && secondsEnd === minutesEnd + 2) return Number.NaN;
  // 60 is a leap second.
  if (!(minutes <= 59 && seconds <= 60)) return Number.NaN;
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + parseFraction(bytes, secondsEnd, end);
}

/** Returns whether a date and time ends with `Z`, `UTC` or an offset, and so means one moment wherever it was written. */
export function hasZone(bytes: Uint8Array, start: number, end: number): boolean {
  const from = skipBlanks(bytes, start, end) + DATE_LENGTH + 1;
  const zoneStart = skipBlanks(bytes, endOfTimeOfDay(bytes, from, end), end);
  if (zoneStart === end) return false;
  const lettersEnd = skipLetters(bytes, zoneStart, end);
  return (
    lettersEnd === zoneStart ||
    skipBlanks(bytes, lettersEnd, end) < end ||
    isUtc(bytes, zoneStart, lettersEnd)
  );
}

/** A `T` of either case, and what scripts write to have no blank. */
const DATE_ENDS = new Set(Array.from('Tt_-', (mark) => mark.charCodeAt(0)));
const DATE_LENGTH = 'YYYY-MM-DD'.length;
const LONGEST_MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MAX_HOUR_DIGITS = 4;
const MINUTE_MS = 60_000;

const SPACE = 0x20;
const PLUS = 0x2b;
const COMMA = 0x2c;
const DASH = 0x2d;
const POINT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const COLON = 0x3a;
const LOWER_CASE = 0x20;
const LETTER_A = 0x61;
const LETTER_T = 0x74;
const LETTER_Z = 0x7a;

function byteAt(bytes: Uint8Array, index: number, end: number): number {
  return index < end ? (bytes[index] ?? SPACE) : SPACE;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}

function skipBlanks(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && byteAt(bytes, at, end) <= SPACE) at++;
  return at;
}

function twoDigits(bytes: Uint8Array, index: number): number {
  const tens = (bytes[index] ?? SPACE) - ZERO;
  const ones = (bytes[index + 1] ?? SPACE) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** Returns where the one or two digits of a part of a time end. */
function endOfTwoDigits(bytes: Uint8Array, start: number, end: number): number {
  return isDigit(byteAt(bytes, start + 1, end)) ? start + 2 : start + 1;
}

function oneOrTwoDigits(bytes: Uint8Array, start: number, end: number): number {
  if (end - start === 2) return twoDigits(bytes, start);
  const digit = (bytes[start] ?? SPACE) - ZERO;
  return digit >= 0 && digit <= 9 ? digit : Number.NaN;
}

/** The time of day ends where its digits, colons and decimal mark end; blanks and a zone may follow. */
function endOfTimeOfDay(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  for (; at < end; at++) {
    const byte = byteAt(bytes, at, end);
    if (!isDigit(byte) && byte !== COLON && byte !== POINT && byte !== COMMA) break;
  }
  return at;
}

/** Parses the decimals after whole seconds, in milliseconds; nothing at all is 0. */
function parseFraction(bytes: Uint8Array, start: number, end: number): number {
  if (skipBlanks(bytes, start, end) === end) return 0;
  const mark = byteAt(bytes, start, end);
  if (mark !== POINT && mark !== COMMA) return Number.NaN;
  let milliseconds = 0;
  let weight = 100;
  let at = start + 1;
  for (; isDigit(byteAt(bytes, at, end)); at++) {
    milliseconds += (byteAt(bytes, at, end) - ZERO) * weight;
    weight /= 10;
  }
  return skipBlanks(bytes, at, end) === end ? milliseconds : Number.NaN;
}

/** Parses `Z`, nothing, `+01:00`, `-0330` or `+01`, also behind letters as in `GMT+01:00`, in milliseconds to the east. */
function parseZone(bytes: Uint8Array, start: number, end: number): number {
  const lettersStart = skipBlanks(bytes, start, end);
  const lettersEnd = skipLetters(bytes, lettersStart, end);
  const from = skipBlanks(bytes, lettersEnd, end);
  if (from === end) return isZoneName(bytes, lettersStart, lettersEnd) ? 0 : Number.NaN;
  if (lettersEnd > lettersStart && !isUtc(bytes, lettersStart, lettersEnd)) return Number.NaN;
  return parseOffset(bytes, from, end);
}

function parseOffset(bytes: Uint8Array, from: number, end: number): number {
  const first = byteAt(bytes, from, end);
  if (first !== PLUS && first !== DASH) return Number.NaN;
  const minutesStart = byteAt(bytes, from + 3, end) === COLON ? from + 4 : from + 3;
  const hasMinutes = isDigit(byteAt(bytes, minutesStart, end));
  const zoneEnd = hasMinutes ? minutesStart + 2 : minutesStart;
  if (zoneEnd > end || skipBlanks(bytes, zoneEnd, end) !== end) return Number.NaN;
  const minutes = twoDigits(bytes, from + 1) * 60 + (hasMinutes ? twoDigits(bytes, minutesStart) : 0);
  return (first === DASH ? -minutes : minutes) * MINUTE_MS;
}

/** Returns whether letters are nothing, `Z`, or the name of a zone: `UTC`, `CEST`, `MESZ`. */
function isZoneName(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  const last = byteAt(bytes, end - 1, end) | LOWER_CASE;
  if (length <= 1) return length === 0 || last === LETTER_Z;
  const isName = length >= 3 && length <= LONGEST_ZONE_LETTERS;
  return isName && (last === LETTER_T || last === LETTER_Z || isUtc(bytes, start, end));
}

const LONGEST_ZONE_LETTERS = 4;

function skipLetters(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isLetter(byteAt(bytes, at, end))) at++;
  return at;
}

function isLetter(byte: number): boolean {
  const lower = byte | LOWER_CASE;
  return lower >= LETTER_A && lower <= LETTER_Z;
}

/** Returns whether letters are `Z`, `UTC` or `GMT`, in any case. */
function isUtc(bytes: Uint8Array, start: number, end: number): boolean {
  const letters = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + LONGEST_ZONE_LETTERS)));
  return /^(?:z|utc|gmt)$/i.test(letters);
}

/**
 * Returns days from 1970-01-01 to a date of the Gregorian calendar. Years are counted from March, so that the day added
 * in a leap year is the last one; the months then follow a straight line of 30.6 days each.
 */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const marchMonth = month <= 2 ? month + 9 : month - 3;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + Math.floor((153 * marchMonth + 2) / 5) + day - DAYS_TO_EPOCH;
}

// The days run from the first of March of the year 0, day number 1, to 1970-01-01.
const DAYS_TO_EPOCH = 719_469;
