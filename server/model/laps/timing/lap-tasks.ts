import type { LapId, SessionId, TrackId } from '#contract/ids.ts';
import type { TrackOutline } from '#engine/comparison/line-of-outline.ts';
import type { CornerName } from '#engine/comparison/name-corners.ts';
import type { Clock, DropCounts } from '#engine/lap-file.ts';
import type { ExportFormat } from '#engine/export/formats.ts';
import type { LapProof } from '#engine/proof/lap-proof.ts';
import type { Lap } from '#engine/timing/laps.ts';
import type { Position } from '#engine/geo.ts';
import type { RecognisedCourse } from '#engine/proposal/recognise-courses.ts';
import type { CourseLines } from '#engine/proposal/course-of-laps.ts';
import type { OutlinePoint, Track } from '#engine/track.ts';

// Tasks and results of worker threads are plain data, because instances of classes, such as errors, lose their class on the way.

/** Holds the track library as UTF-8 JSON in memory that all threads share, so that tasks need not copy it. */
export type SharedTracks = { version: string; json: SharedArrayBuffer };

export type TimeTask = { path: string; track: Track };

/** Selects a lap by its approximate start after the file's first fix, and its approximate lap time. */
export type ProveTask = TimeTask & { startOffsetMs: number; lapTimeMs: number };

/** Says how a drive is exported; `startMs` is when it began in UTC, for recordings on another clock. */
type ExportWish = { format: ExportFormat; title: string; startMs: number };

/** The export of a whole lap file is written to `outputPath`. */
export type ExportFileTask = TimeTask & ExportWish & { outputPath: string };

/** Exports a stored lap as others may see it. */
export type ExportLapTask = ExportWish & { trace: Uint8Array; lapNumber: number };

/** Holds a lap of a file and the proof of its time. All times are in whole milliseconds. */
export type ProvenLap = {
  fileSha256: string;
  proof: LapProof;
  result: Pick<Lap, 'lapTimeMs' | 'uncertaintyMs' | 'sectorTimesMs'>;
};

/** With `trackId`, the laps are timed on that track only. */
export type AnalyzeTask = {
  path: string;
  trackId: TrackId | null;
  tracks: SharedTracks;
  /** Courses are looked for only where no track matches surely. */
  courses: SharedTracks;
  pointsMax: number;
};

/** Holds a course, the lines that the laps of a file cross, and the known tracks. */
export type ConfirmCourseTask = { path: string; course: Track; lines: CourseLines; tracks: SharedTracks };

/** Holds the lines of a new track, which the laps of a file cross, and the known tracks. */
export type ShowTrackTask = { path: string; lines: CourseLines; tracks: SharedTracks };

/** Holds a track that was derived from the laps of a file. */
export type ShownTrack = Pick<
  Track,
  'lengthMeters' | 'outline' | 'centerLat' | 'centerLon' | 'radiusMeters'
> & {
  rankingLapCount: number;
  /** The indexes of the sector lines that no lap crosses. */
  missedSectors: number[];
  /** The known track that matches the file best; null where none matches. */
  known: { trackId: TrackId; confidencePct: number } | null;
  /** A known track with the same outline and driving direction; null where there is none. */
  sameLayoutId: TrackId | null;
};

/** Holds the laps to compare; the first is the reference. */
export type CompareTask = {
  laps: { lapId: LapId; lapTimeMs: number; sessionId: SessionId; trace: Uint8Array }[];
  /** The track's encoded reference line; null uses the line of the reference lap. */
  line: Uint8Array | null;
  /** Has the corners of the track; null where it is unknown. */
  track: TrackOutline | null;
  cornerNames: CornerName[];
};

export type ViewTask = Pick<CompareTask, 'line' | 'track' | 'cornerNames'> & { trace: Uint8Array };

/** Holds the path of one lap, thinned like the outlines of the track list. */
export type DrivenOutline = { lapNumber: number; points: OutlinePoint[] };

export type TimedLapFile = {
  format: string;
  clock: Clock;
  /** Epoch milliseconds of the first fix; null where the file has no date. */
  startTimeMs: number | null;
  /** The first fix on the clock of the laps; null where the file has none. */
  firstFixMs: number | null;
  gpsRateHz: number | null;
  dropped: DropCounts;
  laps: Lap[];
  bestLapTimeMs: number | null;
  distanceToTrackMeters: number;
  /** The hash of the whole file by `hashPositions`. */
  positionsHash: string | null;
  roundedHashes: string[];
  lapPositionsHashes: (string | null)[];
  /** The path of the fastest valid lap; null where the track has an outline, or no lap is valid. */
  drivenOutline: DrivenOutline | null;
  traces: Uint8Array;
};

export type Suggestion = {
  trackId: TrackId;
  confidencePct: number;
  laps: Lap[];
  /** The hash of each lap by `hashPositions`. */
  lapPositionsHashes: (string | null)[];
};

/** Holds a recognised course as the track that it would be, with the laps of the file on it. */
export type CourseMatch = Omit<RecognisedCourse, 'timed'> & { laps: Lap[] };

export type AnalyzedLapFile = {
  format: string;
  gpsRateHz: number | null;
  pointCount: number;
  points: Position[];
  /** The hash of the whole file by `hashPositions`. */
  positionsHash: string | null;
  roundedHashes: string[];
  suggestions: Suggestion[];
  courses: CourseMatch[];
  isSimulated: boolean;
  /** The distance to the requested track; null without one. */
  distanceToTrackMeters: number | null;
};

/** Holds a value, or the reason why the file is unreadable, which the driver gets. An unreadable file is no error of the worker. */
export type LapTaskResult<Value> =
  | { isReadable: true; value: Value }
  | { isReadable: false; sentence: string };
