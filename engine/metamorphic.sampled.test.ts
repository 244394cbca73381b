import { describe, expect, test } from 'vitest';
import { isLongRun } from '../tests/long-run.ts';
import { FORMATS } from './formats/recognise.ts';
import type { Position } from './geo.ts';
import { buildTrackIndex } from './matching/match-tracks.ts';
import { simulateDrive, type DriveOptions, type DrivenFix, type SimulatedDrive } from './simulation/drive.ts';
import { FORMAT_WRITERS } from './testing/format-writers.ts';
import { kartTrackAt } from './testing/kart-track.ts';
import { openLapFile, suggestTracks, timeLaps } from './time-lap-file.ts';
import type { Track } from './track.ts';
import { DAY_MS } from './durations.ts';

/**
 * One simulated drive, written in every format and then changed in a way that does not change its laps: each must come
 * back with its true lap time. A new format joins by its writer in `testing/format-writers.ts`.
 */
test('every format has a writer', () => {
  expect(Object.keys(FORMAT_WRITERS).toSorted()).toEqual(FORMATS.map(({ format }) => format).toSorted());
});

type Case = { track: Track; drive: SimulatedDrive };

const MUNICH = { lat: 48.1, lon: 11.6 };
const START_MS = Date.UTC(2026, 4, 16, 9, 30);

function driveAt(center: Position = MUNICH, options: Partial<DriveOptions> = {}): Case {
  const track = kartTrackAt(center);
  const { receiver, ...others } = options;
  const drive = simulateDrive(track, {
    seed: 31,
    laps: 3,
    startTimeMs: START_MS,
    receiver: { rateHz: 10, timeStampStepMs: 1, coordinateDecimals: 7, ...receiver },
    ...others,
  });
  return { track, drive };
}

/** The same drive in other rows. */
function withFixes({ track, drive }: Case, change: (fixes: readonly DrivenFix[]) => DrivenFix[]): Case {
  return { track, drive: { ...drive, fixes: change(drive.fixes) } };
}

const base = driveAt();
const overMidnight = driveAt(MUNICH, { startTimeMs: Date.UTC(2026, 4, 16, 23, 59, 10) });
const midnightMs = Date.UTC(2026, 4, 17);

/** The rows from midnight on, up to the end of their lap or of the file, get the date of the day before. */
function withStaleDate(drive: Case, untilMs: number): Case {
  return withFixes(drive, (fixes) =>
    fixes.map((fix) =>
      fix.timeMs >= midnightMs && fix.timeMs < untilMs ? { ...fix, timeMs: fix.timeMs - DAY_MS } : fix,
    ),
  );
}

const endOfLapAtMidnightMs =
  overMidnight.drive.trueLaps.map((lap) => lap.startTimeMs).find((timeMs) => timeMs > midnightMs) ?? 0;

const DRIVES: Record<string, Case> = {
  'as it is': base,
  'over midnight': overMidnight,
  'whose date is that of its start': withStaleDate(overMidnight, Number.POSITIVE_INFINITY),
  'whose date is that of the start of the lap': withStaleDate(overMidnight, endOfLapAtMidnightMs),
  'over the end of the GPS week': driveAt(MUNICH, { startTimeMs: Date.UTC(2026, 4, 16, 23, 59, 30) }),
  'over a leap day': driveAt(MUNICH, { startTimeMs: Date.UTC(2028, 1, 28, 23, 59, 0) }),
  'from a leap day on': driveAt(MUNICH, { startTimeMs: Date.UTC(2028, 1, 29, 23, 59, 0) }),
  'over the new year': driveAt(MUNICH, { startTimeMs: Date.UTC(2026, 11, 31, 23, 59, 0) }),
  'across the 180th meridian': driveAt({ lat: -17, lon: 179.9995 }),
  'across the prime meridian': driveAt({ lat: 51.5, lon: 0.0003 }),
  'across the equator': driveAt({ lat: 0.0002, lon: -78.4 }),
  'in the south and west': driveAt({ lat: -34.6, lon: -58.4 }),
  'close to the north pole': driveAt({ lat: 84, lon: 20 }),
  'close to the south pole': driveAt({ lat: -84, lon: -120 }),
  'at 5 Hz': driveAt(MUNICH, { receiver: { rateHz: 5 } }),
  'at 20 Hz': driveAt(MUNICH, { receiver: { rateHz: 20 } }),
  'at 1 Hz': driveAt(MUNICH, { receiver: { rateHz: 1 } }),
  'with 6 decimals': driveAt(MUNICH, { receiver: { coordinateDecimals: 6 } }),
  'with 4 decimals': driveAt(MUNICH, { receiver: { coordinateDecimals: 4 } }),
  'with 5 decimals': driveAt(MUNICH, { receiver: { coordinateDecimals: 5 } }),
  'with speeds that are 3.6 times too high': withFixes(base, (fixes) =>
    fixes.map((fix) => ({ ...fix, speedMetersPerSecond: 3.6 * fix.speedMetersPerSecond })),
  ),
  'with its newest row first': withFixes(base, (fixes) => fixes.toReversed()),
  'with every row twice': withFixes(base, (fixes) => fixes.flatMap((fix) => [fix, fix])),
};

