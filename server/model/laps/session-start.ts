import type { Clock } from '#engine/lap-file.ts';
import { fromWallClock } from '#server/model/tracks/local-time.ts';

// GPS knows no earlier day, and a receiver that has not found the date yet often writes its first one.
const EARLIEST_MS = Date.UTC(1990, 0, 1);
// Clocks run fast by minutes, and a local time that was written as UTC lies up to 14 hours ahead.
const AHEAD_MAX_MS = 24 * 60 * 60 * 1000;

/** Returns the file's own time, if plausible, else that of the upload. A clock without a zone is the track's. */
export function sessionStart(
  { clock, startTimeMs }: { clock: Clock; startTimeMs: number | null },
  timeZone: string,
  uploadedAt: Date,
): Date {
  if (startTimeMs === null) return uploadedAt;
  const isPossible = startTimeMs >= EARLIEST_MS && startTimeMs <= uploadedAt.getTime() + AHEAD_MAX_MS;
  if (!isPossible) return uploadedAt;
  return clock === 'local' ? fromWallClock(startTimeMs, timeZone) : new Date(startTimeMs);
}
