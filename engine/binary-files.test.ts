import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { readLapFile } from './formats/recognise.ts';
import type { Position } from './geo.ts';
import { BINARY_WRITERS } from './testing/binary-writers.ts';
import { simulateDrive } from './simulation/drive.ts';
import { KART_TRACK, kartTrackAt } from './testing/kart-track.ts';
import { openLapFile, timeLaps } from './time-lap-file.ts';
import { isRanking } from './timing/laps.ts';
import type { Track } from './track.ts';

/** Changes one file of every binary format in ways that leave its laps as they are or take some of them away. */
const drive = simulateDrive(KART_TRACK, {
  seed: 8,
  laps: 2,
  startTimeMs: Date.UTC(2026, 4, 16, 9, 30),
  receiver: { rateHz: 10, timeStampStepMs: 1 },
});

function lapTimes(bytes: Uint8Array, track: Track = KART_TRACK): number[] {
  const { laps } = timeLaps(openLapFile(bytes, inflateLapFile), track);
  return laps.filter(isRanking).map(({ lapTimeMs }) => lapTimeMs);
}

const CLOCKS = new Map([
  ['motec-ld', 'local'],
  ['ecumaster-adulog', 'elapsed'],
]);

describe.each(Object.entries(BINARY_WRITERS))('%s', (format, write) => {
  const bytes = write(drive);
  const expected = lapTimes(bytes);

  test('is recognised, and has the laps of the track', () => {
    const file = openLapFile(bytes, inflateLapFile);
    expect({ format: file.format, clock: file.clock, fixCount: file.fixCount }).toEqual({
      format,
      clock: CLOCKS.get(format) ?? 'utc',
      fixCount: drive.fixes.length,
    });
    expect(expected).toHaveLength(drive.trueLaps.length);
    for (const [index, lapTimeMs] of expected.entries())
      expect(Math.abs(lapTimeMs - (drive.trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(10);
  });

  test('is the same in gzip, and with bytes in front of it in memory', () => {
    expect(lapTimes(gzipSync(bytes))).toEqual(expected);
    const within = new Uint8Array(bytes.length + 13);
    within.set(bytes, 13);
    expect(lapTimes(within.subarray(13))).toEqual(expected);
  });
});

const MUNICH = { lat: 48.1, lon: 11.6 };

/** Names places and moments at which the numbers of some formats begin again or change their sign. */
const ODD_DRIVES: Record<string, { center?: Position; startTimeMs?: number }> = {
  'over the new year': { startTimeMs: Date.UTC(2026, 11, 31, 23, 59, 30) },
  'over a leap day': { startTimeMs: Date.UTC(2028, 1, 28, 23, 59, 30) },
  // GPS time is 18 s ahead of UTC, and its weeks begin on Sundays.
  'over the end of the GPS week': { startTimeMs: Date.UTC(2026, 4, 16, 23, 59, 10) },
  'over the end of the weeks of 10 bits': { startTimeMs: Date.UTC(2019, 3, 6, 23, 59, 10) },
  'over noon': { startTimeMs: Date.UTC(2026, 4, 16, 11, 59, 30) },
  'in the south and east': { center: { lat: -37.8, lon: 144.9 } },
  'in the south and west': { center: { lat: -34.6, lon: -58.4 } },
  'in the north and west': { center: { lat: 40.1, lon: -0.3 } },
  'across the equator': { center: { lat: 0.0002, lon: -78.4 } },
  'across the prime meridian': { center: { lat: 51.5, lon: 0.0003 } },
  'across the 180th meridian': { center: { lat: -17, lon: 179.9995 } },
};

describe.each(Object.entries(ODD_DRIVES))('a drive %s', (_, { center = MUNICH, startTimeMs }) => {
  const track = kartTrackAt(center);
  const odd = simulateDrive(track, {
    seed: 31,
    laps: 2,
    startTimeMs: startTimeMs ?? Date.UTC(2026, 4, 16, 9, 30),
    receiver: { rateHz: 10, timeStampStepMs: 10 },
  });

  test.each(Object.entries(BINARY_WRITERS))('%s', (format, write) => {
    const bytes = write(odd);
    const { clock, fixes } = readLapFile(bytes, inflateLapFile);
    const { lat, lon, timeMs } = odd.fixes[0] ?? { lat: 0, lon: 0, timeMs: 0 };
    expect(fixes.lats[0]).toBeCloseTo(lat, 5);
    expect(fixes.lons[0]).toBeCloseTo(lon, 5);
    expect(clock).toBe(CLOCKS.get(format) ?? 'utc');
    if (clock !== 'elapsed') expect(Math.abs((fixes.timesMs[0] ?? 0) - timeMs)).toBeLessThanOrEqual(1000);
    const times = lapTimes(bytes, track);
    expect(times).toHaveLength(odd.trueLaps.length);
    for (const [index, lapTimeMs] of times.entries())
      expect(Math.abs(lapTimeMs - (odd.trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(30);
  });
});
