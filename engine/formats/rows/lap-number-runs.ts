import { at } from '../../fix-columns.ts';
import type { LoggerLap } from '../../lap-file.ts';
import { EXACT_STEP_MS, LONGEST_STEP_MS, roundingBetween, rowStepMs } from './lap-rounding.ts';

type Run = {
  number: number;
  startIndex: number;
  endIndex: number;
  isStartExact: boolean;
  isEndExact: boolean;
};

/**
 * Finds the laps of a logger that writes the number of the current lap into every row. A lap counts where both its beginning and
 * its end are in the file. Loggers without a row at the crossing itself switch the number at the first row after it.
 */
export class LapNumberRuns {
  readonly #laps: Run[] = [];
  #number: number | null = null;
  /** The fix at which the current run began; null where the file or a new recording began in the middle of it. */
  #startIndex: number | null = null;
  #isStartExact = false;
  #lastCrossing = -1;

  /** Records the lap of a fix; numbers below 1 and NaN are none. `isCrossing`: the logger put it exactly on a line. */
  see(lapNumber: number, fixIndex: number, isCrossing = false): void {
    const number = lapNumber >= 1 ? lapNumber : 0;
    if (number !== this.#number) {
      const isBehindCrossing = !isCrossing && this.#lastCrossing === fixIndex - 1;
      this.#close(isBehindCrossing ? fixIndex - 1 : fixIndex, isCrossing || isBehindCrossing);
      this.#startIndex = this.#number === null ? null : fixIndex;
      this.#isStartExact = isCrossing;
      this.#number = number;
    }
    if (isCrossing) this.#lastCrossing = fixIndex;
  }

  /** The recording was interrupted: the lap before has no end, and that after it no beginning. */
  interrupt(): void {
    this.#number = null;
    this.#startIndex = null;
    this.#lastCrossing = -1;
  }

  /** Returns the complete laps in driving order. `timesMs` are the times of the fixes. */
  finish(timesMs: Float64Array): LoggerLap[] {
    return this.#laps
      .filter(({ startIndex, endIndex }) => isUnbroken(timesMs, startIndex, endIndex))
      .map(({ number, startIndex, endIndex, isStartExact, isEndExact }) => {
        const startTimeMs = at(timesMs, startIndex);
        const roundingMs = roundingBetween(
          isStartExact ? EXACT_STEP_MS : rowStepMs(timesMs, startIndex),
          isEndExact ? EXACT_STEP_MS : rowStepMs(timesMs, endIndex),
        );
        return { number, lapTimeMs: at(timesMs, endIndex) - startTimeMs, startTimeMs, roundingMs };
      })
      .filter((lap) => lap.lapTimeMs > 0);
  }

  #close(endIndex: number, isEndExact: boolean): void {
    if (this.#number === null || this.#number === 0 || this.#startIndex === null) return;
    const [startIndex, isStartExact] = [this.#startIndex, this.#isStartExact];
    this.#laps.push({ number: this.#number, startIndex, endIndex, isStartExact, isEndExact });
  }
}

/**
 * Returns whether the lap was recorded to its end, and the clock went back neither in it nor in the row before, which
 * may be in the wrong order. A lap whose last row is followed by a break was not finished: the next row belongs to
 * another stint.
 */
function isUnbroken(timesMs: Float64Array, startIndex: number, endIndex: number): boolean {
  for (let index = Math.max(1, startIndex - 1); index <= endIndex; index += 1) {
    if (at(timesMs, index) - at(timesMs, index - 1) < -LONGEST_STEP_MS) return false;
  }
  return at(timesMs, endIndex) - at(timesMs, endIndex - 1) <= LONGEST_STEP_MS;
}
