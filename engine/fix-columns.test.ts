import { expect, test } from 'vitest';
import { at, FixRecorder } from './fix-columns.ts';

test('a recorder gives back every fix, however many there are', () => {
  const recorder = new FixRecorder();
  const count = 20_000;
  for (let index = 0; index < count; index++)
    recorder.add(index, index / 1000, -index / 1000, index % 2 === 0 ? 5 : Number.NaN);
  const fixes = recorder.finish();

  expect(recorder.length).toBe(count);
  expect(fixes.length).toBe(count);
  const columns = [fixes.timesMs, fixes.lats, fixes.lons, fixes.speedsMetersPerSecond];
  expect(columns.map((column) => column.length)).toEqual([count, count, count, count]);
  expect(columns.map((column) => column.buffer.byteLength)).toEqual(columns.map(() => 8 * count));
  expect(columns.map((column) => at(column, 17_321))).toEqual([17_321, 17.321, -17.321, Number.NaN]);
});

test('what a recorder has given away does not change when it goes on', () => {
  const recorder = new FixRecorder();
  recorder.add(1, 2, 3, 4);
  const before = recorder.finish();
  recorder.add(5, 6, 7, 8);
  expect(before.length).toBe(1);
  expect([...before.timesMs]).toEqual([1]);
  expect([...recorder.finish().timesMs]).toEqual([1, 5]);
});

test('reading outside of a column gives NaN', () => {
  expect(at(Float64Array.of(1), 1)).toBeNaN();
  expect(at(Float64Array.of(1), -1)).toBeNaN();
});
