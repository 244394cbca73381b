import { expect, test } from 'vitest';
import { type FairQueueLimits, openFairQueue, type Turn } from './fair-queue.ts';

const LIMITS: FairQueueLimits = { running: 2, runningLarge: 1, runningOfOne: 1, waiting: 100 };

/** A queue whose tasks end when the test says so; notes the order in which they begin. */
function openControlled(limits: Partial<FairQueueLimits> = {}) {
  const queue = openFairQueue({ ...LIMITS, ...limits });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (name: string, turn: Turn) =>
    queue.run(turn, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, begun, add, end };
}

const large = (key: string): Turn => ({ key, isLarge: true });
const small = (key: string): Turn => ({ key, isLarge: false });

test('drivers take turns, however many tasks one of them has sent before', async () => {
  const { begun, add, end } = openControlled({ running: 1 });
  for (let count = 1; count <= 3; count++) void add(`Ana ${count}`, small('ana'));
  void add('Ben 1', small('ben'));
  void add('Cleo 1', small('cleo'));
  await end('');
  for (const name of ['Ana 1', 'Ana 2', 'Ben 1', 'Cleo 1']) await end(name);
  // Ana was the next one before the others came.
  expect(begun).toEqual(['Ana 1', 'Ana 2', 'Ben 1', 'Cleo 1', 'Ana 3']);
});

test('a small task does not wait for large ones to end', async () => {
  const { begun, add, end, queue } = openControlled({ runningOfOne: 2 });
  void add('Ana’s large one', large('ana'));
  void add('Ben’s large one', large('ben'));
  void add('Cleo’s small one', small('cleo'));
  await end('');
  expect(begun).toEqual(['Ana’s large one', 'Cleo’s small one']);
  expect(queue.load()).toEqual({ running: 2, waiting: 1 });
  await end('Cleo’s small one');
  expect(begun).toHaveLength(2);
  await end('Ana’s large one');
  expect(begun.at(-1)).toBe('Ben’s large one');
});

test('a driver never has all threads', async () => {
  const { begun, add, end } = openControlled();
  void add('Ana 1', small('ana'));
  void add('Ana 2', small('ana'));
  await end('');
  expect(begun).toEqual(['Ana 1']);
  void add('Ben 1', small('ben'));
  await end('');
  expect(begun).toEqual(['Ana 1', 'Ben 1']);
});

test('a task that fails gives its turn to the next one', async () => {
  const { begun, add, end, queue } = openControlled({ running: 1 });
  const failing = queue.run(small('ana'), () => Promise.reject(new Error('It failed.')));
  void add('Ben 1', small('ben'));
  await expect(failing).rejects.toThrow('It failed.');
  await end('');
  expect(begun).toEqual(['Ben 1']);
});

test('a full queue refuses the next task', async () => {
  const { add } = openControlled({ running: 1, waiting: 1 });
  void add('Ana 1', small('ana'));
  void add('Ana 2', small('ana'));
  await expect(add('Ana 3', small('ana'))).rejects.toMatchObject({ code: 'unavailable' });
});
