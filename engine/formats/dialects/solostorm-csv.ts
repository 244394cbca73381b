/**
 * SoloStorm's CSV export, from an app for autocross.
 *
 * - `LAT (deg)` and `LONG (deg)` are the position, `SPEED (m/s)` its speed. Columns that begin with `MATH_` are calculated.
 * - `GPS_TIME (ms)` is the clock of the receiver; older exports have only `MATH_ELAPSED_TIME`, milliseconds without saying so.
 * - `MATH_LAP_NUMBER` numbers the runs, and a run includes the wait for its start and the way back. `MATH_SECTOR_NUMBER` is 1 before the
 *   start line, 2 behind it and one more behind every further line; the highest number of the file lies behind the finish.
 */
import { at } from '../../fix-columns.ts';
import type { LoggerLap } from '../../lap-file.ts';
import { findColumn } from '../text/csv-header.ts';
import { roundingBetween, rowStepMs } from '../rows/lap-rounding.ts';
import { degrees, hasLineWith, numericTime, readFixTable, requireTable } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';

export const soloStormCsv: LapFileFormat = {
  format: 'solostorm-csv',
  name: 'SoloStorm CSV',
  recognise: ({ head }) => hasLineWith(head, ['lat (deg)', 'long (deg)', 'math_']),
  read: readSoloStorm,
};

function readSoloStorm({ bytes }: LapFileText): ReturnType<LapFileFormat['read']> {
  const timeNames = ['gps time', 'math elapsed time', 'time'];
  const table = requireTable(
    bytes,
    [timeNames, ['lat'], ['long']],
    'This SoloStorm file has no column with times; export it with GPS_TIME or MATH_ELAPSED_TIME.',
  );
  const column = (...names: string[]) => findColumn(table.heads, names);
  const runs = new SectorRuns();
  return readFixTable(table, {
    position: degrees(column('lat'), column('long')),
    time: numericTime(column(...timeNames), 'ms'),
    speed: column('speed'),
    onFix: {
      columns: [column('math lap number'), column('math sector number')],
      see: (row, slot, fixIndex) => runs.see(row.number(slot), row.number(slot + 1), fixIndex),
    },
    findLaps: (timesMs) => runs.finish(timesMs),
  });
}

/** One run: its first fix behind the start line, and the first one in the highest sector that it came to. */
type Run = { number: number; startIndex: number; endIndex: number; sector: number };

class SectorRuns {
  readonly #runs: Run[] = [];
  #number = Number.NaN;
  #highest = 0;

  see(number: number, sector: number, fixIndex: number): void {
    const run = this.#runs.at(-1);
    if (sector === START_SECTOR && number !== this.#number) {
      this.#runs.push({ number, startIndex: fixIndex, endIndex: fixIndex, sector });
      this.#number = number;
    } else if (run !== undefined && run.number === number && sector > run.sector) {
      run.sector = sector;
      run.endIndex = fixIndex;
      this.#highest = Math.max(this.#highest, sector);
    }
  }

  /** The runs that came to the finish. */
  finish(timesMs: Float64Array): LoggerLap[] {
    return this.#runs
      .filter(({ sector }) => sector > START_SECTOR && sector === this.#highest)
      .map(({ number, startIndex, endIndex }) => {
        const startTimeMs = at(timesMs, startIndex);
        const roundingMs = roundingBetween(rowStepMs(timesMs, startIndex), rowStepMs(timesMs, endIndex));
        return { number, lapTimeMs: at(timesMs, endIndex) - startTimeMs, startTimeMs, roundingMs };
      })
      .filter(({ lapTimeMs }) => lapTimeMs > 0);
  }
}

const START_SECTOR = 2;
