import type { UploadBest } from '#contract/uploads.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { formatCount, formatSeconds } from '#web/ui/format.ts';

/** The place on the board: 'P3 of 24'. */
export function describePlace({ rank, drivers }: UploadBest): string {
  return `P${formatCount(rank)} of ${formatCount(drivers)}`;
}

/** What has become of the driver's own best, in a sentence. */
export function describeImprovement({ isNew, lapTimeMs, previous }: UploadBest): string {
  if (!isNew) return `Your best stays ${formatLapTime(lapTimeMs)}.`;
  if (previous === null) return 'Your first time on this board.';
  return `${formatSeconds(previous.lapTimeMs - lapTimeMs)} s faster than your best before.`;
}

/** A sector that these files have made faster, and by how much. */
export type SectorGain = { name: string; gainMs: number };

/** The sectors in which the driver was never faster before. */
export function listSectorGains({ sectors }: UploadBest): SectorGain[] {
  return sectors.flatMap(({ name, timeMs, previousTimeMs }) =>
    timeMs !== null && previousTimeMs !== null && timeMs < previousTimeMs
      ? [{ name, gainMs: previousTimeMs - timeMs }]
      : [],
  );
}

/** A lap to compare the best one with. */
export type ComparedLap = { lapId: string; label: string };

/** The laps to compare the best one with: the next driver ahead, the record, and the own best before. */
export function listComparedLaps({ lapId, ahead, record, previous }: UploadBest): ComparedLap[] {
  const compared: ComparedLap[] = [];
  if (ahead) compared.push({ lapId: ahead.lapId, label: ahead.userName });
  if (record && record.lapId !== ahead?.lapId) compared.push({ lapId: record.lapId, label: 'Track record' });
  if (previous && previous.lapId !== lapId) {
    compared.push({ lapId: previous.lapId, label: 'Your best before' });
  }
  return compared;
}

/** The page of a lap, beside another one where `otherId` is given. */
export function lapPath(trackId: string, lapId: string, otherId?: string): string {
  const search = new URLSearchParams({ lap: lapId, ...(otherId !== undefined && { vs: otherId }) });
  return `/track/${encodeURIComponent(trackId)}?${search.toString()}`;
}
