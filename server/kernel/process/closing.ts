import { setTimeout as sleep } from 'node:timers/promises';

/** One part of a server that must be closed. */
export type ClosingStep = {
  /** What was not waited for to the end, for the person at the terminal. */
  name: string;
  /** The step has this time in any case, and what the steps before it have left of theirs. */
  reservedMs: number;
  /** Closes the part. A step that lasts longer than `patienceMs` is not waited for. */
  close: (patienceMs: number) => Promise<void>;
};

/** Collects the parts of a server while they are opened, and closes them, the last one first, before one deadline. */
export type Closing = {
  add: (step: ClosingStep) => void;
  /**
   * Closes everything within `withinMs` and returns the names of the steps that were given up. A step that fails does not stop
   * the others.
   * @throws the error of the first step that failed, after all others
   */
  closeAll: (withinMs: number) => Promise<string[]>;
};

export function openClosing(): Closing {
  const steps: ClosingStep[] = [];
  return {
    add: (step) => void steps.push(step),
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
