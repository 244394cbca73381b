import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { shareBoardVersions } from './board-versions.ts';

afterEach(() => void vi.useRealTimers());

/** Readings that end when the test lets them. */
function heldReadings(leaseMs = 0) {
  const readings: {
    trackIds: string[];
    end: (versions: Record<string, string>) => void;
    fail: () => void;
  }[] = [];
  const findVersion = shareBoardVersions(
    (trackIds) =>
      new Promise((resolve, reject) => {
        readings.push({
          trackIds,
          end: (versions) => resolve(new Map(Object.entries(versions))),
          fail: () => reject(new Error('away')),
        });
      }),
    leaseMs,
  );
  return { readings, findVersion };
}

/** Until whatever was to begin in this turn of the event loop and the next has begun. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate();
}

test('calls that come together are answered by one reading, each for its track', async () => {
  const { readings, findVersion } = heldReadings();
  const answers = Promise.all([
    findVersion('spa'),
    findVersion('monza'),
    findVersion('spa'),
    findVersion('none'),
  ]);
  await settle();
  expect(readings.map(({ trackIds }) => trackIds)).toEqual([['spa', 'monza', 'none']]);
  readings[0]?.end({ spa: '7', monza: '3' });
  expect(await answers).toEqual(['7', '3', '7', undefined]);
});

test('a call that comes during a reading is answered by the next one, which begins after it', async () => {
  const { readings, findVersion } = heldReadings();
  const early = findVersion('spa');
  await settle();
  const late = findVersion('spa');
  await settle();
  expect(readings).toHaveLength(1);
  readings[0]?.end({ spa: '7' });
  await settle();
  expect(readings).toHaveLength(2);
  readings[1]?.end({ spa: '8' });
  expect(await early).toBe('7');
  expect(await late).toBe('8');
});

test('a reading that fails fails its own calls and no others', async () => {
  const { readings, findVersion } = heldReadings();
  const early = findVersion('spa');
  await settle();
  const late = findVersion('spa');
  readings[0]?.fail();
  await expect(early).rejects.toThrow('away');
  await settle();
  readings[1]?.end({ spa: '8' });
  expect(await late).toBe('8');
});

test('a version is good for the lease, which begins when its reading does', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { readings, findVersion } = heldReadings(10);
  const first = findVersion('spa');
  await settle();
  vi.advanceTimersByTime(4);
  readings[0]?.end({ spa: '7' });
  expect(await first).toBe('7');
  vi.advanceTimersByTime(5);
  expect(await findVersion('spa')).toBe('7');
  expect(readings).toHaveLength(1);

  vi.advanceTimersByTime(1);
  const later = findVersion('spa');
  await settle();
  expect(readings).toHaveLength(2);
  readings[1]?.end({ spa: '8' });
  expect(await later).toBe('8');
});

test('the lease of one track is none for another, nor for one that is not there', async () => {
  const { readings, findVersion } = heldReadings(60_000);
  const known = findVersion('spa');
  await settle();
  readings[0]?.end({ spa: '7' });
  await known;
  const unknown = Promise.all([findVersion('monza'), findVersion('none')]);
  await settle();
  readings[1]?.end({ monza: '3' });
  expect(await unknown).toEqual(['3', undefined]);
  void findVersion('none');
  await settle();
  expect(readings.map(({ trackIds }) => trackIds)).toEqual([['spa'], ['monza', 'none'], ['none']]);
});
