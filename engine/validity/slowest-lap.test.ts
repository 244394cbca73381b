import { describe, expect, test } from 'vitest';
import { LIBRARY, libraryTrack } from '../../tests/library.ts';
import { buildCenterLine } from '../center-line.ts';
import { simulateDrive, toLapFile, type DriveOptions } from '../simulation/drive.ts';
import { KART_TRACK } from '../testing/kart-track.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import type { Track } from '../track.ts';
import { gentleLapSeconds } from './slowest-lap.ts';

function verdicts(track: Track, options: Partial<DriveOptions>) {
  const { fixes } = simulateDrive(track, { seed: 3, laps: 2, receiver: { rateHz: 5 }, ...options });
  const { laps, bestLapTimeMs } = timeLaps(openFixes(toLapFile(fixes)), track);
  const whole = laps.filter(({ status }) => status !== 'incomplete');
  return {
    verdicts: [...new Set(whole.map(({ status, reasons }) => [status, ...reasons].join(' ')))],
    bestLapTimeMs,
  };
}

/** A car in a town is slow in corners, and drives 60 km/h at most. */
const IN_TRAFFIC = {
  vehicle: { cornering: 2, braking: 1.5, traction: 1, wattsPerKilogram: 15 },
  topSpeedMetersPerSecond: 60 / 3.6,
};
/** A beginner drives a small car in heavy rain. */
const IN_RAIN = {
  vehicle: { cornering: 5, braking: 4, traction: 2.5, wattsPerKilogram: 40 },
  topSpeedMetersPerSecond: 130 / 3.6,
};
const HIRE_KART = {
  vehicle: { cornering: 7, braking: 4, traction: 2, wattsPerKilogram: 15 },
  topSpeedMetersPerSecond: 40 / 3.6,
};

describe.each([
  'baku-city-circuit-street-circuit',
  'albert-park-circuit-grand-prix',
  'las-vegas-strip-circuit-street-circuit',
  'circuit-de-monaco-street-circuit',
])('on the roads of %s', (id) => {
  const track = libraryTrack(id);

  test('laps in traffic do not rank', () => {
    const slow = verdicts(track, IN_TRAFFIC);
    expect(slow.bestLapTimeMs).toBeNull();
    for (const verdict of slow.verdicts) expect(verdict).toContain('rejected slow_for_track');
  });

  test('laps of a beginner in rain rank', () => {
    expect(verdicts(track, IN_RAIN).verdicts).toEqual(['valid']);
  });
});

test('hire karts at 40 km/h rank', () => {
  expect(verdicts(KART_TRACK, HIRE_KART).verdicts).toEqual(['valid']);
});

test('where no outline is known, no lap is called slow', () => {
  const track = { ...libraryTrack('baku-city-circuit-street-circuit'), outline: null };
  expect(
    verdicts({ ...track, outline: libraryTrack(track.id).outline }, IN_TRAFFIC).bestLapTimeMs,
  ).toBeNull();
  const { fixes } = simulateDrive(libraryTrack(track.id), { seed: 3, laps: 2, ...IN_TRAFFIC });
  expect(timeLaps(openFixes(toLapFile(fixes)), track).bestLapTimeMs).not.toBeNull();
});

test('a gentle drive around the tracks of the library goes 50 to 85 km/h', () => {
  const lines = LIBRARY.map(buildCenterLine).filter((line) => line !== null);
  expect(lines.length).toBeGreaterThan(40);
  for (const line of lines) {
    const kmh = (3.6 * line.lengthMeters) / gentleLapSeconds(line);
    expect(kmh).toBeGreaterThan(50);
    expect(kmh).toBeLessThan(85);
  }
});
