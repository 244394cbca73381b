import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import type { LapFile } from '../lap-file.ts';
import { readLapFile } from './recognise.ts';

/** Compares real binary files with what others read from them; LAP_SAMPLES names their folder, see samples.test.ts. */
const folder = process.env['LAP_SAMPLES'];

function bytesOf(name: string): Uint8Array {
  return readFileSync(join(folder ?? '', 'lap-files', name));
}

function read(name: string): LapFile {
  return readLapFile(bytesOf(name), inflateLapFile);
}

function differences(one: Float64Array, other: Float64Array): number {
  return Math.max(...one.map((value, index) => Math.abs(value - (other[index] ?? 0))));
}

function since(times: Float64Array): Float64Array {
  return times.map((timeMs) => timeMs - (times[0] ?? 0));
}

describe.skipIf(folder === undefined)(
  'real binary files (skipped unless LAP_SAMPLES names their folder)',
  () => {
    test('a VBB file begins when its dictionary says, and holds what its maker reads from it', () => {
      const { fixes, accuracy } = read('vbb_brake-stop.vbb');
      expect(fixes.timesMs[0]).toBeCloseTo(Date.UTC(2023, 9, 20, 11, 27, 13, 390), 3);
      expect(fixes.lats[0]).toBeCloseTo(3119.118_390_539_653 / 60, 10);
      expect(fixes.lons[0]).toBeCloseTo(-63.441_927_930_199_17 / 60, 10);
      expect(fixes.speedsMetersPerSecond[0]).toBeCloseTo(0.027_455_777 / 3.6, 6);
      expect(accuracy?.meters[0]).toBeCloseTo(0.933_803_6, 6);
    });

    test('a MoTeC log of a converter holds the positions and speeds of the session that it was made of', () => {
      const [log, session] = [
        read('motec-ld_jlynx-short.ld').fixes,
        read('racechrono-rcz_jlynx-short.rcz').fixes,
      ];
      expect(log.length).toBe(session.length);
      // Its coordinates are single floats.
      expect(differences(log.lats, session.lats)).toBeLessThan(2e-6);
      expect(differences(log.lons, session.lons)).toBeLessThan(8e-6);
      expect(differences(log.speedsMetersPerSecond, session.speedsMetersPerSecond)).toBeLessThan(1e-6);
      expect(since(log.timesMs)).toEqual(since(session.timesMs));
    });

    test('the memory of a Qstarz holds the positions of the GPX that was made of it', () => {
      const { fixes } = read('qstarz-bin_bl-1000.BIN');
      const gpx = new TextDecoder().decode(bytesOf('qstarz-bin_bl-1000.gpx'));
      const points = [...gpx.matchAll(/<(?:wpt|trkpt) lat="([^"]+)" lon="([^"]+)">[^]*?<time>([^<]+)</g)];
      const expected = new Map(points.map(([, lat, lon, time]) => [Date.parse(time ?? ''), [lat, lon]]));
      expect(expected.size).toBe(fixes.length);
      for (const [index, timeMs] of fixes.timesMs.entries()) {
        expect(fixes.lats[index]).toBeCloseTo(Number(expected.get(timeMs)?.[0]), 8);
        expect(fixes.lons[index]).toBeCloseTo(Number(expected.get(timeMs)?.[1]), 8);
      }
    });
  },
);
