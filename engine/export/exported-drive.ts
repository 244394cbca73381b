import type { FixColumns } from '../fix-columns.ts';
import type { Clock, LapFile } from '../lap-file.ts';
import type { TimingLine } from '../timing-line.ts';
import type { Lap } from '../timing/laps.ts';
import { unwrapMidnight } from '../trace/timestamps.ts';

/** Holds a drive, or one lap of it, that is to be written as a file for other programs. */
export type ExportedDrive = {
  /** Says on one line what was driven; the writers escape it. */
  title: string;
  clock: Clock;
  fixes: FixColumns;
  /** Index of the first fix of every part; begins with 0. */
  partStarts: readonly number[];
  /** Fixes a second of the receiver, where the rows are more than its fixes. */
  receiverRateHz: number | null;
  /** In driving order, on the clock of the fixes. */
  laps: readonly Pick<Lap, 'number' | 'startTimeMs' | 'lapTimeMs'>[];
  startFinishLine: TimingLine | null;
};

/** Writes a drive in pieces, so that a long one is never whole in memory. */
export type DriveWriter = (drive: ExportedDrive) => Iterable<string>;

/** Returns the drive of a lap file as it was read, so that reading the export again gives the same laps. */
export function toExportedDrive(
  lapFile: LapFile,
  described: Pick<ExportedDrive, 'title' | 'laps' | 'startFinishLine'>,
): ExportedDrive {
  const { clock, fixes, partStarts, receiverRateHz } = lapFile;
  const unwrapped = clock === 'time_of_day' ? unwrapMidnight(fixes) : fixes;
  return { ...described, clock, fixes: unwrapped, partStarts, receiverRateHz };
}

/** Returns a drive on the clock of UTC, where its times begin at `firstMs` on a clock of their own and at `startMs` in UTC. */
export function inUtc(drive: ExportedDrive, firstMs: number, startMs: number): ExportedDrive {
  if (drive.clock === 'utc') return drive;
  const { fixes, laps } = drive;
  const toUtc = (timeMs: number): number => timeMs - firstMs + startMs;
  return {
    ...drive,
    clock: 'utc',
    fixes: { ...fixes, timesMs: fixes.timesMs.map(toUtc) },
    laps: laps.map((lap) => ({ ...lap, startTimeMs: toUtc(lap.startTimeMs) })),
  };
}

/** Returns whether the times of a drive tell its date. */
export function hasDate({ clock }: Pick<ExportedDrive, 'clock'>): boolean {
  return clock === 'utc' || clock === 'local';
}

/** Returns a text on one line, without characters that no format may hold. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029\uFFFE\uFFFF]+/gu, ' ').trim();
}
