import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import type { LapFile } from '../lap-file.ts';
import { readLapFile } from './recognise.ts';

/** Real lap files are no part of the project: LAP_SAMPLES names a folder with `lap-files/`, as in samples.test.ts. */
const folder = process.env['LAP_SAMPLES'];

function read(name: string): LapFile {
  return readLapFile(readFileSync(join(folder ?? '', 'lap-files', name)), inflateLapFile);
}

/** Returns the largest difference between two columns. */
function furthest(column: Float64Array, other: Float64Array): number {
  return column.reduce(
    (most, value, index) => Math.max(most, Math.abs(value - (other[index] ?? Number.NaN))),
    0,
  );
}

describe.skipIf(folder === undefined)(
  'real lap files of text (skipped unless LAP_SAMPLES names their folder)',
  () => {
    test('a RaceCapture log without `Interval` gives every position, and the laps of the device', () => {
      const file = read('racecapture_time-1hz-no-interval.log');
      expect(file).toMatchObject({ clock: 'time_of_day', dropped: { held_position: 2 } });
      expect(file.fixes.length).toBe(2765);
      // The device writes 4.527, 4.308 and 4.335 minutes.
      expect(file.loggerLaps.map(({ lapTimeMs }) => lapTimeMs)).toEqual([271_600, 258_500, 260_100]);
    });

    test('a course in TCX holds the fixes of the same course in GPX', () => {
      const [course, same] = [read('tcx_course.tcx'), read('tcx_course.gpx')];
      expect(course).toMatchObject({
        format: 'tcx',
        clock: 'utc',
        dropped: { no_position: 3 },
        loggerLaps: [],
      });
      expect(course.fixes.timesMs).toEqual(same.fixes.timesMs);
      for (const column of ['lats', 'lons'] as const)
        expect(furthest(course.fixes[column], same.fixes[column])).toBeLessThan(1e-6);
    });

    test('KML with times gives all positions of its two tracks', () => {
      const file = read('kml_times.kml');
      expect(file).toMatchObject({ format: 'kml', clock: 'utc', dropped: {} });
      expect(file.fixes.length).toBe(4940);
      expect(new Date(file.fixes.timesMs[0] ?? 0).toISOString()).toBe('2019-02-17T17:32:57.000Z');
      expect([file.fixes.lats.at(-1), file.fixes.lons.at(-1)]).toEqual([28.408033, -81.837917]);
    });

    test.each([
      ['garmin_g1000_aircraft.csv', 'local', '2014-03-29T22:50:22.000Z', [40.2171326, -111.7177124]],
      ['grcup_barber_r1.csv', 'utc', '2025-09-05T00:27:38.589Z', [33.5305061, -86.620491]],
    ])('%s is read as a table', (name, clock, start, [lat = 0, lon = 0]) => {
      const file = read(name);
      expect(file).toMatchObject({ format: 'generic-csv', clock });
      expect(file.fixes.lats[0]).toBeCloseTo(lat, 6);
      expect(file.fixes.lons[0]).toBeCloseTo(lon, 6);
      expect(new Date(file.fixes.timesMs[0] ?? 0).toISOString()).toBe(start);
    });

    test("the XML of Harry's LapTimer holds the fixes and the laps of the CSV export of the same day", () => {
      const [xml, csv] = [
        read('harrys-hlptr_streets-of-willow-cw_2016-08-14.xml'),
        read('harrys-csv_streets-of-willow-cw_2016-08-14.csv'),
      ];
      expect(xml).toMatchObject({ format: 'harrys-xml', clock: 'utc', dropped: csv.dropped });
      expect(xml.fixes.timesMs).toEqual(csv.fixes.timesMs);
      expect(furthest(xml.fixes.lats, csv.fixes.lats)).toBeLessThan(1e-6);
      expect(xml.loggerLaps.map(({ number, lapTimeMs }) => [number, Math.round(lapTimeMs)])).toEqual(
        csv.loggerLaps.map(({ number, lapTimeMs }) => [number, Math.round(lapTimeMs)]),
      );
    });
  },
);
