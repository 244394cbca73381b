import { expect, test } from 'vitest';
import { finishBoard, keepFinishedBoards } from './response-cache.ts';

const counting = (size = 10) => {
  let count = 0;
  return { make: () => finishBoard({ call: ++count, text: 'x'.repeat(size) }), calls: () => count };
};

test('an answer is made once for each version, also for calls that come at once', async () => {
  const boards = keepFinishedBoards();
  const { make, calls } = counting();
  const [first, second] = await Promise.all([boards.get('a', '1', make), boards.get('a', '1', make)]);
  expect(await boards.get('a', '1', make)).toBe(first);
  expect(second).toBe(first);
  expect(calls()).toBe(1);
  expect((await boards.get('a', '2', make)).json.toString()).toContain('"call":2');
  expect((await boards.get('b', '2', make)).etag).not.toBe(first.etag);
});

test('an answer that could not be made is not kept', async () => {
  const boards = keepFinishedBoards();
  await expect(boards.get('a', '1', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  const { make, calls } = counting();
  await boards.get('a', '1', make);
  expect(calls()).toBe(1);
});

test('what was not asked for the longest makes room for others, and no more is kept than allowed', async () => {
  const boards = keepFinishedBoards(6_000);
  const { make, calls } = counting(900); // with what it costs besides, three of them fit
  for (const key of ['a', 'b', 'c']) await boards.get(key, '1', make);
  await boards.get('a', '1', make);
  expect(calls()).toBe(3);
  await boards.get('d', '1', make);
  await boards.get('a', '1', make);
  expect(calls()).toBe(4);
  await boards.get('b', '1', make);
  expect(calls()).toBe(5);
  const large = counting(50_000);
  await boards.get('large', '1', large.make);
  await boards.get('large', '1', large.make);
  expect(large.calls()).toBe(2);
});
