import { at } from '../../fix-columns.ts';
import type { LoggerLap } from '../../lap-file.ts';
import { median } from '../../statistics.ts';
import { roundingOfWritten } from '../rows/lap-rounding.ts';
import { DAY_MS } from '../../durations.ts';

type LapRow = { number: number; lapTimeMs: number; distance: number; startIndex: number };

/** Finds the laps as the rows of Harry's LapTimer number them. The last row of a lap has its time and its length. */
export class HarrysLaps {
  readonly #laps: LapRow[] = [];

  /** Records a row: the time and the distance since the lap began, in any one unit, and the index of its fix. */
  see(row: LapRow): void {
    const last = this.#laps.at(-1);
    if (Number.isNaN(row.number) || !(row.lapTimeMs >= 0)) return;
    if (last === undefined || last.number !== row.number) {
      this.#laps.push(row);
    } else {
      last.lapTimeMs = Math.max(last.lapTimeMs, row.lapTimeMs);
      last.distance = row.distance;
    }
  }

  /** Removes the lap with this number, which was cut off, if it is the last one. */
  dropLast(number: number): void {
    if (this.#laps.at(-1)?.number === number) this.#laps.pop();
  }

  /** Returns the laps in driving order, without the visits to the pits. */
  finish(timesMs: Float64Array): LoggerLap[] {
    const usual = median(this.#laps.map((lap) => lap.distance)) ?? Number.NaN;
    const roundingMs = roundingOfWritten(this.#laps.map((lap) => lap.lapTimeMs));
    return this.#laps
      .filter((lap) => lap.lapTimeMs > 0 && !(lap.distance < SHORTEST_LAP_SHARE * usual))
      .map(({ number, lapTimeMs, startIndex }) => ({
        number,
        lapTimeMs,
        startTimeMs: at(timesMs, startIndex),
        roundingMs,
      }));
  }
}

/** Less of a usual lap was a visit to the pits. */
const SHORTEST_LAP_SHARE = 0.5;

/** No lap lasts a day: the clock of such a row was wrong. */
export const HARRYS_LONGEST_LAP_MS = DAY_MS;
