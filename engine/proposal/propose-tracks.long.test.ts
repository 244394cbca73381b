import { readFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { listLapSamples, type SampleTruth } from '../../tests/lap-samples.ts';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { UnreadableLapFileError } from '../lap-file.ts';
import { openLapFile, type OpenedLapFile } from '../time-lap-file.ts';
import { isWholeLap } from './course-of-laps.ts';
import { proposeTracks } from './propose-tracks.ts';

const folder = process.env['LAP_SAMPLES'];

/** Their laps were written by the device, but the positions do not hold them: 25 seconds of a session, and holes of 15 seconds. */
const WITHOUT_POSITIONS = ['aim-rs3_doves_fixture.csv', 'trackaddict_stc_2019.csv'];
/** Roads, footpaths, the air and the water are no circuit, whatever repeats there. */
const NO_CIRCUIT =
  /^(neg_|katana|nmea_dashcam|esp32|torquepro|vesc|gpx_cyclocross|gpx-edge|garmin|autocross|racebox_ovrley|gpx_racebox_ovrley|vbo_racebox_ovrley)/;

describe.skipIf(folder === undefined)('real recordings (LAP_SAMPLES)', () => {
  const samples = folder === undefined ? [] : listLapSamples(folder);

  test('at least 95 % of those with laps of their device: as many laps but the first and the last, the same median', () => {
    const timed = samples.filter(({ name, truth }) => truth !== null && !WITHOUT_POSITIONS.includes(name));
    const outcomes = timed.flatMap(({ name, path, truth }) => {
      const file = openIfReadable(path);
      if (file === null || truth === null) return [];
      const times =
        proposeTracks(file)[0]
          ?.timed.laps.filter(isWholeLap)
          .map((lap) => lap.lapTimeMs) ?? [];
      const kept = withoutExcluded(times, truth);
      const official = truth.laps.map((lap) => lap.timeMs);
      const isRight =
        Math.abs(kept.length - official.length) <= 2 && Math.abs(middleOf(kept) - middleOf(official)) <= 300;
      return [{ name, isRight, laps: kept.length, official: official.length }];
    });
    const wrong = outcomes.filter(({ isRight }) => !isRight);
    expect(outcomes.length).toBeGreaterThan(40);
    expect(wrong.length / outcomes.length, JSON.stringify(wrong)).toBeLessThanOrEqual(0.05);
  });

  test('none from a road, a footpath or the air is a circuit', () => {
    const circuits = samples
      .filter(({ name }) => NO_CIRCUIT.test(name))
      .filter(({ path }) => {
        const file = openIfReadable(path);
        return file !== null && proposeTracks(file).some(({ kind }) => kind === 'circuit');
      });
    expect(circuits.map(({ name }) => name)).toEqual([]);
  });
});

/** Returns the median; of an even number of times, half way between the two in the middle. */
function middleOf(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** Leaves out times that the device timed in another way, or that begin at a walk in the pits. */
function withoutExcluded(times: readonly number[], { laps, excludedLaps }: SampleTruth): number[] {
  const official = laps.map((lap) => lap.timeMs);
  return times.filter((time) => {
    const index = official.findIndex((timeMs) => Math.abs(timeMs - time) < 100);
    if (index >= 0) return official.splice(index, 1).length > 0;
    return excludedLaps.every(({ timeMs, gateMs }) => Math.abs((gateMs ?? timeMs) - time) > 1500);
  });
}

function openIfReadable(path: string): OpenedLapFile | null {
  try {
    return openLapFile(readFileSync(path), inflateLapFile);
  } catch (error) {
    if (error instanceof UnreadableLapFileError) return null;
    throw error;
  }
}

if (folder === undefined) test.skip('real recordings are left out: LAP_SAMPLES names no folder');
