import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { at } from './fix-columns.ts';
import { distanceMeters, planeAround, toPlane, toPosition } from './geo.ts';
import type { Position } from './geo.ts';
import { isRanking } from './laps.ts';
import { openLapFile, timeLaps } from './time-lap-file.ts';
import type { OpenedLapFile } from './time-lap-file.ts';
import { undirectedLine } from './timing-line.ts';
import type { TimingLine } from './timing-line.ts';
import type { Track } from './track.ts';

/**
 * Real recordings, which are not part of Pitboard: the folder named by LAP_SAMPLES holds `lap-files/` and, for each of
 * them, the lap times of its own device in `truth/`.
 */
const folder = process.env['LAP_SAMPLES'];

const position = z.tuple([z.number(), z.number()]).transform(([lat, lon]): Position => ({ lat, lon }));
const truthSchema = z.object({
  file: z.string(),
  derivedFiles: z.array(z.string()).optional(),
  startFinish: z.tuple([position, position]).nullable(),
  startFinishPoint: position.optional(),
  toleranceMs: z.number().nullable(),
  laps: z.array(z.object({ timeMs: z.number() })),
  excludedLaps: z.array(z.object({ timeMs: z.number(), gateMs: z.number().optional() })).default([]),
});
type Truth = z.infer<typeof truthSchema>;
type Sample = { name: string; path: string; truth: Truth };

/** The files of the formats that are read so far. */
const READ_SO_FAR =
  /^(derived\/(mcg_.*\.(csv|gpx)|aim.*\.csv)|gpx.*\.gpx|(racechrono-v3|trackaddict|aim-rs3|laplegend|gauges|harrys-csv|racebox)_.*\.csv|(vbo|nmea|dovex|racecapture).*)$/;
/** Laps that do not rank with us: begun in the pit lane without a pass over the line, or with a stop of two minutes. */
const NOT_RANKING = new Map([
  ['laplegend_pueblo.csv', [129_240]],
  ['vbo_racebox_lignano.vbo', [189_098, 178_888]],
]);
/**
 * RaceBox has cut one stamp in eight of this file by 0.01 s, which the reader puts right. Its truth was calculated from the
 * stamps as they are, and two of its laps begin or end at such a stamp.
 */
const CUT_STAMPS_MS = new Map([['vbo_racebox_lignano.vbo', 10.5]]);
/** A device's own first or last lap of a stint is no whole lap to us, but may look like one within this: cars roll off at a walk. */
const EXCLUDED_TOLERANCE_MS = 1500;

const samples = folder === undefined ? [] : samplesIn(folder);

function samplesIn(from: string): Sample[] {
  return readdirSync(join(from, 'truth')).flatMap((entry) => {
    const truth = truthSchema.parse(JSON.parse(readFileSync(join(from, 'truth', entry), 'utf8')));
    return (truth.derivedFiles ?? [truth.file])
      .map((name) => ({ name, path: join(from, 'lap-files', name), truth }))
      .filter(({ name, path }) => READ_SO_FAR.test(name) && existsSync(path));
  });
}

function open(path: string): OpenedLapFile {
  return openLapFile(readFileSync(path));
}

/** The times of the laps that rank, on a line of which nothing else is known. */
function rankingTimes(file: OpenedLapFile, line: TimingLine): number[] {
  const track: Track = {
    id: 'sample',
    name: 'Sample',
    configuration: null,
    lengthMeters: null,
    centerLat: line.a.lat,
    centerLon: line.a.lon,
    radiusMeters: 5000,
    startFinishLine: line,
    sectors: [],
    outline: null,
  };
  return timeLaps(file, track)
    .laps.filter(isRanking)
    .map((lap) => lap.lapTimeMs);
}

