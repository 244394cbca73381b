import { expect, test } from 'vitest';
import { simulateDrive } from '../../simulation/drive.ts';
import { writeIracingIbt } from '#engine/testing/write-iracing-ibt.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { readLapFile } from '../recognise.ts';

const drive = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 3,
  startTimeMs: Date.UTC(2026, 4, 16, 9, 30),
  receiver: { rateHz: 10, timeStampStepMs: 1 },
});
const bytes = writeIracingIbt(drive);

test('a recording is that of a simulator, with times from its own start', () => {
  const { format, clock, fixes, dropped, isSimulated } = readLapFile(bytes);
  expect({ format, clock, dropped, isSimulated }).toEqual({
    format: 'iracing-ibt',
    clock: 'utc',
    dropped: {},
    isSimulated: true,
  });
  for (const [index, fix] of drive.fixes.entries()) {
    expect(fixes.timesMs[index]).toBeCloseTo(fix.timeMs, 3);
    expect(fixes.lats[index]).toBe(fix.lat);
    expect(fixes.lons[index]).toBe(fix.lon);
    expect(fixes.speedsMetersPerSecond[index]).toBeCloseTo(fix.speedMetersPerSecond, 4);
  }
});

test('the laps are those of the counter, to a row', () => {
  const { loggerLaps } = readLapFile(bytes);
  expect(loggerLaps.map(({ number }) => number)).toEqual([1, 2, 3]);
  for (const [index, { lapTimeMs }] of drive.trueLaps.entries())
    expect(Math.abs((loggerLaps[index]?.lapTimeMs ?? 0) - lapTimeMs)).toBeLessThanOrEqual(100);
});

test('pedals are shares, revolutions are not', () => {
  const { channels } = readLapFile(bytes).fixes;
  const speed = drive.fixes[50]?.speedMetersPerSecond ?? 0;
  expect(channels?.throttle?.[50]).toBeCloseTo(100 * Math.min(1, speed / 40), 3);
  expect(channels?.rpm?.[50]).toBeCloseTo(3000 + 100 * speed, 2);
});

test('rows without a position are counted, and a recording that was cut off is read as far as it goes', () => {
  const away = {
    ...drive,
    fixes: drive.fixes.map((fix, index) => (index < 4 ? { ...fix, lat: 0, lon: 0 } : fix)),
  };
  expect(readLapFile(writeIracingIbt(away)).dropped).toEqual({ no_position: 4 });
  expect(readLapFile(bytes.subarray(0, -90)).fixes.length).toBe(drive.fixes.length - 3);
});

test('a row length of nothing and variables beyond the row are refused in words', () => {
  for (const rowBytes of [0, 4, -1]) {
    const damaged = bytes.slice();
    new DataView(damaged.buffer).setInt32(36, rowBytes, true);
    expect(() => readLapFile(damaged)).toThrow('This iRacing recording has no positions');
  }
});

test('variables that share their bytes are refused in words', () => {
  const damaged = bytes.slice();
  const view = new DataView(damaged.buffer);
  view.setInt32(36, 8, true);
  for (let index = 0; index < view.getInt32(24, true); index += 1)
    view.setInt32(144 + 144 * index + 4, 0, true);
  expect(() => readLapFile(damaged)).toThrow('This iRacing recording has no positions');
});

test('a recording without positions is refused in words', () => {
  expect(() => readLapFile(writeIracingIbt(drive, { withPositions: false }))).toThrow(
    'This iRacing recording has no positions',
  );
});

test('a copy of what the simulator holds in memory is refused in words', () => {
  const live = new Uint8Array(2000);
  const view = new DataView(live.buffer);
  for (const [at, value] of [
    [0, 2],
    [20, 112],
    [24, 1],
    [28, 400],
    [36, 600],
    [52, 600],
  ] as const)
    view.setInt32(at, value, true);
  live.set(new TextEncoder().encode('---\nWeekendInfo:\n'), 112);
  expect(() => readLapFile(live)).toThrow('This iRacing recording has no positions');
});
