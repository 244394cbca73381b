import { LIMITS } from '#contract/limits.ts';

// No schema in this file: the browser checks a track by these rules while it is typed, the server when it is imported.

/** The names that a track must have, each with the message where it is missing. */
export const REQUIRED_TRACK_NAMES = {
  name: 'The name is missing.',
  location: 'The city or region is missing.',
  country: 'The country is missing.',
} as const;

export type Range = { min: number; max: number };

export const TRACK_RANGES = {
  radiusMeters: { min: 10, max: 50_000 },
  // Shorter than any kart track; longer than the Isle of Man's mountain course by far.
  lengthMeters: { min: 50, max: 200_000 },
  centerLat: { min: -90, max: 90 },
  centerLon: { min: -180, max: 180 },
} as const satisfies Record<string, Range>;

/** The reason why a number is refused, null being no number; null where it is allowed. */
export function findNumberProblem(number: number | null, { min, max }: Range): string | null {
  if (number === null) return 'This must be a number.';
  return number >= min && number <= max ? null : `This must be between ${min} and ${max}.`;
}

const DECIMAL = /^\s*[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:[eE][+-]?\d{1,3})?\s*$/;

/** A finite decimal number, or null. */
export function parseDecimal(text: string): number | null {
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** The reason why a name is refused; null where it is allowed. */
export function findNameProblem(name: string): string | null {
  return name.length <= LIMITS.nameCharactersMax
    ? null
    : `This may have at most ${LIMITS.nameCharactersMax} characters.`;
}
