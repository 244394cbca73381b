import type { LoggerLap } from '../../lap-file.ts';
import { median } from '../../statistics.ts';
import { roundingBetween } from '../rows/lap-rounding.ts';

type Counted = { number: number; written: number; endTimeMs: number; sinceMs: number };

/** Finds the laps in RaceCapture's columns `LapCount` and `LapTime`. */
export class RaceCaptureLaps {
  readonly #laps: Counted[] = [];
  #count = Number.NaN;
  #hasZeroSince = false;
  #beganMs = Number.NaN;
  #lastTimeMs = Number.NaN;

  /** Records the cells of one row; NaN for those that are empty. */
  see(lapCount: number, lapTime: number, timeMs: number): void {
    if (!Number.isNaN(timeMs)) {
      if (Number.isNaN(this.#beganMs)) this.#beganMs = timeMs;
      this.#lastTimeMs = timeMs;
    }
    if (Number.isNaN(lapCount)) return;
    // A 0 among higher numbers is an empty cell that a converter has filled, unless a lower number follows.
    const isZero = lapCount === 0 && this.#count > 0;
    const isRestarted = this.#hasZeroSince && lapCount < this.#count;
    this.#hasZeroSince = isZero;
    if (isZero) return;
    const hasGoneUp = lapCount > this.#count || isRestarted;
    this.#count = lapCount;
    if (!hasGoneUp) return;
    const sinceMs = this.#lastTimeMs - this.#beganMs;
    this.#beganMs = this.#lastTimeMs;
    if (lapTime > 0)
      this.#laps.push({ number: lapCount, written: lapTime, endTimeMs: this.#lastTimeMs, sinceMs });
  }

  /** Returns the laps in driving order. A lap that took longer than there are rows for was not driven in this log. */
  finish(): LoggerLap[] {
    const unitMs = this.#unitMs();
    const rounded = this.#laps.map((lap) => Math.round((lap.written * unitMs) / TENTH_MS) * TENTH_MS);
    const areTenths = this.#laps.every(
      (lap, index) => Math.abs(lap.written * unitMs - (rounded[index] ?? 0)) <= LOST_DIGITS_MS,
    );
    return this.#laps.flatMap(({ number, written, endTimeMs, sinceMs }, index) => {
      const lapTimeMs = areTenths ? (rounded[index] ?? 0) : Math.round(written * unitMs);
      if (!(lapTimeMs > 0) || lapTimeMs > sinceMs + SLACK_MS) return [];
      const startTimeMs = Number.isNaN(endTimeMs) ? null : endTimeMs - lapTimeMs;
      return [{ number, lapTimeMs, startTimeMs, roundingMs: NEAREST_FIX_ROUNDING_MS }];
    });
  }

  /** Minutes, whatever the header says, unless seconds fit the clock better. */
  #unitMs(): number {
    const units = this.#laps.slice(1).map(({ written, sinceMs }) => sinceMs / written);
    const usual = median(units.filter((unit) => unit > 0));
    return usual !== null && usual < SECONDS_BELOW_MS ? SECOND_MS : MINUTE_MS;
  }
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
/** The limit lies between the two, and closer to the seconds. */
const SECONDS_BELOW_MS = 5000;

const TENTH_MS = 100;
/** The firmware times by the fixes, ten a second, at either end. */
const NEAREST_FIX_ROUNDING_MS = roundingBetween(TENTH_MS, TENTH_MS);
/** Half of the last of three decimals of a minute. */
const LOST_DIGITS_MS = 30;

/** The row that gives a lap time comes up to a second after the pass. */
const SLACK_MS = 2000;
