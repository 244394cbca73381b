import { expect, test } from 'vitest';
import { unknownFix } from '#engine/receivers/live-fix.ts';
import { SignalMeter } from './measure-signal.ts';

function fixAt(timeMs: number) {
  return { ...unknownFix(timeMs), timeMs, latitude: 52, longitude: 4, accuracyMeters: 0.4, satellites: 14 };
}

test('the rate is that of the stamps, whenever the bytes arrive', () => {
  const meter = new SignalMeter();
  for (let step = 0; step < 50; step += 1) meter.add({ ...fixAt(40 * step), arrivalMs: 7 });
  expect(meter.state.rateHz).toBeCloseTo(25);
  expect(meter.state).toMatchObject({ satellites: 14, accuracyMeters: 0.4, position: { lat: 52, lon: 4 } });
});

test('a pause of more than a few steps is a hole, and the rate afterwards is the old one', () => {
  const meter = new SignalMeter();
  for (let step = 0; step < 50; step += 1) expect(meter.add(fixAt(40 * step))).toBe(0);
  expect(meter.add(fixAt(1_960 + 1_240))).toBeCloseTo(1_200);
  expect(meter.state.rateHz).toBeCloseTo(25);
  expect(meter.add(fixAt(1_960 + 1_280))).toBe(0);
});

test('positions once a second have no hole where one is late', () => {
  const meter = new SignalMeter();
  for (let step = 0; step < 10; step += 1) meter.add(fixAt(1_000 * step));
  expect(meter.add(fixAt(11_200))).toBe(0);
  expect(meter.add(fixAt(16_200))).toBeCloseTo(4_000, -3);
});

test('without a position nothing is measured', () => {
  const meter = new SignalMeter();
  expect(meter.add({ ...unknownFix(5), satellites: 2, fixKind: 'none' })).toBe(0);
  expect(meter.state).toMatchObject({ satellites: 2, fixKind: 'none', position: null, lastFixAtMs: null });
});
