/**
 * Reads the tab-separated text that Unipro Analyser exports, as public readers of such files describe it; no real file was at hand.
 *
 * - Every row is an event of one sensor, and all other cells are empty. Rows without a position count as such.
 * - `Session Time` and `Lap Time` are nanoseconds; both begin again with every session, and one file may hold several, in any order.
 * - `Start Date` and `Start Time` (whole seconds, zone unknown) are in every row and say to which session it belongs.
 * - `Lap Number` is 0 before the first pass over the line. `Lap Time` counts from the moment of the pass.
 * - Some loggers write `GPS Speed` in rows of its own. It is then unknown, and laps are timed by positions alone.
 */
import type { LoggerLap } from '../../lap-file.ts';
import { degrees, hasLineWith, readFixTable, requireTable } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';
import { roundingOfWritten } from '../rows/lap-rounding.ts';
import { findColumn } from '../text/csv-header.ts';
import type { TableRow } from '../text/csv-table.ts';
import { parseDate, parseTimeOfDay } from '../text/iso-timestamp.ts';

export const uniproTsv: LapFileFormat = {
  format: 'unipro-tsv',
  name: 'Unipro Analyser text',
  recognise: ({ head }) => hasLineWith(head, ['start date', 'session time', 'lap time', 'lap number']),
  read: readUnipro,
};

function readUnipro({ bytes }: LapFileText): ReturnType<LapFileFormat['read']> {
  const table = requireTable(
    bytes,
    [['session time'], ['latitude'], ['longitude']],
    'This Unipro file has no columns with latitude and longitude; export all channels of a logger with GPS.',
  );
  const column = (name: string) => findColumn(table.heads, [name]);
  const laps = new UniproLaps();
  const sessionColumns = [column('session time'), column('start date'), column('start time')];
  return readFixTable(table, {
    position: degrees(column('latitude'), column('longitude')),
    time: { columns: sessionColumns, read: readTime, finish: () => 'local' },
    speed: column('gps speed'),
    speedUnit: 'km/h',
    onFix: {
      columns: [column('lap number'), column('lap time'), ...sessionColumns],
      see: (row, slot) => {
        const startMs = readTime(row, slot + 2) - row.number(slot + 1, NANOSECONDS_TO_MS_SHIFT);
        laps.see(row.number(slot), startMs);
      },
    },
    findLaps: () => laps.finish(),
  });
}

/** Returns the time of a row whose three cells from `slot` on are the time since the start, the date and the time of the start. */
function readTime(row: TableRow, slot: number): number {
  const startMs = row.read(slot + 1, parseDate) + row.read(slot + 2, parseTimeOfDay);
  return startMs + row.number(slot, NANOSECONDS_TO_MS_SHIFT);
}

const NANOSECONDS_TO_MS_SHIFT = -6;

/** Finds the laps from the moments at which their numbers begin. */
class UniproLaps {
  readonly #starts: { number: number; startMs: number }[] = [];

  see(number: number, startMs: number): void {
    const last = this.#starts.at(-1);
    if (Number.isNaN(number + startMs)) return;
    if (number !== last?.number || startMs - last.startMs > LONGEST_SLIP_MS)
      this.#starts.push({ number, startMs });
  }

  /** Returns the laps behind which the next number of the same session begins. */
  finish(): LoggerLap[] {
    const laps = this.#starts
      .map(({ number, startMs }, index) => ({ number, startMs, next: this.#starts[index + 1] }))
      .filter(({ number, next }) => number >= 1 && next?.number === number + 1)
      .map(({ number, startMs, next }) => ({
        number,
        lapTimeMs: (next?.startMs ?? startMs) - startMs,
        startTimeMs: startMs,
      }))
      .filter(({ lapTimeMs }) => lapTimeMs > 0);
    const roundingMs = roundingOfWritten(laps.map(({ lapTimeMs }) => lapTimeMs));
    return laps.map((lap) => ({ ...lap, roundingMs }));
  }
}

// Both clocks of a logger may be rounded differently.
const LONGEST_SLIP_MS = 1000;