/** Every lap is the next of the device's, or one that the device itself has timed in another way. */
function expectSameLaps(times: number[], truth: Truth): void {
  const notRanking = NOT_RANKING.get(truth.file) ?? [];
  const missing = truth.laps.map((lap) => lap.timeMs).filter((timeMs) => !notRanking.includes(timeMs));
  const others: number[] = [];
  const toleranceMs = CUT_STAMPS_MS.get(truth.file) ?? truth.toleranceMs ?? 0;
  for (const lapTimeMs of times) {
    const [next] = missing;
    if (next !== undefined && Math.abs(lapTimeMs - next) <= toleranceMs) missing.shift();
    else others.push(lapTimeMs);
  }
  expect(missing).toEqual([]);
  const excluded = truth.excludedLaps.map(({ timeMs, gateMs }) => gateMs ?? timeMs);
  const tooMany = others.filter((time) =>
    excluded.every((known) => Math.abs(known - time) > EXCLUDED_TOLERANCE_MS),
  );
  expect(tooMany).toEqual([]);
}

/** A line through a point, at right angles to the way that the car takes there. */
function lineThrough(point: Position, { trace }: OpenedLapFile): TimingLine {
  const { lats, lons, length } = trace.fixes;
  const positions = Array.from({ length }, (_, fix) => ({ lat: at(lats, fix), lon: at(lons, fix) }));
  const near = positions.filter((candidate) => distanceMeters(candidate, point) < 25);
  const plane = planeAround(point);
  const [from, to] = [toPlane(plane, near[0] ?? point), toPlane(plane, near.at(-1) ?? point)];
  const reach = 15 / Math.hypot(to.x - from.x, to.y - from.y);
  const side = { x: (to.y - from.y) * reach, y: (from.x - to.x) * reach };
  return undirectedLine(toPosition(plane, side), toPosition(plane, { x: -side.x, y: -side.y }));
}

describe.skipIf(folder === undefined)('real recordings (LAP_SAMPLES)', () => {
  test.each(samples.filter(({ truth }) => truth.startFinish !== null))(
    '$name: the laps of the device, each within its tolerance, none missing and none too many',
    ({ path, truth }) => {
      if (truth.startFinish === null) throw new Error('Only files with a line are tested here.');
      expectSameLaps(rankingTimes(open(path), undirectedLine(...truth.startFinish)), truth);
    },
  );

  test.each(samples.filter(({ truth }) => truth.startFinishPoint !== undefined))(
    '$name: the laps of the device on a line through the point where it passed',
    ({ path, truth }) => {
      if (truth.startFinishPoint === undefined) throw new Error('Only files with a point are tested here.');
      const file = open(path);
      expectSameLaps(rankingTimes(file, lineThrough(truth.startFinishPoint, file)), truth);
    },
  );

  test.each(samples.filter(({ name }) => /^(racechrono|trackaddict|(derived\/)?aim)/.test(name)))(
    '$name: the laps that the logger marked are kept',
    ({ path, truth }) => {
      const { loggerLaps } = open(path);
      expect(loggerLaps.length).toBeGreaterThan(0);
      for (const { lapTimeMs } of loggerLaps) {
        expect(Math.min(...truth.laps.map(({ timeMs }) => Math.abs(timeMs - lapTimeMs)))).toBeLessThanOrEqual(
          1,
        );
      }
    },
  );

  test.each([
    'derived/mcg_Ales.csv',
    'derived/mcg_Ales.gpx',
    'gpx_racebox_ovrley_2026-07-26.gpx',
    'neg_gpx_komoot_bike-ride.gpx',
    'neg_airdata_drone_flight.csv',
    'katana_2026-07-25.csv',
    'telemetryoverlay-csv_racekeeper_mettet.csv',
    'torquepro_roaddrive_2022-06-24.csv',
    'vesc_tool_ride.csv',
  ])('%s holds no lap', (name) => {
    const file = open(join(folder ?? '.', 'lap-files', name));
    const { lats, lons, length } = file.trace.fixes;
    const middle = { lat: at(lats, Math.floor(length / 2)), lon: at(lons, Math.floor(length / 2)) };
    expect(rankingTimes(file, lineThrough(middle, file))).toEqual([]);
  });
});

test.skipIf(folder !== undefined)('real recordings are left out: LAP_SAMPLES names no folder', () => {
  expect(samples).toEqual([]);
});
