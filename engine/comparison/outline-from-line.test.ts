import { expect, test } from 'vitest';
import { simulateDrive, toLapFile } from '../simulation/drive.ts';
import { kartTrackAt, KART_TRACK } from '../testing/kart-track.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import type { OutlinePoint, Track } from '../track.ts';
import { countLapsAlong, lineOfLaps } from './build-reference-line.ts';
import type { TracedLap } from './lap-trace.ts';
import { outlineFromLine } from './outline-from-line.ts';
import type { ReferenceLine } from './reference-line.ts';

function drive(track: Track, seed: number): TracedLap {
  const receiver = { rateHz: 10, noiseMeters: 0.05, driftMeters: 0.7, speedNoiseMetersPerSecond: 0.1 };
  const file = openFixes(toLapFile(simulateDrive(track, { seed, laps: 1, receiver }).fixes));
  const [lap] = timeLaps(file, track).laps;
  if (lap === undefined) throw new Error('The drive has a lap.');
  return { ...file, lap };
}

function driveLine(track: Track): ReferenceLine {
  const laps = [1, 2, 3].map((seed) => drive(track, seed));
  const line = lineOfLaps(laps);
  if (line === null) throw new Error('There is a line.');
  expect(countLapsAlong(line, laps)).toBe(3);
  expect(countLapsAlong(line, [...laps, drive(kartTrackAt({ lat: 48.2, lon: 11.6 }), 1)])).toBe(3);
  return line;
}

/** Returns every `step`-th point: straight lines through the bends. */
function coarse(track: Track, step: number): OutlinePoint[] {
  return (track.outline ?? []).filter((_, index) => index % step === 0);
}

/** Returns what speaks against laps on `track` with another outline. */
function reasonsOf(seed: number, track: Track, outline: OutlinePoint[] | null): string[] {
  const file = openFixes(toLapFile(simulateDrive(track, { seed, laps: 1 }).fixes));
  return timeLaps(file, { ...track, outline }).laps.flatMap(({ reasons }) => reasons);
}

test('an outline that cuts bends is replaced by what three drivers drove, and laps that lay outside lie within', () => {
  const line = driveLine(KART_TRACK);
  const wrong = (KART_TRACK.outline ?? []).map(([lat, lon], index): OutlinePoint => [
    lat + (index < 12 ? 4e-4 : 0),
    lon,
  ]);
  const outline = outlineFromLine({ ...KART_TRACK, outline: wrong }, line);
  expect(reasonsOf(9, KART_TRACK, wrong)).toContain('off_track');
  expect(reasonsOf(9, KART_TRACK, outline)).toEqual([]);
  // It is good enough now.
  expect(outlineFromLine({ ...KART_TRACK, outline }, line)).toBeNull();
});

test('a good outline stays, and a track without one gets one', () => {
  const line = driveLine(KART_TRACK);
  expect(outlineFromLine(KART_TRACK, line)).toBeNull();
  expect(outlineFromLine({ ...KART_TRACK, outline: null }, line)?.length).toBeGreaterThan(150);
});

test('laps of another layout replace nothing: a cut chicane, a way far off', () => {
  const line = driveLine(KART_TRACK);
  const outline = coarse(KART_TRACK, 8);
  expect(outlineFromLine({ ...KART_TRACK, outline }, line)).not.toBeNull();
  expect(outlineFromLine({ ...KART_TRACK, outline, lengthMeters: 900 }, line)).toBeNull();
  const far = kartTrackAt({ lat: KART_TRACK.centerLat + 0.001, lon: KART_TRACK.centerLon }).outline;
  expect(outlineFromLine({ ...KART_TRACK, outline: far }, line)).toBeNull();
});
