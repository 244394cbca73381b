/**
 * Reads a decimal number straight from the bytes of a file, without making a string of it: `-12.5`, `+.5`, `3.`, `1e-3`.
 * Blanks around it are allowed; anything else, the words NaN and Infinity included, gives NaN.
 * The value is multiplied by ten to the power of `shift` before it is rounded to a double, so that `shift` 3 reads seconds
 * as milliseconds without losing the last bit.
 */
export function parseDecimal(bytes: Uint8Array, start: number, end: number, shift = 0): number {
  const from = skipBlanks(bytes, start, end);
  const to = trimBlanks(bytes, from, end);
  const sign = byteAt(bytes, from);
  const digitsStart = isSign(sign) ? from + 1 : from;
  let mantissa = 0;
  let point = to;
  for (let at = digitsStart; at < to; at++) {
    const byte = byteAt(bytes, at);
    const digit = byte - ZERO;
    if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit;
    else if (byte === POINT && point === to) point = at;
    else return parseSlowly(bytes, from, to, shift);
  }
  const decimals = Math.max(0, to - point - 1);
  if (point === digitsStart && decimals === 0) return Number.NaN;
  if (mantissa >= INEXACT_MANTISSA) return parseSlowly(bytes, from, to, shift);
  const magnitude = timesPowerOfTen(mantissa, shift - decimals);
  return sign === MINUS ? -magnitude : magnitude;
}

/** This `shift` reads seconds as milliseconds; it is a power of ten, not a factor. */
export const SECONDS_TO_MS_SHIFT = 3;

const SPACE = 0x20;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;

// A whole number of fifteen digits is exact in a double, and so is every power of ten up to 22; the quotient of two exact doubles is
// then the double nearest to the written number. With more digits that does not hold any more.
const INEXACT_MANTISSA = 1e15;
const EXACT_POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

function timesPowerOfTen(mantissa: number, exponent: number): number {
  const power = EXACT_POWERS[Math.abs(exponent)];
  if (power === undefined) return Number(`${mantissa}e${exponent}`);
  return exponent < 0 ? mantissa / power : mantissa * power;
}

const DECIMAL = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:e([+-]?\d{1,4}))?$/i;

/** No number that a logger writes is longer; a field of a megabyte of digits is not worth a string. */
const LONGEST_NUMBER = 400;

/** Parses numbers of many digits or with an exponent: rare, and the engine of the language rounds them correctly. */
function parseSlowly(bytes: Uint8Array, start: number, end: number, shift: number): number {
  if (end - start > LONGEST_NUMBER) return Number.NaN;
  const text = String.fromCharCode(...bytes.subarray(start, end));
  const [, mantissa, exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (mantissa === undefined) return Number.NaN;
  const value = Number(`${mantissa}e${Number(exponent) + shift}`);
  return Number.isFinite(value) ? value : Number.NaN;
}

function isSign(byte: number): boolean {
  return byte === MINUS || byte === PLUS;
}

function skipBlanks(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && byteAt(bytes, at) <= SPACE) at++;
  return at;
}

function trimBlanks(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && byteAt(bytes, at - 1) <= SPACE) at--;
  return at;
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? SPACE;
}
