import type { TrackId } from '#contract/ids.ts';
import type { LiveLap, LiveState } from '#engine/live/live-state.ts';
import type { FixKind, StreamKind } from '#engine/receivers/live-fix.ts';
import type { KeptLap, KeptTrack } from './kept-tracks.ts';
import type { Transport } from './receivers/receiver.ts';
import type { StorageProblem } from './storage/recording-calls.ts';

/** The device that delivers positions. */
export type SourceState = {
  transport: Transport;
  name: string;
  kind: StreamKind;
  connection: 'connected' | 'lost';
  /** Names model and firmware, as the device says them. */
  description: string | null;
};

/** The newest figures of the receiver; null for what it does not say. */
export type SignalState = {
  fixKind: FixKind | null;
  satellites: number | null;
  accuracyMeters: number | null;
  /** Positions a second, counted over the last seconds. */
  rateHz: number | null;
  batteryPercent: number | null;
  position: { lat: number; lon: number } | null;
  /** Arrival of the newest position, on the clock of this device. */
  lastFixAtMs: number | null;
};

/** The timing of this drive: a preview, which the server's times replace. */
export type LiveView = {
  state: LiveState;
  /** The laps that have ended. */
  laps: readonly LiveLap[];
  /** Counts the positions with which a line was passed, that of a sector too. */
  linesPassed: number;
};

export type RecordingState = {
  id: string;
  startedAtMs: number;
  endedAtMs: number | null;
  /** Safe in the file. */
  sealedBytes: number;
  sealedAtMs: number;
  fixes: number;
  /** Times without positions that lasted longer than they should, in milliseconds. */
  holesMs: number[];
  accuracyMeters: number | null;
  worstAccuracyMeters: number | null;
  problem: StorageProblem | null;
};

export type DriveState = {
  phase: 'before' | 'driving' | 'after';
  source: SourceState | null;
  signal: SignalState;
  track: KeptTrack | null;
  /** The lap that the gap is measured against; null for the best of this drive. */
  reference: KeptLap | null;
  recording: RecordingState | null;
  live: LiveView;
};

export const NO_SIGNAL: SignalState = {
  fixKind: null,
  satellites: null,
  accuracyMeters: null,
  rateHz: null,
  batteryPercent: null,
  position: null,
  lastFixAtMs: null,
};

export const NOT_TIMED: LiveView = {
  state: {
    phase: 'waiting',
    lapNumber: 0,
    lapStartTimeMs: null,
    elapsedMs: null,
    speedMetersPerSecond: null,
    sectorIndex: 0,
    sectorTimesMs: [],
    gapMs: null,
    lineGapMs: null,
    predictedLapTimeMs: null,
    metersAlong: null,
    lastLap: null,
    bestLapTimeMs: null,
  },
  laps: [],
  linesPassed: 0,
};

export const BEFORE_DRIVE: DriveState = {
  phase: 'before',
  source: null,
  signal: NO_SIGNAL,
  track: null,
  reference: null,
  recording: null,
  live: NOT_TIMED,
};

/** A recording in this browser, with what its page shows of it later. */
export type KeptRecording = {
  id: string;
  startedAtMs: number;
  endedAtMs: number | null;
  trackId: TrackId | null;
  trackName: string | null;
  sourceName: string;
  kind: StreamKind;
  /** `cut`: it was never ended. `kept`: it waits for its upload. `sent`: the server has its laps. */
  state: 'cut' | 'kept' | 'sent';
  laps: readonly LiveLap[];
};
