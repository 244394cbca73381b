import { placeAt, timeAt, type TimedPlaces } from '#engine/video/timed-places.ts';
import { toVideoSeconds, type VideoClock } from '#engine/video/video-clock.ts';
import type { Chapter } from './file-player.ts';

/** One video of a clip, in step with its lap. */
export type ClipSide = {
  name: string;
  chapters: readonly Chapter[];
  clock: VideoClock;
  places: TimedPlaces;
  lapStartMs: number;
  speedsKmh: ArrayLike<number>;
  /** Holds the times that its page shows; null for a sector that was not timed. */
  sectorTimesMs: readonly (number | null)[];
  /** False for the lap that the gaps are against. */
  hasGap: boolean;
};

/** One frame of a clip: the place, and for each side the time since the start of its lap and the second of its video. */
export type ClipFrame = {
  meters: number;
  sides: readonly { elapsedMs: number; seconds: number }[];
};

/** Lists the frames of a clip: the first lap at its own pace, the others at the same place. */
export function planClip(sides: readonly ClipSide[], framesPerSecond: number): ClipFrame[] {
  const [leader] = sides;
  if (!leader) return [];
  const lapTimeMs = leader.places.elapsedMs[leader.places.elapsedMs.length - 1] ?? 0;
  const count = Math.floor((lapTimeMs / 1_000) * framesPerSecond) + 1;
  return Array.from({ length: count }, (_, frame) => {
    const elapsedMs = (frame * 1_000) / framesPerSecond;
    const meters = placeAt(leader.places, elapsedMs);
    return {
      meters,
      sides: sides.map((side) => {
        const ownMs = side === leader ? elapsedMs : timeAt(side.places, meters);
        return { elapsedMs: ownMs, seconds: toVideoSeconds(side.clock, side.lapStartMs + ownMs) };
      }),
    };
  });
}
