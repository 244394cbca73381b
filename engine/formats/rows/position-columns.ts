import type { TableRow } from '../text/csv-table.ts';
import type { PositionReader } from './fix-table.ts';

/** Describes the columns of latitude and longitude, and those of their letters N or S and E or W, where a table has them. */
export type HemisphereColumns = {
  lat: number;
  lon: number;
  latLetter: number | null;
  lonLetter: number | null;
  /** True where an O means west, as in Spanish, French and Italian. */
  isOWest?: boolean;
};

/**
 * Returns positions in two columns of degrees whose hemisphere may be given by a letter: in a column of its own, or
 * before or behind the number (`28.548990N`, `W 17.896`). A number that is negative already stays so.
 */
export function degreesWithLetters(columns: HemisphereColumns): PositionReader {
  const { lat, lon, latLetter, lonLetter, isOWest = false } = columns;
  const west = (letter: string) => (isOWest && letter.toLowerCase() === 'o' ? 'w' : letter);
  return {
    columns: [lat, lon, latLetter, lonLetter],
    lat: (row, slot) => signed(degreesIn(row, slot), letterIn(row, slot + 2)),
    lon: (row, slot) => signed(degreesIn(row, slot + 1), west(letterIn(row, slot + 3))),
  };
}

/** Returns positions in one column: `51.178278 0.301071`, or with a comma or semicolon between the two. */
export function degreesInOneCell(column: number): PositionReader {
  return {
    columns: [column],
    lat: (row, slot) => parseDegrees(splitPosition(row.text(slot))?.lat ?? ''),
    lon: (row, slot) => parseDegrees(splitPosition(row.text(slot))?.lon ?? ''),
  };
}

/** Takes a cell with a latitude and a longitude apart; null where it is none. Whole numbers are not precise enough to be meant. */
export function splitPosition(cell: string): { lat: string; lon: string } | null {
  const [, lat, lon] = POSITION.exec(cell) ?? [];
  return lat === undefined || lon === undefined ? null : { lat, lon };
}

const POSITION =
  /^[([]?([NS]?[+-]?\d{1,2}\.\d{2,20}°?[NS]?)(?:[ ,;/]|, )([EW]?[+-]?\d{1,3}\.\d{2,20}°?[EW]?)[)\]]?$/i;
// More digits than three are degrees and minutes without a blank between them.
const DEGREES = /^([NSEW])? ?([+-]?\d{1,5}(?:[.,]\d{1,20})?) ?°? ?([NSEW])?$/i;
// A table may have doubled the sign of the seconds, which is its quote.
const SEXAGESIMAL =
  /^([NSEW])? ?([+-]?\d{1,3})(?:[°º:] ?| )(\d{1,2}(?:[.,]\d{1,20})?)(?:['′’: ] ?(?:(\d{1,2}(?:[.,]\d{1,20})?)["″”]{0,2})?)? ?([NSEW])?$/i;

const SOUTH_AND_WEST = new Set(['s', 'w']);

function degreesIn(row: TableRow, slot: number): number {
  const plain = row.number(slot);
  return Number.isNaN(plain) ? parseDegrees(row.text(slot)) : plain;
}

function parseDegrees(text: string): number {
  // Some loggers fill their cells up with zero bytes.
  const plain = text.replaceAll('\0', '');
  const [, before = '', number, behind = ''] = DEGREES.exec(plain) ?? [];
  return number === undefined ? parseSexagesimal(plain) : signed(toNumber(number), before || behind);
}

/** Parses degrees with minutes, and perhaps seconds: `48 05.95686`, `N48° 5.95686'`, `48°5'57.41"N`. */
function parseSexagesimal(text: string): number {
  const [, before = '', whole, minutes, seconds = '0', behind = ''] = SEXAGESIMAL.exec(text) ?? [];
  if (whole === undefined || !(toNumber(minutes) < 60 && toNumber(seconds) < 60)) return Number.NaN;
  const magnitude = Math.abs(Number(whole)) + toNumber(minutes) / 60 + toNumber(seconds) / 3600;
  return signed(whole.startsWith('-') ? -magnitude : magnitude, before || behind);
}

function toNumber(written = ''): number {
  return Number(written.replace(',', '.'));
}

function signed(degrees: number, letter: string): number {
  return SOUTH_AND_WEST.has(letter.toLowerCase()) ? -Math.abs(degrees) : degrees;
}

function letterIn(row: TableRow, slot: number): string {
  return row.read(slot, firstCharacter);
}

function firstCharacter(bytes: Uint8Array, start: number, end: number): string {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? SPACE;
    if (byte > SPACE) return String.fromCharCode(byte);
  }
  return '';
}

const SPACE = 0x20;
