import { clockDigitsToMs } from '../rows/numeric-clock.ts';
import type { NmeaSentence } from './nmea-sentence.ts';

/** Describes what the sentences with one time of day say together; NaN for what none of them says. */
export type Epoch = { timeOfDayMs: number; dayMs: number; lat: number; lon: number; speed: number };

const KNOT = 1852 / 3600;

/** Returns what a sentence RMC says: date and speed besides time and position. */
export function fromRmc(sentence: NmeaSentence): Epoch {
  const isValid = sentence.letter(2) !== 'V';
  return {
    timeOfDayMs: clockDigitsToMs(sentence.number(1)),
    dayMs: isValid ? parseDay(sentence.number(9)) : Number.NaN,
    ...positionIn(sentence, 3, isValid),
    speed: sentence.number(7) * KNOT,
  };
}

/** Returns what a sentence GGA says: time of day and position. */
export function fromGga(sentence: NmeaSentence): Epoch {
  return {
    timeOfDayMs: clockDigitsToMs(sentence.number(1)),
    dayMs: Number.NaN,
    ...positionIn(sentence, 2, sentence.letter(6) !== '0'),
    speed: Number.NaN,
  };
}

function positionIn(sentence: NmeaSentence, field: number, isValid: boolean): { lat: number; lon: number } {
  if (!isValid) return { lat: Number.NaN, lon: Number.NaN };
  const lat = parseDegrees(sentence.number(field));
  const lon = parseDegrees(sentence.number(field + 2));
  return {
    lat: sentence.letter(field + 1) === 'S' ? -lat : lat,
    lon: sentence.letter(field + 3) === 'W' ? -lon : lon,
  };
}

/** 2824.64918 is 28 degrees and 24.64918 minutes. */
function parseDegrees(number: number): number {
  const degrees = Math.trunc(number / 100);
  return degrees + (number - 100 * degrees) / 60;
}

/** 231125 is the 23rd of November 2025. NaN for no date, and for one from before there were any loggers. */
function parseDay(digits: number): number {
  const [day, month, year] = [Math.trunc(digits / 10_000), Math.trunc(digits / 100) % 100, digits % 100];
  const isDate = day >= 1 && day <= 31 && month >= 1 && month <= 12 && year < FIRST_IMPOSSIBLE_YEAR;
  return isDate ? Date.UTC(2000 + year, month - 1, day) : Number.NaN;
}

/** The satellites' own calendar begins in 1980. */
const FIRST_IMPOSSIBLE_YEAR = 80;

/** Returns the value, or the other one where it is NaN. */
export function firstKnown(value: number, other: number): number {
  return Number.isNaN(value) ? other : value;
}

/** Returns the speed of a sentence VTG, in m/s. */
export function speedOfVtg(sentence: NmeaSentence): number {
  return sentence.number(5) * KNOT;
}

/** Adds what another sentence of the same time of day says. */
export function addToEpoch(epoch: Epoch, said: Epoch): void {
  epoch.dayMs = firstKnown(epoch.dayMs, said.dayMs);
  epoch.speed = firstKnown(epoch.speed, said.speed);
  if (Number.isNaN(epoch.lat + epoch.lon)) [epoch.lat, epoch.lon] = [said.lat, said.lon];
}
