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
  },
);
