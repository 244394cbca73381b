import { at, type FixColumns } from '../fix-columns.ts';

/** Degrees to a tenth of a millimetre on the ground. */
export const DEGREE_DECIMALS = 9;

/** Formats a number with so many decimals at most, without zeros at its end. */
export function formatDecimal(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Formats a time as seconds with three decimals, and with six where it has parts of a millisecond. */
export function formatSeconds(timeMs: number): string {
  const seconds = (timeMs / 1000).toFixed(6);
  return seconds.endsWith('000') ? seconds.slice(0, -3) : seconds;
}

/** Formats a time as ISO 8601, in microseconds where it has parts of a millisecond; with `Z` where `isUtc`. */
export function formatIsoTime(timeMs: number, isUtc: boolean): string {
  const microseconds = Math.round(timeMs * 1000);
  const wholeMs = Math.floor(microseconds / 1000);
  const rest = microseconds - 1000 * wholeMs;
  const time = new Date(wholeMs).toISOString().slice(0, -1);
  return time + (rest === 0 ? '' : String(rest).padStart(3, '0')) + (isUtc ? 'Z' : '');
}

/** Returns whether a column holds any value. */
export function hasValues(column: Float64Array | undefined): column is Float64Array {
  return column !== undefined && column.some((value) => !Number.isNaN(value));
}

/** Returns whether a fix can be written: readers of binary formats may leave a time or a position unknown. */
export function isWhole({ timesMs, lats, lons }: FixColumns, fix: number): boolean {
  return (
    Number.isFinite(at(timesMs, fix)) && Number.isFinite(at(lats, fix)) && Number.isFinite(at(lons, fix))
  );
}

const PIECE_CHARACTERS = 64 * 1024;

/** Joins lines to pieces that are worth a write each. */
export function* inPieces(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
