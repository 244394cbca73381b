import type { TrackId } from '#contract/ids.ts';

type DrivenSession = { trackId: TrackId; bestLapTimeMs: number | null };

export type SessionBests = {
  /** The best ranking lap of each session, the first session first. */
  timesMs: number[];
  /** The best lap of all is this much faster than that of the first session. */
  gainMs: number;
};

/** Compares the sessions of a driver on a track, given newest first; null with fewer than two that have a ranking lap. */
export function compareSessionBests(
  sessions: readonly DrivenSession[],
  trackId: TrackId,
): SessionBests | null {
  const timesMs = sessions
    .filter((session) => session.trackId === trackId)
    .flatMap(({ bestLapTimeMs }) => bestLapTimeMs ?? [])
    .toReversed();
  const [firstMs] = timesMs;
  if (firstMs === undefined || timesMs.length < 2) return null;
  return { timesMs, gainMs: firstMs - Math.min(...timesMs) };
}

export type Box = { width: number; height: number; padding: number };

/** Places the times evenly from left to right; the fastest is at the bottom. */
export function placeTimes(timesMs: readonly number[], box: Box): { x: number; y: number }[] {
  const [fastest, slowest] = [Math.min(...timesMs), Math.max(...timesMs)];
  const [width, height] = [box.width - 2 * box.padding, box.height - 2 * box.padding];
  return timesMs.map((timeMs, index) => ({
    x: box.padding + (width * index) / Math.max(1, timesMs.length - 1),
    y: box.padding + height * (slowest === fastest ? 0.5 : (slowest - timeMs) / (slowest - fastest)),
  }));
}
