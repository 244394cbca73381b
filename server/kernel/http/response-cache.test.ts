import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { openResponseCache } from './response-cache.ts';

const counting = (size = 10) => {
  let count = 0;
  return { build: async () => JSON.stringify({ call: ++count, text: 'x'.repeat(size) }), calls: () => count };
};

test('a response is built once for each version, also for calls that come at once', async () => {
  const cache = openResponseCache();
  const { build, calls } = counting();
  const [first, second] = await Promise.all([cache('a', '1', build), cache('a', '1', build)]);
  expect(await cache('a', '1', build)).toBe(first);
  expect(second).toBe(first);
  expect(calls()).toBe(1);
  expect((await cache('a', '2', build)).json.toString()).toContain('"call":2');
  expect((await cache('b', '2', build)).etag).not.toBe(first.etag);
});

test('a response that could not be built is not cached', async () => {
  const cache = openResponseCache();
  await expect(cache('a', '1', () => Promise.reject(new Error('unavailable')))).rejects.toThrow(
    'unavailable',
  );
  const { build, calls } = counting();
  await cache('a', '1', build);
  expect(calls()).toBe(1);
});

test('the least recently used responses make room for others, and the cache keeps no more than allowed', async () => {
  const cache = openResponseCache(6_000);
  const { build, calls } = counting(900); // with what it costs besides, three of them fit
  for (const key of ['a', 'b', 'c']) await cache(key, '1', build);
  await cache('a', '1', build);
  expect(calls()).toBe(3);
  await cache('d', '1', build);
  await cache('a', '1', build);
  expect(calls()).toBe(4);
  await cache('b', '1', build);
  expect(calls()).toBe(5);
  const large = counting(50_000);
  await cache('large', '1', large.build);
  await cache('large', '1', large.build);
  expect(large.calls()).toBe(2);
});

test('a response that is evicted during its build still goes to the calls that wait for it', async () => {
  const cache = openResponseCache(3_000);
  const { build } = counting(900);
  const slow = new EventEmitter();
  const buildSlowly = async () => String(await once(slow, 'done'));
  const waiting = [cache('slow', '1', buildSlowly), cache('slow', '1', buildSlowly)];
  for (const key of ['a', 'b', 'c', 'd']) await cache(key, '1', build);
  slow.emit('done', '"slow"');
  expect((await Promise.all(waiting)).map(({ json }) => json.toString())).toEqual(['"slow"', '"slow"']);
});
