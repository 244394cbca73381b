/** Says which moment of the lap file a moment of a video shows. Times of the lap file are its own clock, in milliseconds since 1970. */
export type Anchor = { videoSeconds: number; timeMs: number };

/** Maps seconds of a video to the clock of a lap file: `timeMs` is shown at `videoSeconds`, and a video second lasts `rate` seconds. */
export type VideoClock = Anchor & { rate: number };

/** Two anchors nearer to each other than this say less about the clock's rate than quartz does by itself. */
export const ANCHORS_APART_SECONDS_MIN = 10;
/** Quartz is a thousand times better; a larger difference means that an anchor is wrong. */
export const RATE_DIFFERENCE_MAX = 0.02;

/** Returns the clock that anchors give: one sets the offset, two also the drift. Null for none, and for two that contradict each other. */
export function fitVideoClock(anchors: readonly Anchor[]): VideoClock | null {
  const [first, second] = anchors.toSorted((a, b) => a.videoSeconds - b.videoSeconds);
  if (first === undefined) return null;
  if (second === undefined) return { ...first, rate: 1 };
  const apartSeconds = second.videoSeconds - first.videoSeconds;
  if (apartSeconds < ANCHORS_APART_SECONDS_MIN) return null;
  const rate = (second.timeMs - first.timeMs) / 1_000 / apartSeconds;
  return Math.abs(rate - 1) <= RATE_DIFFERENCE_MAX ? { ...first, rate } : null;
}

/** Returns the moment of the lap file that the video shows. */
export function toTimeMs(clock: VideoClock, videoSeconds: number): number {
  return clock.timeMs + (videoSeconds - clock.videoSeconds) * clock.rate * 1_000;
}

/** Returns the moment of the video that shows a moment of the lap file. */
export function toVideoSeconds(clock: VideoClock, timeMs: number): number {
  return clock.videoSeconds + (timeMs - clock.timeMs) / 1_000 / clock.rate;
}

/** Returns the clock after the picture was moved by some seconds of the video against the lap. */
export function shiftClock(clock: VideoClock, videoSeconds: number): VideoClock {
  return { ...clock, videoSeconds: clock.videoSeconds + videoSeconds };
}

/**
 * Adds an anchor to those of a video. It takes the place of one that is so near that both cannot set a rate, else of the nearer of
 * two; an older one that contradicts it goes too.
 */
export function addAnchor(anchors: readonly Anchor[], anchor: Anchor): Anchor[] {
  const distance = (other: Anchor) => Math.abs(other.videoSeconds - anchor.videoSeconds);
  const [nearest, farthest] = anchors.toSorted((a, b) => distance(a) - distance(b));
  const kept = anchors.length < 2 ? nearest : farthest;
  if (kept === undefined || distance(kept) < ANCHORS_APART_SECONDS_MIN) return [anchor];
  return fitVideoClock([kept, anchor]) ? [kept, anchor] : [anchor];
}

/** Writes a clock as anchors at two moments of the lap file, or at one where they lie too close for a rate. */
export function toAnchors(clock: VideoClock, fromMs: number, toMs: number): Anchor[] {
  const anchorAt = (timeMs: number) => ({ videoSeconds: toVideoSeconds(clock, timeMs), timeMs });
  const anchors = [anchorAt(fromMs), anchorAt(toMs)];
  return clock.rate !== 1 && fitVideoClock(anchors) ? anchors : [anchorAt(fromMs)];
}
