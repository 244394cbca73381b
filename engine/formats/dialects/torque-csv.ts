/**
 * Reads the track log of Torque Pro, an app for the diagnostics socket of the car.
 *
 * - Blanks before most names of the header, the longitude before the latitude, a separator behind the last cell; the
 *   header comes again where the app was restarted. `-` where there is no value.
 * - `GPS Time` is text: `Fri Jun 24 20:03:47 GMT+02:00 2022`. It has whole seconds, but those of the fix; other phones
 *   write the name of the time zone. `Device Time`, `24-Jun-2022 20:03:48.565`, is when the row was written.
 * - `GPS Speed` is in m/s or km/h, as the header says; the speeds of the car have `(OBD)` in their names.
 */
import { at } from '../../fix-columns.ts';
import { median } from '../../statistics.ts';
import { findColumn, type NamedTable } from '../text/csv-header.ts';
import { readRows } from '../text/csv-table.ts';
import { degrees, hasLineWith, readFixTable, requireTable } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';
import {
  monthNumber,
  parseLocalizedDate,
  parseLocalizedTime,
  splitDateTime,
} from '../text/localized-date.ts';

export const torqueCsv: LapFileFormat = {
  format: 'torque-csv',
  name: 'Torque Pro CSV',
  recognise: ({ head }) => hasLineWith(head, ['gps time', 'device time', 'longitude', 'latitude']),
  read: readTorque,
};

function readTorque({ bytes }: LapFileText): ReturnType<LapFileFormat['read']> {
  const table = requireTable(
    bytes,
    [['gps time'], ['device time'], ['longitude'], ['latitude']],
    'This Torque file has no columns with time, longitude and latitude.',
  );
  const column = (name: string) => findColumn(table.heads, [name]);
  const { hasGpsTime, hasZone } = lookAtTimes(table, column('gps time'));
  const finer = new FinerTimes();
  let deviceMs = Number.NaN;
  return readFixTable(table, {
    position: degrees(column('latitude'), column('longitude')),
    time: {
      columns: [column('gps time'), column('device time')],
      read: (row, slot) => {
        deviceMs = deviceTimeMs(row.text(slot + 1));
        return hasGpsTime ? gpsTimeMs(row.text(slot)) : deviceMs;
      },
      finish: (times) => {
        if (hasGpsTime) finer.replace(times);
        return hasZone ? 'utc' : 'local';
      },
    },
    speed: column('gps speed'),
    onFix: {
      columns: [column('latitude'), column('longitude')],
      see: (row, slot) => finer.see(row.number(slot), row.number(slot + 1), deviceMs),
    },
  });
}

/** Returns whether the times of the receiver can be read, and tell their zone. */
function lookAtTimes(table: NamedTable, column: number | null): { hasGpsTime: boolean; hasZone: boolean } {
  let rows = 0;
  let [hasGpsTime, hasZone] = [false, false];
  readRows(table, [column], (row) => {
    const text = row.text(0);
    hasGpsTime = !Number.isNaN(gpsTimeMs(text));
    hasZone = hasGpsTime && zoneMs(GPS_TIME.exec(text)?.[4]) !== null;
    rows++;
    return !hasGpsTime && rows < FIRST_ROWS;
  });
  return { hasGpsTime, hasZone };
}

// Phones may take minutes to their first fix.
const FIRST_ROWS = 1000;

const GPS_TIME = /^[a-z]{3} ([a-z]{3}) (\d{1,2}) (\d\d:\d\d:\d\d) (\S{1,40}) (\d{4})$/i;

/** Returns milliseconds since 1970; of a zone that is only a name, as if it were UTC. */
function gpsTimeMs(text: string): number {
  const [, month, day, time = '', zone, year] = GPS_TIME.exec(text) ?? [];
  const dateMs = Date.UTC(Number(year), monthNumber(month) - 1, Number(day));
  return dateMs + parseLocalizedTime(time) - (zoneMs(zone) ?? 0);
}

/** Returns `GMT+02:00`, `GMT` and `UTC` in milliseconds to the east; null for the names of other zones. */
function zoneMs(zone = ''): number | null {
  const [found, sign, hours = '0', minutes = '0'] =
    /^(?:GMT|UTC)(?:([+-])(\d\d?):?(\d\d))?$/.exec(zone) ?? [];
  if (found === undefined) return null;
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
}

function deviceTimeMs(text: string): number {
  const parts = splitDateTime(text);
  return parts === null ? Number.NaN : parseLocalizedDate(parts.date, null) + parseLocalizedTime(parts.time);
}

/** Describes the times of the device, which are finer than the whole seconds of the receiver. */
class FinerTimes {
  readonly #deviceTimesMs: number[] = [];
  readonly #moves: number[] = [];
  #place = '';

  /** Records the position of the next fix, and when the device wrote it. */
  see(lat: number, lon: number, deviceTimeMs: number): void {
    const place = `${lat} ${lon}`;
    if (place !== this.#place && this.#place !== '') this.#moves.push(this.#deviceTimesMs.length);
    this.#place = place;
    this.#deviceTimesMs.push(deviceTimeMs);
  }

  /** Puts in the times of the device, on the receiver's clock, where positions change more often than its seconds. */
  replace(times: Float64Array): void {
    const seconds = new Set(this.#moves.map((fix) => at(times, fix))).size;
    const isFine = seconds >= this.#moves.length * FINE_ENOUGH;
    if (isFine || this.#deviceTimesMs.some(Number.isNaN)) return;
    const offsetMs = median(this.#deviceTimesMs.map((timeMs, index) => at(times, index) - timeMs)) ?? 0;
    for (const [index, timeMs] of this.#deviceTimesMs.entries()) times[index] = timeMs + offsetMs;
  }
}

// A receiver of one fix a second may miss the turn of a second now and then.
const FINE_ENOUGH = 0.8;
