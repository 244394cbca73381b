import { LIMITS } from '#contract/limits.ts';

// This file has no schema: the browser validates a track with these rules during typing, and the server during an
// import.

/** The required names of a track, each with the message for a missing one. */
export const REQUIRED_TRACK_NAMES = {
  name: 'The name is missing.',
  location: 'The city or region is missing.',
  country: 'The country is missing.',
} as const;

/** Names a track with its layout: 'Adria Karting Raceway, Long'. */
export function nameTrack({
  name,
  configuration,
}: {
  name: string | null;
  configuration: string | null;
}): string {
  return [name, configuration].filter(Boolean).join(', ');
}

export type Range = { min: number; max: number };

export const TRACK_RANGES = {
  radiusMeters: { min: 10, max: 50_000 },
  // The minimum is shorter than any kart track, the maximum longer than the Isle of Man's mountain course.
  lengthMeters: { min: 50, max: 200_000 },
  centerLat: { min: -90, max: 90 },
  centerLon: { min: -180, max: 180 },
} as const satisfies Record<string, Range>;

/** Returns the reason why a number is refused, or null if it is allowed. Null is not a number. */
export function findNumberProblem(number: number | null, { min, max }: Range): string | null {
  if (number === null) return 'This must be a number.';
  return number >= min && number <= max ? null : `This must be between ${min} and ${max}.`;
}

const DECIMAL = /^\s*[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:[eE][+-]?\d{1,3})?\s*$/;

/** Parses a finite decimal number; returns null for other texts. */
export function parseDecimal(text: string): number | null {
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** Returns the reason why a name is refused, or null if it is allowed. */
export function findNameProblem(name: string): string | null {
  return name.length <= LIMITS.nameCharactersMax
    ? null
    : `This may have at most ${LIMITS.nameCharactersMax} characters.`;
}

/** The states of a published set of tracks, from absent to installed. */
export const TRACK_SET_STATES = [
  'absent',
  'waiting',
  'fetching',
  'reading',
  'adding',
  'installed',
  'failed',
] as const;

export type TrackSetState = (typeof TRACK_SET_STATES)[number];
