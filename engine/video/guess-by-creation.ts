import { MINUTE_MS } from '../durations.ts';
import type { VideoClock } from './video-clock.ts';

/** Says when a video was begun, by the camera's own clock, and how long it is. */
export type Creation = { creationMs: number; durationSeconds: number };

/** States what a lap file knows: when a lap was driven, and how far the track's clocks are ahead of UTC. */
export type DrivenLap = { startMs: number; lapTimeMs: number; utcOffsetMinutes: number };

export type CreationGuess = { kind: 'one'; clock: VideoClock } | { kind: 'several' } | { kind: 'none' };

/**
 * Guesses by the time of creation. Cameras write it in UTC or as the time on their display, and some at the end of the recording. A guess
 * counts only if exactly one of these readings shows the whole lap.
 */
export function guessByCreation(
  { creationMs, durationSeconds }: Creation,
  { startMs, lapTimeMs, utcOffsetMinutes }: DrivenLap,
): CreationGuess {
  const durationMs = durationSeconds * 1_000;
  const localMs = creationMs - utcOffsetMinutes * MINUTE_MS;
  const begins = [...new Set([creationMs, localMs])].flatMap((ms) => [ms, ms - durationMs]);
  const fitting = begins.filter((ms) => ms <= startMs && startMs + lapTimeMs <= ms + durationMs);
  const [begin, other] = fitting;
  if (begin === undefined) return { kind: 'none' };
  if (other !== undefined) return { kind: 'several' };
  return { kind: 'one', clock: { videoSeconds: 0, timeMs: begin, rate: 1 } };
}
