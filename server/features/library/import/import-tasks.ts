import type { CarProblem, UpdatableField } from '#contract/library/schemas.ts';
import type { ErrorCode } from '#contract/errors.ts';

// The main thread and the worker threads of imports exchange these. Long lists travel as JSON in pieces: the other thread
// passes them on unchanged or reads one piece at a time, so the whole never blocks it.

/** The car library as text has a line per car with its model key and its four names, separated by tabs. */
export type KnownCarsText = string;

export type PreviewCarsTask = { path: string; known: KnownCarsText };
/**
 * The task holds the path of a set of tracks, and each track of the library as JSON. The worker writes to `counts`, in memory
 * that both threads share, how many files it has read, and the total.
 */
export type SortOutSetTask = { path: string; library: readonly string[]; counts: Int32Array };
export type CheckCarsTask = { body: Uint8Array; known: KnownCarsText };

export type CheckedTrack = {
  row: number;
  name: string | null;
  configuration: string | null;
  location: string | null;
  country: string | null;
  centerLat: number | null;
  centerLon: number | null;
  /** The reason why it cannot be created; null where it can. */
  problem: string | null;
  /** A `NewTrack` as JSON; null where it cannot be created. */
  definition: string | null;
  /** The fields to update in a track of the library; empty where the track is to be created. */
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

/** A problem with a file or request as a whole is a result, not an error of the worker: the administrator gets the sentence. */
export type ImportResult<Value> =
  | { isReadable: true; value: Value }
  | { isReadable: false; code: ErrorCode; sentence: string; fields?: Record<string, string> };
