import type { FixColumns } from './fix-columns.ts';
import type { TimingLine } from './timing-line.ts';

/** Why a row of a lap file did not become a fix, or a fix did not become part of the trace. */
export type DropReason =
  | 'unreadable_row'
  | 'no_time'
  | 'no_position'
  | 'out_of_range'
  | 'held_position'
  | 'repeated_time'
  | 'clock_went_back'
  | 'impossible_jump';

/** Describes how many rows were dropped, by reason; reasons that did not occur are absent. */
export type DropCounts = Partial<Record<DropReason, number>>;

/**
 * Describes what the times of the fixes count from: `utc` the Unix epoch, `local` the same with the clock of an unknown
 * time zone, `time_of_day` midnight (UTC), `elapsed` some moment of the recording that the file does not tell.
 */
export type Clock = 'utc' | 'local' | 'time_of_day' | 'elapsed';

export type LoggerLap = {
  number: number;
  lapTimeMs: number;
  /** Start on the clock of the fixes; null where the file gives only the duration. */
  startTimeMs: number | null;
  /** Standard deviation that the resolution of what marks the lap leaves in its time: the steps of rows, or the last digit written. */
  roundingMs: number;
};

/** Holds the receiver's claim about its positions: one standard deviation, at rising times of the fixes' clock. */
export type ReceiverAccuracy = { timesMs: Float64Array; meters: Float64Array };

/** Holds what a lap file says after reading and before any check, in the units of the engine. */
export type LapFile = {
  /** Stable name of the format, for machines: `racechrono-csv-v3`. */
  format: string;
  fixes: FixColumns;
  /** Index of the first fix of every part that the file itself keeps apart, such as a GPX segment; begins with 0. */
  partStarts: number[];
  clock: Clock;
  dropped: DropCounts;
  loggerLaps: LoggerLap[];
  /** Fixes a second of the receiver, where the file states it: its rows may be as many as those of the quickest sensor. */
  receiverRateHz: number | null;
  /** The line that the logger itself timed on, where the file has it. */
  startFinishLine: TimingLine | null;
  /** Accuracy that the receiver states; null where the file has none. */
  accuracy: ReceiverAccuracy | null;
  /** Times of the first fix after every hole that the file itself marks: nothing is interpolated across it, however short it is. */
  holeTimesMs?: readonly number[];
  /** True where a simulator wrote the file: it never ranks beside real drives. False where nothing in the file names one. */
  isSimulated: boolean;
};

/** The bytes are not a lap file that can be read. The message is one sentence for the driver. */
export class UnreadableLapFileError extends Error {
  override readonly name = 'UnreadableLapFileError';
}
