import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { singleFlight } from './single-flight.ts';

/** Loads that end when the test lets them, each with its number. */
function heldLoads() {
  const loads: { key: string; end: () => void; fail: () => void }[] = [];
  const get = singleFlight(
    (key: string) =>
      new Promise<number>((resolve, reject) => {
        const number = loads.length + 1;
        loads.push({ key, end: () => resolve(number), fail: () => reject(new Error('unavailable')) });
      }),
  );
  return { loads, get };
}

test('calls during a load share the next one, which begins after it', async () => {
  const { loads, get } = heldLoads();
  const first = get('spa');
  const others = [get('spa'), get('spa')];
  expect(loads).toHaveLength(1);
  loads[0]?.end();
  expect(await first).toBe(1);
  await setImmediate();
  expect(loads).toHaveLength(2);
  const late = get('spa');
  loads[1]?.end();
  expect(await Promise.all(others)).toEqual([2, 2]);
  await setImmediate();
  loads[2]?.end();
  expect(await late).toBe(3);
  const later = get('spa');
  loads[3]?.end();
  expect(await later).toBe(4);
});

test('loads of different keys run at the same time', async () => {
  const { loads, get } = heldLoads();
  const values = [get('spa'), get('monza')];
  expect(loads.map(({ key }) => key)).toEqual(['spa', 'monza']);
  for (const { end } of loads) end();
  expect(await Promise.all(values)).toEqual([1, 2]);
});

test('a load that fails fails for its own calls, and the next one begins all the same', async () => {
  const { loads, get } = heldLoads();
  const first = get('spa');
  const second = get('spa');
  loads[0]?.fail();
  await expect(first).rejects.toThrow('unavailable');
  await setImmediate();
  loads[1]?.end();
  expect(await second).toBe(2);
});
