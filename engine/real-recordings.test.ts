import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { libraryTrack } from '../tests/library.ts';
import {
  lineThrough,
  listLapSamples,
  rankingTimes,
  type LapSample,
  type SampleTruth,
} from '../tests/lap-samples.ts';
import { at, pickFixes } from './fix-columns.ts';
import { readLapFile } from './formats/recognise.ts';
import { buildTrackIndex, matchTracks } from './matching/match-tracks.ts';
import { openFixes, openLapFile, timeLaps, type OpenedLapFile } from './time-lap-file.ts';
import { isRanking } from './timing/laps.ts';
import { trackFromLine } from './track.ts';
import { undirectedLine } from './timing-line.ts';

/** LAP_SAMPLES names the folder of real recordings, which are not part of Pitboard. */
const folder = process.env['LAP_SAMPLES'];

/** Matches the files of the formats whose laps are compared here. */
const COMPARED =
  /^(derived\/(mcg_.*\.(csv|gpx)|aim.*\.csv|racecapture.*\.log)|aim-xrk_.*|gpx.*\.gpx|(racechrono-v3|trackaddict|aim-rs3|laplegend|gauges|harrys-csv|racebox)_.*\.csv|speedangle_grattan\.sa|(vbo|nmea|dovex|racecapture).*)$/;
type Sample = LapSample & { truth: SampleTruth };
/**
 * These laps do not rank with us: they lack a crossing of the line at their beginning, or consist of two laps with the
 * pit lane in between.
 */
const NOT_RANKING = new Map([
  ['laplegend_pueblo.csv', [129_240]],
  ['derived/racecapture_slow-clock_dijon.log', [92_780]],
  ['vbo_racebox_lignano.vbo', [189_098, 178_888]],
]);
/**
 * RaceBox has cut one stamp in eight of this file by 0.01 s, which the reader puts right: the speeds then agree with the steps
 * between all positions to 0.1 ms. Its truth was calculated from the stamps as they are, and two of its laps begin or end at
 * such a stamp.
 */
const CUT_STAMPS_MS = new Map([['vbo_racebox_lignano.vbo', 10.5]]);
/** A device's own first or last lap of a stint is no whole lap to us, but may look like one within this: cars roll off at a walk. */
const EXCLUDED_TOLERANCE_MS = 1500;

const samples: Sample[] =
  folder === undefined
    ? []
    : listLapSamples(folder).flatMap(({ name, path, truth }) =>
        truth !== null && COMPARED.test(name) ? [{ name, path, truth }] : [],
      );

function open(path: string): OpenedLapFile {
  return openLapFile(readFileSync(path), inflateLapFile);
}

/** Every lap is the next of the device's, or one that the device itself has timed in another way. */
function expectSameLaps(times: number[], truth: SampleTruth): void {
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

/** Shifts the rows of a Harry's file to a later time of day, each with the date on which its lap began. */
function harrysLater(text: string, laterMs: number): string {
  let [lap, date] = ['', ''];
  return text
    .split('\n')
    .map((line) => {
      const cells = line.split(',');
      const [, lapIndex = '', written = '', time = ''] = cells;
      const timeMs = Date.parse(`${written.replaceAll('-', ' ')} ${time}Z`);
      if (Number.isNaN(timeMs)) return line;
      const later = new Date(timeMs + laterMs).toISOString();
      if (lapIndex !== lap) date = localizedDate(later);
      lap = lapIndex;
      return [...cells.slice(0, 2), date, later.slice(11, 22), ...cells.slice(4)].join(',');
    })
    .join('\n');
}

/** Formats `2016-11-25T…` as `25-NOV-16`. */
function localizedDate(iso: string): string {
  const month = new Date(iso).toLocaleString('en', { month: 'short', timeZone: 'UTC' }).toUpperCase();
  return `${iso.slice(8, 10)}-${month}-${iso.slice(2, 4)}`;
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

  test.each(samples.filter(({ name }) => /^(racechrono|trackaddict|(derived\/)?aim-rs3)/.test(name)))(
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

  test.each(['derived/mcg_Dijon_Prenois.csv', 'derived/mcg_Haute_Saintonge.csv'])(
    '%s with whole seconds and a fix missing under the first: every lap that ranks is right within its ±',
    (name) => {
      const sample = samples.find((candidate) => candidate.name === name);
      const line = sample?.truth.startFinish;
      if (sample === undefined || line == null) throw new Error('This sample has a line.');
      const track = { ...trackFromLine(undirectedLine(...line)), radiusMeters: 5000 };
      const lapFile = readLapFile(readFileSync(sample.path));
      const seconds = lapFile.fixes.timesMs.map((timeMs) => Math.floor(timeMs / 1000) * 1000);
      const coarse = openFixes({ ...lapFile, fixes: { ...lapFile.fixes, timesMs: seconds } });
      const ranking = timeLaps(coarse, track).laps.filter(isRanking);
      expect(ranking.length).toBeGreaterThan(5);
      for (const { lapTimeMs, uncertaintyMs } of ranking) {
        const differences = sample.truth.laps.map(({ timeMs }) => Math.abs(timeMs - lapTimeMs));
        expect(Math.min(...differences)).toBeLessThanOrEqual(uncertaintyMs);
      }
    },
  );

  test('of five laps around Portimão, the one over the layout of the library is one, and the four with a shorter hairpin match no layout for sure', () => {
    const file = readLapFile(readFileSync(join(folder ?? '.', 'lap-files', 'derived/mcg_Portimao.csv')));
    const track = libraryTrack('autodromo-internacional-do-algarve-grand-prix');
    const index = buildTrackIndex([track]);
    const { trace } = openFixes(file);
    expect(matchTracks(trace, index)[0]?.confidencePct).toBeLessThan(60);
    const laps = timeLaps(openFixes(file), track).laps.filter(isRanking);
    expect(laps.map(({ reasons }) => reasons.includes('off_track'))).toEqual([true, true, false, true, true]);
    const { startTimeMs, lapTimeMs } = laps[2] ?? { startTimeMs: 0, lapTimeMs: 0 };
    const rows = Int32Array.from(file.fixes.timesMs.keys()).filter((row) => {
      const sinceMs = at(file.fixes.timesMs, row) - startTimeMs;
      return sinceMs > -2000 && sinceMs < lapTimeMs + 2000;
    });
    const alone = openFixes({ ...file, fixes: pickFixes(file.fixes, rows), partStarts: [0] });
    expect(matchTracks(alone.trace, index)[0]?.confidencePct).toBeGreaterThanOrEqual(90);
  });

  test("laps of Harry's are all kept when one of them crosses midnight, although its rows keep the date of its start", () => {
    const sample = samples.find(({ name }) => name === 'harrys-csv_buttonwillow_2016-11-25.csv');
    const line = sample?.truth.startFinish;
    if (sample === undefined || line == null) throw new Error('This sample has a line.');
    const times = (bytes: Uint8Array) => rankingTimes(openLapFile(bytes), undirectedLine(...line));
    const text = readFileSync(sample.path, 'latin1');
    expect(times(Buffer.from(harrysLater(text, 4.5 * 3_600_000), 'latin1'))).toEqual(
      times(Buffer.from(text, 'latin1')),
    );
  });

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

if (folder === undefined) test.skip('real recordings are left out: LAP_SAMPLES names no folder');
