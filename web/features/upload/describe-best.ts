import type { LapId } from '#contract/ids.ts';
import type { UploadBest } from '#contract/upload/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { formatCount, formatSeconds } from '#web/ui/format.ts';
import { compareFasterFirst, type LapUrl, type TimedLap } from '#web/ui/lap-url.ts';

/** Formats the rank on the board as 'P3 of 24'. */
export function describeRank({ rank, drivers }: UploadBest): string {
  return `P${formatCount(rank)} of ${formatCount(drivers)}`;
}

/** Says in a sentence how the driver's own best has changed. */
export function describeImprovement({ isNew, lapTimeMs, previous }: UploadBest): string {
  if (!isNew) return `Your best stays ${formatLapTime(lapTimeMs)}.`;
  if (previous === null) return 'Your first time on this board.';
  return `${formatSeconds(previous.lapTimeMs - lapTimeMs)} s faster than your best before.`;
}

export type SectorGain = { name: string; gainMs: number };

/** Lists the sectors in which the driver was never faster before. */
export function listSectorGains({ sectors }: UploadBest): SectorGain[] {
  return sectors.flatMap(({ name, timeMs, previousTimeMs }) =>
    timeMs !== null && previousTimeMs !== null && timeMs < previousTimeMs
      ? [{ name, gainMs: previousTimeMs - timeMs }]
      : [],
  );
}

export type ComparedLap = { lapId: LapId; label: string; lapUrl: LapUrl };

/**
 * Lists the laps to compare the best one with: the nearest rival in the same car or class, else the next driver ahead; the
 * record; and the driver's own best before.
 */
export function listComparedLaps(best: UploadBest): ComparedLap[] {
  const { lapId, ahead, rival, record, previous } = best;
  const compared: ComparedLap[] = [];
  const add = (lap: TimedLap, label: string) =>
    compared.push({ lapId: lap.lapId, label, lapUrl: compareFasterFirst(lap, best) });
  const first = rival ?? ahead;
  if (first) add(first, first.userName + (rival ? `, same ${rival.shares}` : ''));
  if (record && record.lapId !== first?.lapId) add(record, 'Track record');
  if (previous && previous.lapId !== lapId) add(previous, 'Your best before');
  return compared;
}
