/** Describes a second video at one moment: where it is, where it should be, and how fast it has to run to stay there. */
export type Following = { wantedSeconds: number; shownSeconds: number; pace: number };

/** Says what brings it there: a jump, or a rate at which it plays. */
export type Correction = { seekSeconds: number | null; playbackRate: number };

/** A video that is further off jumps. */
export const JUMP_SECONDS = 0.3;
/** Seconds in which a smaller difference is made up for. */
const CATCH_UP_SECONDS = 0.5;
const CATCH_UP_SHARE_MAX = 0.5;
/** All browsers play at these rates. */
const RATE_MIN = 0.0625;
const RATE_MAX = 4;

function clampRate(rate: number): number {
  return Math.min(RATE_MAX, Math.max(RATE_MIN, rate));
}

/** Returns how a video gets to the place that the reference shows, and stays there. */
export function followPlace({ wantedSeconds, shownSeconds, pace }: Following): Correction {
  const behindSeconds = wantedSeconds - shownSeconds;
  if (!(Math.abs(behindSeconds) <= JUMP_SECONDS))
    return { seekSeconds: wantedSeconds, playbackRate: clampRate(pace) };
  const catchUp = Math.max(
    -CATCH_UP_SHARE_MAX,
    Math.min(CATCH_UP_SHARE_MAX, behindSeconds / CATCH_UP_SECONDS),
  );
  return { seekSeconds: null, playbackRate: clampRate(pace * (1 + catchUp)) };
}
