import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { BINARY_WRITERS } from './testing/binary-writers.ts';
import { simulateDrive } from './simulation/drive.ts';
import { KART_TRACK } from './testing/kart-track.ts';
import { openLapFile, timeLaps } from './time-lap-file.ts';
import { isRanking } from './timing/laps.ts';

/** Changes one file of every binary format in ways that leave its laps as they are or take some of them away. */
const drive = simulateDrive(KART_TRACK, {
  seed: 8,
  laps: 2,
  startTimeMs: Date.UTC(2026, 4, 16, 9, 30),
  receiver: { rateHz: 10, timeStampStepMs: 1 },
});

function lapTimes(bytes: Uint8Array): number[] {
  const { laps } = timeLaps(openLapFile(bytes, inflateLapFile), KART_TRACK);
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
