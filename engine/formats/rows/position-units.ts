import { isOnEarth } from '../../geo.ts';
import { UnreadableLapFileError } from '../../lap-file.ts';
import { readRows, type CsvTable, type TableRow } from '../text/csv-table.ts';
import type { PositionReader } from './fix-table.ts';

/** Describes what a header says of the numbers of its latitudes and longitudes. */
export type PositionHints = {
  /** The unit in the head of the column, in lower case; '' for none. */
  unit: string;
  /** True where the name of the column says minutes. Some writers call their degrees so. */
  saysMinutes: boolean;
  /** The columns beside whole degrees of latitude and of longitude. */
  lat: ArcParts;
  lon: ArcParts;
};

/** Holds the columns of the minutes of arc beside whole degrees, and of the seconds beside whole minutes; null for none. */
type ArcParts = { minutes: number | null; seconds: number | null };

/**
 * Returns the same positions in degrees, whatever they were written in: degrees, minutes of arc, degrees and minutes in one number
 * (`4805.957`, as receivers write them) or in columns beside each other, radians, ten-millionths of a degree, or with the two columns
 * exchanged. The rows tell, as far as the header does not.
 */
export function inDegrees(table: CsvTable, position: PositionReader, hints: PositionHints): PositionReader {
  const sample = samplePositions(table, position, hints);
  const conversion = findConversion(sample, hints);
  if (conversion === 'exchanged') return { columns: position.columns, lat: position.lon, lon: position.lat };
  return { ...convertPosition(position, conversion, hints), isHole: findHoles(sample) };
}

/** Returns what tells a latitude or longitude of 0 that stands for an empty cell: elsewhere the car is far from 0. */
function findHoles({ lats, lons }: Sample): (lat: number, lon: number) => boolean {
  const [isLatFar, isLonFar] = [lats, lons].map((numbers) =>
    isMost(numbers.filter(Boolean), (number) => Math.abs(number) > 1),
  );
  return (lat, lon) => (lat === 0 && isLatFar === true) || (lon === 0 && isLonFar === true);
}

function convertPosition(
  position: PositionReader,
  convert: Exclude<Conversion, 'exchanged'>,
  hints: PositionHints,
): PositionReader {
  if (convert === 'with minutes') return withMinutes(position, hints);
  if (convert === null) return position;
  return {
    columns: position.columns,
    lat: (row, slot) => convert(position.lat(row, slot)),
    lon: (row, slot) => convert(position.lon(row, slot)),
  };
}

type Sample = { lats: number[]; lons: number[]; latMinutes: number[]; lonMinutes: number[] };

const SAMPLE_ROWS = 2000;
const SAMPLE_POSITIONS = 300;

function samplePositions(table: CsvTable, position: PositionReader, hints: PositionHints): Sample {
  const sample: Sample = { lats: [], lons: [], latMinutes: [], lonMinutes: [] };
  const minutesSlot = position.columns.length;
  let rows = 0;
  readRows(table, [...position.columns, hints.lat.minutes, hints.lon.minutes], (row) => {
    const [lat, lon] = [position.lat(row, 0), position.lon(row, 0)];
    // Receivers without a fix write zeros, or −1 for both.
    const isNoFix = lat === lon && (lat === 0 || lat === -1);
    if (!Number.isNaN(lat) && !Number.isNaN(lon) && !isNoFix) {
      sample.lats.push(lat);
      sample.lons.push(lon);
      sample.latMinutes.push(row.number(minutesSlot));
      sample.lonMinutes.push(row.number(minutesSlot + 1));
    }
    rows++;
    return rows < SAMPLE_ROWS && sample.lats.length < SAMPLE_POSITIONS;
  });
  return sample;
}

type Conversion = ((number: number) => number) | 'exchanged' | 'with minutes' | null;

function findConversion({ lats, lons, latMinutes, lonMinutes }: Sample, hints: PositionHints): Conversion {
  const unitDegrees = UNIT_DEGREES.get(hints.unit);
  if (unitDegrees !== undefined) return (number) => number * unitDegrees;
  const hasMinutes = isMost([...latMinutes, ...lonMinutes], isMinutes);
  if (hasMinutes && isMost([...lats, ...lons], Number.isInteger)) return 'with minutes';
  if (lats.length < FEWEST_POSITIONS) return null;
  if (lats.every(Number.isInteger) && areWithin(lats, THREE_DIGITS))
    throw new UnreadableLapFileError(WHOLE_DEGREES);
  return findUnnamedUnit({ lats, lons }, hints);
}

