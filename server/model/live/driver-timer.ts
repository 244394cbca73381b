import type { LiveFix } from '#contract/live/schemas.ts';
import { LiveTiming } from '#engine/live/live-timing.ts';
import { unknownFix } from '#engine/receivers/live-fix.ts';
import type { Track } from '#engine/track.ts';
import { addEvent, addFix, type DriverProgress } from './driver-progress.ts';

/** Times one driver with the engine's live timing, which holds the fixes of a lap: nearly 800 KiB. */
export class DriverTimer {
  readonly #timing: LiveTiming;
  readonly #isStage: boolean;

  constructor(track: Track) {
    this.#timing = new LiveTiming({ track });
    this.#isStage = Boolean(track.finishLine);
  }

  /** Takes fixes whose crossings are known already. */
  repeat(fixes: readonly LiveFix[]): void {
    for (const fix of fixes) this.#timing.feed(toEngineFix(fix));
  }

  /** Takes the next fixes; returns the progress after them, and whether a lap has begun. */
  add(before: DriverProgress, fixes: readonly LiveFix[]): { progress: DriverProgress; hasStarted: boolean } {
    let progress = before;
    let hasStarted = false;
    for (const fix of fixes) {
      for (const event of this.#timing.feed(toEngineFix(fix))) {
        progress = addEvent(progress, event, { at: fix[0], isStage: this.#isStage });
        hasStarted ||= event.kind === 'start';
      }
      progress = addFix(progress, fix);
    }
    return { progress, hasStarted };
  }
}

function toEngineFix([timeMs, latitude, longitude, speed, accuracy]: LiveFix) {
  const known = { timeMs, latitude, longitude, speedMetersPerSecond: speed, accuracyMeters: accuracy };
  return { ...unknownFix(timeMs), ...known };
}
