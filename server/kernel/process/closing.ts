import { setTimeout as sleep } from 'node:timers/promises';

/** Closes one part of a server. It is not waited for longer than `patienceMs`. */
export type Close = (patienceMs: number) => Promise<void>;

/** Collects the parts of a server while they are opened, and closes them, the last one first, before one deadline. */
export type Closing = {
  /** The step has `reservedMs` in any case, and what the steps before it have left of theirs. */
  add: (name: string, reservedMs: number, close: Close) => void;
  /**
   * Closes everything within `withinMs` and returns the names of the steps that were given up. A step that fails does not stop
   * the others.
   * @throws the error of the first step that failed, after all others
   */
  closeAll: (withinMs: number) => Promise<string[]>;
};

export function openClosing(): Closing {
  const steps: { name: string; reservedMs: number; close: Close }[] = [];
  return {
    add: (name, reservedMs, close) => void steps.push({ name, reservedMs, close }),
    closeAll: async (withinMs) => {
      const endsAtMs = performance.now() + withinMs;
      const givenUp: string[] = [];
      const errors: unknown[] = [];
      for (let step = steps.pop(); step; step = steps.pop()) {
        const reservedMs = steps.reduce((sum, later) => sum + later.reservedMs, 0);
        const patienceMs = Math.max(0, endsAtMs - performance.now() - reservedMs);
        try {
          if (!(await isDoneWithin(patienceMs, step.close(patienceMs)))) givenUp.push(step.name);
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw errors[0];
      return givenUp;
    },
  };
}

/** Waits for `work`, but not forever; returns whether it was done. */
async function isDoneWithin(patienceMs: number, work: Promise<void>): Promise<boolean> {
  const timer = new AbortController();
  const patience = sleep(patienceMs, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), patience]);
  } finally {
    timer.abort();
  }
}
