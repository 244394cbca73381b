import type { z } from 'zod';

/** A kind of background work. A feature defines it where its code is; `startJobs` runs its handler. */
export type Job<Payload> = {
  name: string;
  /** Parses the input of the handler, which is stored as JSON. */
  payload: z.ZodType<Payload>;
  /** Jobs of one queue run one after the other, on all copies of the server together; null: at any time. */
  queue: string | null;
  /** After so many attempts, with growing pauses, the job stays as failed until somebody looks at it. */
  attemptsMax: number;
};

/** Runs a job; whatever it throws is a failed attempt. It may run more than once, so its effect must not add up. */
export type JobHandler = { name: string; run: (payload: unknown, signal: AbortSignal) => Promise<void> };

// Pauses grow from 3 seconds to 6 hours: ten attempts take ten hours.
const ATTEMPTS_MAX = 10;

export function defineJob<Payload>({
  queue = null,
  attemptsMax = ATTEMPTS_MAX,
  ...rest
}: Pick<Job<Payload>, 'name' | 'payload'> & Partial<Job<Payload>>): Job<Payload> {
  return { ...rest, queue, attemptsMax };
}

/** Says what is done for jobs of one kind. Once `signal` is aborted, a job must end soon; another copy repeats it. */
export function handleJob<Payload>(
  job: Job<Payload>,
  work: (payload: Payload, signal: AbortSignal) => Promise<void>,
): JobHandler {
  return {
    name: job.name,
    run: async (payload, signal) => await work(job.payload.parse(payload), signal),
  };
}
