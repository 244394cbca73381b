import { at } from '../../fix-columns.ts';
import type { LoggerLap } from '../../lap-file.ts';

/**
 * Finds the laps of a logger that writes the number of the current lap into every row. A lap counts where both its beginning and
 * its end are in the file. Loggers without a row at the crossing itself switch the number at the first row after it.
 */
export class LapNumberRuns {
  readonly #laps: { number: number; startIndex: number; endIndex: number }[] = [];
  #number: number | null = null;
  /** The fix at which the current run began; null where the file or a new recording began in the middle of it. */
  #startIndex: number | null = null;
  #lastCrossing = -1;

  /**
   * Notes the lap of the fix at `fixIndex`. Numbers below 1 and NaN are no lap. `isCrossing` tells that this fix is one that the
   * logger has put exactly on a line.
   */
  see(lapNumber: number, fixIndex: number, isCrossing = false): void {
    const number = lapNumber >= 1 ? lapNumber : 0;
    if (number !== this.#number) {
      this.#close(isCrossing || this.#lastCrossing !== fixIndex - 1 ? fixIndex : fixIndex - 1);
      this.#startIndex = this.#number === null ? null : fixIndex;
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

  /** The complete laps in driving order. `timesMs` are the times of the fixes. */
  finish(timesMs: Float64Array): LoggerLap[] {
    return this.#laps
      .filter(({ endIndex }) => at(timesMs, endIndex) - at(timesMs, endIndex - 1) <= LONGEST_STEP_MS)
      .map(({ number, startIndex, endIndex }) => {
        const startTimeMs = at(timesMs, startIndex);
        return { number, lapTimeMs: at(timesMs, endIndex) - startTimeMs, startTimeMs };
      })
      .filter((lap) => lap.lapTimeMs > 0);
  }

  #close(endIndex: number): void {
    if (this.#number === null || this.#number === 0 || this.#startIndex === null) return;
    this.#laps.push({ number: this.#number, startIndex: this.#startIndex, endIndex });
  }
}

// A lap whose last row is followed by a break was not finished: the next row belongs to another stint.
const LONGEST_STEP_MS = 10_000;
