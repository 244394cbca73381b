import { expect, test } from 'vitest';
import { at } from '../../fix-columns.ts';
import { simulateDrive } from '../../simulation/drive.ts';
import { writeAimXrk } from '#engine/testing/write-aim-xrk.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import {
  describeXrkChannel,
  describeXrkGroup,
  writeXrkGroupSample,
  writeXrkSample,
  writeXrkSamples,
  type XrkChannelToWrite,
} from '../../testing/write-xrk-channel.ts';
import { readLapFile } from '../recognise.ts';

const drive = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 2,
  startTimeMs: Date.UTC(2026, 4, 16, 9, 30),
  receiver: { rateHz: 8, timeStampStepMs: 1 },
});
const recording = writeAimXrk(drive);

const RPM: XrkChannelToWrite = { index: 24, name: 'RPM', unit: 15, coding: 4, stepMs: 20 };
const THROTTLE: XrkChannelToWrite = { index: 25, name: 'PPS', unit: 1, coding: 6, stepMs: 50 };
const STEERING: XrkChannelToWrite = { index: 26, name: 'Steering_Pos', unit: 4, coding: 6, stepMs: 50 };
const TEMPERATURE: XrkChannelToWrite = { index: 27, name: 'Water Temp', unit: 17, coding: 4, stepMs: 50 };

/** The logger's clock is at 4,700 ms at the first fix; fixes arrive 30 to 45 ms after they were taken. */
const FIRST_FIX_MS = 4700;
const END_MS = 60_000;

function read(...parts: Uint8Array[]) {
  return readLapFile(Buffer.concat([recording, ...parts])).fixes;
}

/** Returns a sample for every step of a channel from before the first fix on. */
function everyStep(stepMs: number, write: (timeMs: number) => Uint8Array): Uint8Array[] {
  return Array.from({ length: END_MS / stepMs }, (_, index) => write(4000 + index * stepMs));
}

test('single samples are averaged around the arrival of each fix', () => {
  const samples = everyStep(20, (timeMs) => writeXrkSample(RPM, timeMs, timeMs / 4));
  const { channels, timesMs } = read(describeXrkChannel(RPM), describeXrkChannel(TEMPERATURE), ...samples);
  const { rpm } = channels ?? {};
  expect(Object.keys(channels ?? {})).toEqual(['rpm']);
  for (const fix of [0, 40, 160]) {
    const arrivalMs = FIRST_FIX_MS + at(timesMs, fix) - at(timesMs, 0) + 37;
    expect(Math.abs(at(rpm ?? timesMs, fix) - arrivalMs / 4)).toBeLessThan(6);
  }
});

const tenValues = (timeMs: number) => Array.from({ length: 10 }, (_, place) => (timeMs + 20 * place) / 4);

test('samples that come many at once are one interval apart', () => {
  const single = everyStep(20, (timeMs) => writeXrkSample(RPM, timeMs, timeMs / 4));
  const many = everyStep(200, (timeMs) => writeXrkSamples(RPM, timeMs, tenValues(timeMs)));
  const [one, other] = [single, many].map(
    (samples) => read(describeXrkChannel(RPM), ...samples).channels?.rpm,
  );
  expect(other?.length).toBe(drive.fixes.length);
  expect(other).toEqual(one);
});

test('channels of a group come in one sample, each in its own coding', () => {
  const group = everyStep(50, (timeMs) =>
    writeXrkGroupSample(3, timeMs, [
      { coding: 6, value: 100 - (timeMs % 1000) / 10 },
      { coding: 4, value: 90 },
      { coding: 6, value: -45.5 + (timeMs >= 30_000 ? 100 : 0) },
    ]),
  );
  const { channels } = read(
    ...[THROTTLE, TEMPERATURE, STEERING].map(describeXrkChannel),
    describeXrkGroup(3, [THROTTLE.index, TEMPERATURE.index, STEERING.index]),
    ...group,
  );
  expect(Object.keys(channels ?? {}).toSorted()).toEqual(['steering', 'throttle']);
  expect(channels?.steering?.[0]).toBeCloseTo(-45.5, 3);
  const throttle = channels?.throttle ?? new Float64Array();
  expect(Math.max(...throttle.filter((value) => value >= 0))).toBeLessThanOrEqual(100);
  expect(throttle.filter((value) => value > 80).length).toBeGreaterThan(10);
});

test('gears are letters in a coding of their own, and accelerations may be thousandths of g', () => {
  const gear: XrkChannelToWrite = { index: 28, name: 'Gear', unit: 31, coding: 15, stepMs: 50 };
  const acceleration: XrkChannelToWrite = { index: 29, name: 'InlineAcc', unit: 37, coding: 4, stepMs: 50 };
  const { channels } = read(
    describeXrkChannel(gear),
    describeXrkChannel(acceleration),
    ...everyStep(50, (timeMs) => writeXrkSample(gear, timeMs, 'N123456'.charCodeAt(timeMs / 10_000))),
    ...everyStep(50, (timeMs) => writeXrkSample(acceleration, timeMs, timeMs < 20_000 ? 500 : -800)),
  );
  expect([...new Set(channels?.gear)].slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
  expect(channels?.longitudinalAcceleration?.[8]).toBeCloseTo(0.5 * 9.806_65, 6);
});

test('bytes that look like samples of another time, or do not end as one, are none', () => {
  const samples = everyStep(20, (timeMs) => writeXrkSample(RPM, timeMs, timeMs / 4));
  const expected = read(describeXrkChannel(RPM), ...samples).channels;
  const damaged = writeXrkSample(RPM, 5000, 20_000).slice(0, -1);
  const elsewhere = writeXrkSample(RPM, 2_000_000_000, 20_000);
  expect(read(describeXrkChannel(RPM), damaged, Uint8Array.of(0), elsewhere, ...samples).channels).toEqual(
    expected,
  );
});
