/**
 * Reads the log of Drogger, the lap timer and data logger for motorcycles by BizStation.
 *
 * - UTF-8 with a byte-order mark; the throttle is called `ThrottolePos`.
 * - 0/0 where the receiver has no fix.
 * - `RunTime` counts from the start of the recording. `Lap` numbers the laps, below 1 outside of them; `LapTime`, in
 *   milliseconds, is filled in towards the end of the lap that it is the time of.
 */
import type { LoggerLap } from '../../lap-file.ts';
import { findColumn } from '../text/csv-header.ts';
import { degrees, hasLineWith, numericTime, readFixTable, requireTable } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';
import { LapNumberRuns } from '../rows/lap-number-runs.ts';
import { roundingOfWritten } from '../rows/lap-rounding.ts';

export const droggerCsv: LapFileFormat = {
  format: 'drogger-csv',
  name: 'Drogger CSV',
  recognise: ({ head }) => hasLineWith(head, ['laptime', 'latitude', 'longitude', 'runtime']),
  read: readDrogger,
};

function readDrogger({ bytes }: LapFileText): ReturnType<LapFileFormat['read']> {
  const table = requireTable(
    bytes,
    [['runtime'], ['latitude'], ['longitude']],
    'This Drogger file has no positions in it; check that the receiver had a GPS fix.',
  );
  const column = (name: string) => findColumn(table.heads, [name]);
  const runs = new LapNumberRuns();
  const lapTimesMs = new Map<number, number>();
  return readFixTable(table, {
    position: degrees(column('latitude'), column('longitude')),
    time: numericTime(column('runtime')),
    speed: column('speed'),
    speedUnit: 'km/h',
    onFix: {
      columns: [column('lap'), column('laptime')],
      see: (row, slot, fixIndex) => {
        const lapNumber = row.number(slot);
        const lapTimeMs = row.number(slot + 1);
        runs.see(lapNumber, fixIndex);
        if (lapTimeMs > 0) lapTimesMs.set(lapNumber, lapTimeMs);
      },
    },
    findLaps: (timesMs) => {
      const roundingMs = roundingOfWritten([...lapTimesMs.values()]);
      return runs
        .finish(timesMs)
        .map((lap) => withLapTime(lap, { lapTimeMs: lapTimesMs.get(lap.number) ?? Number.NaN, roundingMs }));
    },
  });
}

/** Returns the time that the logger has written, where it is that of these rows and not of another lap. */
function withLapTime(lap: LoggerLap, written: { lapTimeMs: number; roundingMs: number }): LoggerLap {
  return Math.abs(written.lapTimeMs - lap.lapTimeMs) < ROUNDING_MS ? { ...lap, ...written } : lap;
}

// Rows of a receiver at 5 Hz are that far from the line at either end of the lap.
const ROUNDING_MS = 400;
