import { readFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { listLapSamples } from '../../tests/lap-samples.ts';
import { buildCenterLine } from '../center-line.ts';
import { simulateDrive, toLapFile, type DrivenFix } from '../simulation/drive.ts';
import { KART_TRACK, kartLineAcross } from '../testing/kart-track.ts';
import { openFixes, openLapFile, timeLaps } from '../time-lap-file.ts';
import { toLineFrame, undirectedLine, type TimingLine } from '../timing-line.ts';
import { trackFromLine, type Track } from '../track.ts';
import { findOutlineCrossings } from './line-parts.ts';

const receiver = { rateHz: 10, noiseMeters: 0.3, driftMeters: 0.5, speedNoiseMetersPerSecond: 0.1 };
const drive = simulateDrive(KART_TRACK, { seed: 4, laps: 5, receiver });

/** The kart track has a line over both of its sides, 360 m apart; its middle is on the side where laps begin. */
const TOO_LONG = kartLineAcross(-380, 380);

function lapsOf(fixes: DrivenFix[], track: Track): { verdict: string; lapTimeMs: number }[] {
  return timeLaps(openFixes(toLapFile(fixes)), track)
    .laps.filter(({ status }) => status !== 'incomplete')
    .map(({ status, reasons, lapTimeMs }) => ({ verdict: [status, ...reasons].join(' '), lapTimeMs }));
}

function onlyLine(line: TimingLine | null): Track {
  if (line === null) throw new Error('The kart track has a line.');
  return { ...trackFromLine(line), radiusMeters: 3000 };
}

describe('a line that reaches the other side of the track', () => {
  const expected = lapsOf(drive.fixes, KART_TRACK);

  test('gives the laps of a shorter one, with an outline', () => {
    expect(expected.map(({ verdict }) => verdict)).toEqual(drive.trueLaps.map(() => 'valid'));
    expect(lapsOf(drive.fixes, { ...KART_TRACK, startFinishLine: TOO_LONG, sectors: [] })).toEqual(expected);
  });

  test('may have its middle anywhere, where an outline says where laps begin', () => {
    const track = { ...KART_TRACK, startFinishLine: kartLineAcross(-400, 20), sectors: [] };
    expect(lapsOf(drive.fixes, track).map(({ verdict }) => verdict)).toEqual(expected.map(() => 'valid'));
  });

  test('gives the laps of a shorter one, where nothing but the line is known', () => {
    expect(lapsOf(drive.fixes, onlyLine(TOO_LONG))).toEqual(
      lapsOf(drive.fixes, onlyLine(KART_TRACK.startFinishLine)),
    );
  });

  test('still shows a car that turned round on the line', () => {
    const lineMs = drive.trueLaps[2]?.startTimeMs ?? 0;
    const passed = drive.fixes.findIndex(({ timeMs }) => timeMs >= lineMs);
    const [before, after] = [passed - 40, passed + 40];
    const turned = [
      ...drive.fixes.slice(0, after),
      ...drive.fixes.slice(before, after).toReversed(),
      ...drive.fixes.slice(before),
    ];
    const fixes = turned.map((fix, index) => ({
      ...fix,
      timeMs: (drive.fixes[0]?.timeMs ?? 0) + 100 * index,
    }));
    for (const track of [onlyLine(TOO_LONG), { ...KART_TRACK, startFinishLine: TOO_LONG, sectors: [] }]) {
      const verdicts = lapsOf(fixes, track).map(({ verdict }) => verdict);
      expect(verdicts.filter((verdict) => verdict.includes('wrong_direction'))).toHaveLength(1);
    }
  });
});

test('an outline crosses a line once for each part of the track that it reaches', () => {
  const centerLine = buildCenterLine(KART_TRACK);
  const crossings = (line: TimingLine) => {
    const frame = toLineFrame(line);
    if (centerLine === null || frame === null) throw new Error('The kart track has an outline and a line.');
    return findOutlineCrossings(centerLine, frame);
  };
  expect(crossings(kartLineAcross(-12, 12))).toHaveLength(1);
  const both = crossings(TOO_LONG);
  expect(both).toHaveLength(2);
  expect(new Set(both.map(({ isForward }) => isForward)).size).toBe(2);
});

const folder = process.env['LAP_SAMPLES'];
const samples = folder === undefined ? [] : listLapSamples(folder);
const kart = samples.find(({ name }) => name === 'aim-rs3_1fk_driver_b.csv');

test.skipIf(kart === undefined).each([13, 16, 20, 30, 40])(
  'a kart file has all laps of its device on a line of %d m (LAP_SAMPLES)',
  (widthMeters) => {
    const ends = kart?.truth?.startFinish;
    if (kart === undefined || ends == null) throw new Error('This sample has a line.');
    const file = openLapFile(readFileSync(kart.path));
    const [a, b] = ends;
    const frame = toLineFrame(undirectedLine(a, b));
    const share = widthMeters / (frame?.halfWidthMeters ?? 1) / 4;
    const middle = { lat: (a.lat + b.lat) / 2, lon: (a.lon + b.lon) / 2 };
    const end = (side: number) => ({
      lat: middle.lat + side * share * (b.lat - a.lat),
      lon: middle.lon + side * share * (b.lon - a.lon),
    });
    const { laps } = timeLaps(file, onlyLine(undirectedLine(end(-1), end(1))));
    const times = laps.filter(({ status }) => status === 'valid').map(({ lapTimeMs }) => lapTimeMs);
    for (const { timeMs } of kart.truth?.laps ?? [])
      expect(Math.min(...times.map((lapTimeMs) => Math.abs(lapTimeMs - timeMs)))).toBeLessThan(13);
  },
);