const FORMAT_NAMES = Object.keys(FORMAT_WRITERS);
/** Their writers put rows of other sensors between the fixes, in order of time, and so cannot write the fixes in another order. */
const WRITTEN_IN_ORDER = ['racechrono-csv-v3', 'trackaddict-csv', 'speedangle-sa'];

function expectTrueLaps(bytes: Uint8Array, { track, drive }: Case): void {
  const laps = timeLaps(openLapFile(bytes), track).laps.filter((lap) => lap.status !== 'incomplete');
  expect(laps.map(({ status, reasons }) => [status, ...reasons].join(' '))).toEqual(
    drive.trueLaps.map(() => 'valid'),
  );
  for (const [index, { lapTimeMs, uncertaintyMs }] of laps.entries()) {
    const differenceMs = lapTimeMs - (drive.trueLaps[index]?.lapTimeMs ?? 0);
    // The uncertainty is half the width of a 95 % interval: of some hundred laps, a few lie a little outside.
    expect(Math.abs(differenceMs)).toBeLessThanOrEqual(Math.min(1.25 * uncertaintyMs, 100));
  }
}

/**
 * Interpolated rows between positions 11 m apart zigzag, which makes laps of so small a track too long; and a log of ten rows a second
 * cuts the corners of a drive at 1 Hz.
 */
const TOO_COARSE: Record<string, readonly string[]> = {
  'with 4 decimals': ['racechrono-csv-v3', 'speedangle-sa'],
  'at 1 Hz': ['speedangle-sa'],
};

/** `npm test` writes each drive in a part of the formats, and every format comes in its turn; `npm run test:all` writes all in all. */
const TURNS = isLongRun ? 1 : 4;

describe.each(Object.entries(DRIVES))('a drive %s', (name, drive) => {
  const turn = Object.keys(DRIVES).indexOf(name);
  const { fixes } = drive.drive;
  const isInOrder = fixes.every(({ timeMs }, index) => timeMs >= (fixes[index - 1]?.timeMs ?? 0));
  const formats = FORMAT_NAMES.filter(
    (format, index) =>
      (index + turn) % TURNS === 0 &&
      !TOO_COARSE[name]?.includes(format) &&
      (isInOrder || !WRITTEN_IN_ORDER.includes(format)),
  );
  test.each(formats)('%s', (format) => {
    const text = FORMAT_WRITERS[format]?.(drive.drive) ?? '';
    expectTrueLaps(new TextEncoder().encode(text), drive);
  });
});

test.each(Object.entries(DRIVES))('the track of a drive %s is found', (_, { track, drive }) => {
  const file = openLapFile(new TextEncoder().encode(FORMAT_WRITERS['generic-csv']?.(drive)));
  const [match] = suggestTracks(file, buildTrackIndex([track]));
  expect(match?.confidencePct).toBeGreaterThanOrEqual(90);
});
