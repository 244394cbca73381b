import type { CenterLine } from '../center-line.ts';
import { planeX, planeY, type Position } from '../geo.ts';
import { findCrossings, WINDOW_MS, type Crossing } from '../timing/crossings.ts';
import { isMostlyForward } from '../timing/lap-spans.ts';
import { keepPartOfOutline } from '../timing/line-parts.ts';
import type { LineFrame } from '../timing-line.ts';
import type { FixWindow } from './fix-window.ts';

/** Describes a crossing in the direction of the laps. A later one of the same `id` says more exactly when it was. */
export type LiveCrossing = { id: number; timeMs: number; isFinal: boolean };

/** A car that has not gone this far from the line since has not crossed it again. */
const LEAVING_METERS = 25;
/** A position beside the end of the line by less than this is looked at more closely. */
const ASIDE_METERS = 3;
/** So many crossings tell the direction of the laps, and no more are kept. */
const CROSSINGS_MAX = 60;
/** The crossing found again later lies within so much of the one found at once. */
const SAME_MS = 1500;

/** Watches one line: says when the car crosses it, at once, and once more when the fixes behind it are there. */
export class LineWatch {
  readonly #frame: LineFrame;
  readonly #centerLine: CenterLine | null;
  #crossings: Crossing[] = [];
  #lastId = 0;
  #pending: { id: number; crossing: Crossing } | null = null;
  /** True from a crossing until the car is away from the line. */
  #isAtLine = false;

  constructor(frame: LineFrame, centerLine: CenterLine | null) {
    this.#frame = frame;
    this.#centerLine = centerLine;
  }

  /** Looks at the step to the last fix, which was at `timeMs`; returns the crossings that it brings. */
  see(window: FixWindow, timeMs: number): LiveCrossing[] {
    const found: LiveCrossing[] = [];
    const settled = this.#settle(window, timeMs);
    if (settled !== null) found.push(settled);
    if (window.length < 2) return found;
    const [before, after] = [this.#seen(window.position(1)), this.#seen(window.position(0))];
    if (this.#isAtLine && Math.abs(after.ahead) > LEAVING_METERS) this.#isAtLine = false;
    if (this.#isAtLine || before.ahead < 0 === after.ahead < 0) return found;
    const share = before.ahead / (before.ahead - after.ahead);
    const aside = before.aside + share * (after.aside - before.aside);
    if (Math.abs(aside) > this.#frame.halfWidthMeters + ASIDE_METERS) return found;
    const crossing = this.#find(window, timeMs);
    if (crossing !== null) this.#take(crossing, found);
    return found;
  }

  /** Forgets a crossing that was not settled: the fixes behind it are lost. */
  interrupt(): void {
    this.#pending = null;
    this.#isAtLine = false;
  }

  #seen({ lat, lon }: Position): { ahead: number; aside: number } {
    const { plane, forward, right } = this.#frame;
    const [x, y] = [planeX(plane, lon), planeY(plane, lat)];
    return { ahead: x * forward.x + y * forward.y, aside: x * right.x + y * right.y };
  }

  #take(crossing: Crossing, found: LiveCrossing[]): void {
    this.#isAtLine = true;
    this.#crossings = [...this.#crossings.slice(1 - CROSSINGS_MAX), crossing];
    if (!this.#isOfLaps(crossing)) return;
    this.#lastId += 1;
    this.#pending = { id: this.#lastId, crossing };
    found.push({ id: this.#lastId, timeMs: crossing.timeMs, isFinal: false });
  }

  #isOfLaps(crossing: Crossing): boolean {
    const ofPart =
      this.#centerLine === null
        ? this.#crossings
        : keepPartOfOutline(this.#crossings, this.#centerLine, this.#frame);
    return ofPart.includes(crossing) && crossing.isForward === isMostlyForward(ofPart);
  }

  /** Finds the crossing again with the fixes behind it, once these are there. */
  #settle(window: FixWindow, timeMs: number): LiveCrossing | null {
    const pending = this.#pending;
    if (pending === null) return null;
    const { crossing } = pending;
    if (timeMs < crossing.timeMs + WINDOW_MS + crossing.intervalMs) return null;
    this.#pending = null;
    const again = this.#find(window, crossing.timeMs);
    const isSame = again !== null && again.isForward === crossing.isForward;
    return { id: pending.id, timeMs: isSame ? again.timeMs : crossing.timeMs, isFinal: true };
  }

  #find(window: FixWindow, nearMs: number): Crossing | null {
    const near = findCrossings(window.measure(), this.#frame).filter(
      (crossing) => Math.abs(crossing.timeMs - nearMs) < SAME_MS + crossing.intervalMs,
    );
    return near.at(-1) ?? null;
  }
}
