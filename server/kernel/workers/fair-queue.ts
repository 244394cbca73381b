import { AppError } from '#server/kernel/errors.ts';

export type FairQueueLimits = {
  /** Tasks that run at once. */
  running: number;
  /** The share of large tasks: the rest is for small tasks, which never wait for large ones to end. */
  runningLarge: number;
  /** The share of one driver. */
  runningOfOne: number;
  waiting: number;
};

/** Names the driver of a task, and says whether it is a large one. */
export type Turn = { key: string; isLarge: boolean };

export type FairQueue = {
  /** Runs `work` when it is its turn. @throws AppError `unavailable` where too many wait already */
  run: <Result>(turn: Turn, work: () => Promise<Result>) => Promise<Result>;
  load: () => { running: number; waiting: number };
};

type Waiting = Turn & { start: () => void };

/** Lets drivers take turns: a driver with many tasks waits for their own, and others wait for one of these at most. */
export function openFairQueue(limits: FairQueueLimits): FairQueue {
  // The order is that of the next turns; a driver who has had one goes to the end.
  const waiting = new Map<string, Waiting[]>();
  const runningCounts = new Map<string, number>();
  const counts = { running: 0, large: 0, waiting: 0 };

  function findStartable(key: string, tasks: readonly Waiting[]): number {
    if ((runningCounts.get(key) ?? 0) >= limits.runningOfOne) return -1;
    return tasks.findIndex(({ isLarge }) => !isLarge || counts.large < limits.runningLarge);
  }

  function startWaiting(): void {
    for (const [key, tasks] of waiting) {
      if (counts.running >= limits.running) return;
      const index = findStartable(key, tasks);
      const [task] = index === -1 ? [] : tasks.splice(index, 1);
      if (!task) continue;
      waiting.delete(key);
      if (tasks.length > 0) waiting.set(key, tasks);
      counts.waiting -= 1;
      count(task, 1);
      task.start();
    }
  }

  function count({ key, isLarge }: Turn, step: 1 | -1): void {
    counts.running += step;
    if (isLarge) counts.large += step;
    const own = (runningCounts.get(key) ?? 0) + step;
    if (own === 0) runningCounts.delete(key);
    else runningCounts.set(key, own);
  }

  return {
    run: async (turn, work) => {
      if (counts.waiting >= limits.waiting)
        throw new AppError('unavailable', 'Too many files are being read. Please try again in a minute.');
      await new Promise<void>((start) => {
        const tasks = waiting.get(turn.key) ?? [];
        waiting.set(turn.key, [...tasks, { ...turn, start }]);
        counts.waiting += 1;
        startWaiting();
      });
      try {
        return await work();
      } finally {
        count(turn, -1);
        startWaiting();
      }
    },
    load: () => ({ running: counts.running, waiting: counts.waiting }),
  };
}
