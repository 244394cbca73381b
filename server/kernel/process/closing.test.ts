import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openClosing } from './closing.ts';

const never = new Promise<void>(() => undefined);

test('parts are closed in reverse order, each after the one before it', async () => {
  const closing = openClosing();
  const closed: string[] = [];
  for (const name of ['folder', 'database', 'app'])
    closing.add(name, 10, async () => {
      await sleep(5);
      closed.push(name);
    });
  expect(await closing.closeAll(10_000)).toEqual([]);
  expect(closed).toEqual(['app', 'database', 'folder']);
  expect(await closing.closeAll(10_000)).toEqual([]);
  expect(closed).toHaveLength(3);
});

test('steps that never end are given up, and each step after them has its time', async () => {
  const closing = openClosing();
  const patience: Record<string, number> = {};
  const hang = (name: string, reservedMs: number) =>
    closing.add(name, reservedMs, (patienceMs) => {
      patience[name] = patienceMs;
      return never;
    });
  hang('folder', 100);
  hang('database', 200);
  hang('app', 300);
  const beganMs = performance.now();
  expect(await closing.closeAll(1_000)).toEqual(['app', 'database', 'folder']);
  expect(performance.now() - beganMs).toBeGreaterThan(990);
  // The processor may do something else for a moment.
  expect(patience['app']).toBeGreaterThan(500);
  expect(patience['app']).toBeLessThanOrEqual(700);
  // A timer may end a moment early.
  expect(patience['database']).toBeLessThan(210);
  expect(patience['folder']).toBeLessThan(110);
});

test('a step that fails does not stop those after it, and its error is not lost', async () => {
  const closing = openClosing();
  const closed: string[] = [];
  closing.add('folder', 10, async () => void closed.push('folder'));
  closing.add('database', 10, async () => {
    throw new Error('The database is away.');
  });
  await expect(closing.closeAll(1_000)).rejects.toThrow('The database is away.');
  expect(closed).toEqual(['folder']);
});
