import type { CarProblem, UpdatableField } from '#contract/library/schemas.ts';
import type { ErrorCode } from '#contract/errors.ts';

// What goes to the worker threads of imports and comes back. Long lists travel as JSON in pieces: the other thread takes
// them as they are, or reads one piece at a time, and is never held up by the whole.

/** The car library as text: a line per car with its model key and its four names, separated by tabs. */
export type KnownCarsText = string;

export type PreviewCarsTask = { path: string; known: KnownCarsText };
/**
 * A set of tracks, and each track of the library as JSON. In `counts`, which lies in memory that both threads share, the worker writes
 * how many files it has read, and of how many.
 */
export type SortOutSetTask = { path: string; library: readonly string[]; counts: Int32Array };
export type CheckCarsTask = { body: Uint8Array; known: KnownCarsText };

/** A track of a request, checked. */
export type CheckedTrack = {
  row: number;
  name: string | null;
  configuration: string | null;
  location: string | null;
  country: string | null;
  centerLat: number | null;
  centerLon: number | null;
  /** Why it cannot be created; null where it can. */
  problem: string | null;
  /** A `NewTrack` as JSON; null where it cannot be created. */
  definition: string | null;
  /** What of a track in the library becomes as here; empty where it is to be created. */
  update: readonly UpdatableField[];
};

export type CheckedApexTracks = {
  /** Arrays of `StagedTrack` as JSON. */
  pieces: string[];
  trackCount: number;
  trapCount: number;
  warnings: string[];
};

export type CheckedCars = {
  /** Arrays of `LibraryCar` as JSON. */
  pieces: string[];
  newCount: number;
  existing: number;
  problems: CarProblem[];
};

/** What is wrong with a file or request as a whole is no error of the worker: the administrator gets the sentence. */
export type ImportResult<Value> =
  | { isReadable: true; value: Value }
  | { isReadable: false; code: ErrorCode; sentence: string; fields?: Record<string, string> };