function findUnnamedUnit({ lats, lons }: Pick<Sample, 'lats' | 'lons'>, hints: PositionHints): Conversion {
  if (areRadians(lats, lons)) return (number) => (number * 180) / Math.PI;
  if (areMostlyDegrees(lats, lons)) return null;
  if (hints.saysMinutes || MINUTE_UNITS.has(hints.unit)) return (number) => number / 60;
  return areWithin(lats, 180) && areWithin(lons, 90) ? 'exchanged' : findDigits(lats, lons);
}

// A decimal comma that also separates the cells leaves up to three decimals of a time where the latitude is expected.
const THREE_DIGITS = 999;
const WHOLE_DEGREES =
  'This file has latitudes and longitudes in whole degrees; export them with decimals, and with semicolons between the columns where its numbers have commas.';

function findDigits(lats: readonly number[], lons: readonly number[]): Conversion {
  const areDigits = isMost([...lats, ...lons], (number) => Math.abs(number) % 100 < 60);
  return areDigits && areWithin(lats, 9000) && areWithin(lons, 18_000) ? degreesOfDigits : null;
}

/** Returns whether the numbers are radians: as degrees all of them would lie in the Gulf of Guinea, where no track is. */
function areRadians(lats: readonly number[], lons: readonly number[]): boolean {
  return areWithin(lats, Math.PI / 2) && areWithin(lons, Math.PI) && !lats.every(isNearZero);
}

function areMostlyDegrees(lats: readonly number[], lons: readonly number[]): boolean {
  const inRange = lats.filter((lat, index) => isOnEarth(lat, lons[index] ?? 0));
  return inRange.length >= lats.length / 2;
}

function areWithin(numbers: readonly number[], limit: number): boolean {
  return isMost(numbers, (number) => Math.abs(number) <= limit);
}

const MINUTE_UNITS = new Set(['min', 'mins', 'minutes', "'"]);
const UNIT_DEGREES = new Map([
  ['rad', 180 / Math.PI],
  ['radians', 180 / Math.PI],
  ['e6', 1e-6],
  ['e7', 1e-7],
  ['1e-7', 1e-7],
  ['1e7', 1e-7],
  ['dege7', 1e-7],
  ['deg*1e7', 1e-7],
  ['deg*1e-7', 1e-7],
  ['semicircles', 180 / 2 ** 31],
  ['semicircle', 180 / 2 ** 31],
]);

// Fewer may all be spoilt.
const FEWEST_POSITIONS = 10;
const MOST_SHARE = 0.95;
// Noise around 0/0, and metres of a plane that are scaled down, are no radians.
const NEAR_ZERO = 0.01;

function isMost(numbers: readonly number[], accept: (number: number) => boolean): boolean {
  return numbers.length > 0 && numbers.filter(accept).length >= MOST_SHARE * numbers.length;
}

function isNearZero(number: number): boolean {
  return Math.abs(number) < NEAR_ZERO;
}

function isMinutes(number: number): boolean {
  return number >= 0 && number < 60;
}

/** Returns 48.09928 for 4805.957: the last two digits before the decimals are minutes. */
function degreesOfDigits(digits: number): number {
  const magnitude = Math.abs(digits);
  const whole = Math.floor(magnitude / 100);
  const degrees = whole + (magnitude - 100 * whole) / 60;
  return digits < 0 ? -degrees : degrees;
}

function addMinutes(degrees: number, minutes: number): number {
  // Whole degrees may be a zero with a sign.
  return degrees < 0 || Object.is(degrees, -0) ? degrees - minutes / 60 : degrees + minutes / 60;
}

function withMinutes(position: PositionReader, { lat, lon }: PositionHints): PositionReader {
  const first = position.columns.length;
  return {
    columns: [...position.columns, lat.minutes, lat.seconds, lon.minutes, lon.seconds],
    lat: (row, slot) => addMinutes(position.lat(row, slot), minutesAt(row, slot + first, lat)),
    lon: (row, slot) => addMinutes(position.lon(row, slot), minutesAt(row, slot + first + 2, lon)),
  };
}

/** Reads minutes of arc from one cell, and the seconds from the next where the table has them. */
function minutesAt(row: TableRow, slot: number, { seconds }: ArcParts): number {
  return row.number(slot) + (seconds === null ? 0 : row.number(slot + 1) / 60);
}
