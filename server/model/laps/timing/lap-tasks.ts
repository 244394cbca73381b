import type { LapId } from '#contract/ids.ts';
import type { CornerName } from '#engine/comparison/name-corners.ts';
import type { Clock, DropCounts } from '#engine/lap-file.ts';
import type { LapProof } from '#engine/proof/lap-proof.ts';
import type { Lap } from '#engine/timing/laps.ts';
import type { Position } from '#engine/geo.ts';
import type { CourseLines } from '#engine/proposal/course-of-laps.ts';
import type { OutlinePoint, Track } from '#engine/track.ts';

// What goes to a worker thread and comes back: plain data only. A class, such as that of an error, would not survive the way.

/** The track library as UTF-8 JSON in memory that threads share, so that no task has to carry it. */
export type SharedTracks = { version: string; json: SharedArrayBuffer };

export type TimeTask = { path: string; track: Track };

/** The lap that began about so long after the first fix of the file, and took about so long. */
export type ProveTask = TimeTask & { startOffsetMs: number; lapTimeMs: number };

/** A lap of a file and what proves its time, times in whole milliseconds. */
export type ProvenLap = {
  fileSha256: string;
  proof: LapProof;
  result: Pick<Lap, 'lapTimeMs' | 'uncertaintyMs' | 'sectorTimesMs'>;
};

/** With `trackId`, the laps are timed on that track only. */
export type AnalyzeTask = { path: string; trackId: string | null; tracks: SharedTracks; pointsMax: number };

/** Lines on which the laps of a file are to show a track, and the tracks that are known. */
export type ShowTrackTask = { path: string; lines: CourseLines; tracks: SharedTracks };

/** A track as the laps of a file show it. */
export type ShownTrack = Pick<
  Track,
  'lengthMeters' | 'outline' | 'centerLat' | 'centerLon' | 'radiusMeters'
> & {
  /** Of the file on this track. */
  rankingLapCount: number;
  /** Sector lines that no lap crosses, by their place in the list. */
  missedSectors: number[];
  /** The known track that the drive fits best; null where it fits none. */
  known: { trackId: string; confidencePct: number } | null;
  /** A known track with the same outline, driven the same way; null where there is none. */
  sameLayoutId: string | null;
};

/** Laps to compare; the first is the reference. */
export type CompareTask = {
  laps: { lapId: LapId; lapTimeMs: number; sessionId: string; trace: Uint8Array }[];
  /** The track's reference line, encoded; null: that of the reference lap. */
  line: Uint8Array | null;
  cornerNames: CornerName[];
};

export type ViewTask = Pick<CompareTask, 'line' | 'cornerNames'> & { trace: Uint8Array };

/** The way of one lap, thinned as the list of all tracks has outlines. */
export type DrivenOutline = { lapNumber: number; points: OutlinePoint[] };

/** A lap file timed on one track. */
export type TimedLapFile = {
  format: string;
  clock: Clock;
  /** Epoch milliseconds of the first fix; null where the file has no date. */
  startTimeMs: number | null;
  /** The first fix on the clock that the laps are on; null where the file holds none. */
  firstFixMs: number | null;
  gpsRateHz: number | null;
  dropped: DropCounts;
  laps: Lap[];
  bestLapTimeMs: number | null;
  distanceToTrackMeters: number;
  /** See `hashPositions`: of the whole file, and of each of `laps`. */
  positionsHash: string | null;
  /** See `hashRoundedPositions`. */
  roundedHashes: string[];
  lapPositionsHashes: (string | null)[];
  /** Of the fastest valid lap, for a track that has no outline; null where it has one, or no lap is valid. */
  drivenOutline: DrivenOutline | null;
  /** Of all laps: see `packTraces`. */
  traces: Uint8Array;
};

export type Suggestion = {
  trackId: string;
  confidencePct: number;
  laps: Lap[];
  /** See `hashPositions`: of each of `laps`. */
  lapPositionsHashes: (string | null)[];
};

export type AnalyzedLapFile = {
  format: string;
  gpsRateHz: number | null;
  pointCount: number;
  points: Position[];
  /** See `hashPositions` and `hashRoundedPositions`. */
  positionsHash: string | null;
  roundedHashes: string[];
  /** Best first. */
  suggestions: Suggestion[];
  /** From the one track that was asked for; null where none was. */
  distanceToTrackMeters: number | null;
};

/** A file that is not a lap file is no error of the worker: the driver gets the sentence. */
export type LapTaskResult<Value> =
  { isReadable: true; value: Value } | { isReadable: false; sentence: string };
