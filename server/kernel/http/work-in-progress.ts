import type { FastifyRequest } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import { AppError } from '#server/kernel/errors.ts';

/** Runs `work` for a driver. @throws AppError `too_many_requests` where too much of theirs is under way already */
export type WorkInProgress = <Result>(
  request: FastifyRequest,
  userId: UserId,
  work: () => Promise<Result>,
) => Promise<Result>;

/** Limits how much one driver may have under way at once in this process. */
export function limitWorkInProgress(max: number): WorkInProgress {
  const counts = new Map<string, number>();
  return async (request, userId, work) => {
    const count = (counts.get(userId) ?? 0) + 1;
    if (count > max) {
      // A sender who is still writing would never see our answer.
      request.raw.resume();
      const sentence = `You have ${max} files under way. Please wait until one of them is done.`;
      throw new AppError('too_many_requests', sentence);
    }
    counts.set(userId, count);
    try {
      return await work();
    } finally {
      const left = (counts.get(userId) ?? 1) - 1;
      if (left === 0) counts.delete(userId);
      else counts.set(userId, left);
    }
  };
}
