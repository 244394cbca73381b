import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import { flagEndpoints, type LapFlags } from '#contract/moderation/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { isOnlySlow } from '#server/model/laps/leave-out.ts';
import {
  decideLap,
  findConflict,
  getFlaggableLap,
  type LapKey,
  undoLatestDecision,
} from '#server/model/flags/decide-lap.ts';
import { isOnBoards, flagLap, toFlag } from '#server/model/flags/flag-lap.ts';
import {
  type FlaggableLap,
  insertFlag,
  listDecisions,
  listFlags,
  listQueue,
  lockFlagsByUser,
} from '#server/model/flags/flag-store.ts';
import { listQuestions } from '#server/model/flags/question-store.ts';

const DONE = { done: true as const };

export function mountFlagRoutes(app: FastifyInstance, { database: { db, pool } }: Services): void {
  serve(app, flagEndpoints.flag, async ({ viewer, params, body }) => {
    await flagLap(db, viewer.id, params, body);
    return DONE;
  });

  serve(app, flagEndpoints.ofLap, async ({ viewer, params }) => {
    const lap = await getOwnLap(db, viewer.id, params);
    return await describeFlags(db, lap);
  });

  serve(app, flagEndpoints.appeal, async ({ viewer, params, body }) => {
    await db.transaction(async (tx) => {
      await lockFlagsByUser(tx, viewer.id);
      const lap = await getOwnLap(tx, viewer.id, params);
      if (!(await describeFlags(tx, lap)).mayAppeal)
        throw new AppError('conflict', 'This lap is not rejected, or you have appealed already.');
      await insertFlag(tx, { ...toFlag(lap, viewer.id), reason: 'appeal', sentence: body.sentence });
    });
    return DONE;
  });

  serve(app, flagEndpoints.queue, async ({ viewer, query }) => {
    const queue = await listQueue(pool, viewer.id, query.order ?? 'age');
    return queue.map(({ hasOwnFlag, isAppealed, decidedBy, ...lap }) => ({
      ...lap,
      whyNot: findConflict({
        isOwn: lap.driverId === viewer.id,
        hasOwnFlag,
        isOwnDecisionAppealed: isAppealed && decidedBy === viewer.id,
      }),
    }));
  });

  serve(app, flagEndpoints.decide, async ({ viewer, params, body }) => {
    const lapIds = await decideLap(db, viewer.id, params, body);
    return { ...DONE, lapIds };
  });

  serve(app, flagEndpoints.undo, async ({ viewer, params }) => {
    await undoLatestDecision(db, viewer.id, params);
    return DONE;
  });
}

async function getOwnLap(db: Database, userId: UserId, key: LapKey): Promise<FlaggableLap> {
  const lap = await getFlaggableLap(db, key);
  if (lap.driverId === userId) return lap;
  // A hidden lap is answered like a missing one.
  if (!(await isOnBoards(db, lap))) throw new AppError('not_found', 'There is no such lap.');
  throw new AppError('not_allowed', 'Only the driver of a lap sees what is doubted about it.');
}

async function describeFlags(db: Database, lap: FlaggableLap): Promise<LapFlags> {
  const { id } = lap;
  const flags = await listFlags(db, id);
  const [latest] = await listDecisions(db, id);
  return {
    openFlags: flags
      .filter(({ decisionId }) => decisionId === null)
      .map(({ reason, sentence, flaggedAt }) => ({ reason, sentence, flaggedAt: flaggedAt.toISOString() })),
    questions: (await listQuestions(db, id)).map(({ question, askedAt, answer, answeredAt }) => ({
      question,
      askedAt: askedAt.toISOString(),
      answer,
      answeredAt: answeredAt?.toISOString() ?? null,
    })),
    decision: latest
      ? { verdict: latest.verdict, reason: latest.reason, decidedAt: latest.decidedAt.toISOString() }
      : null,
    mayAppeal: isRejected(lap) && !flags.some(({ reason }) => reason === 'appeal'),
  };
}

/** Tests if a moderator, or the check for slow laps alone, has rejected the lap. */
function isRejected({ status, reasons, rejectedStatus }: FlaggableLap): boolean {
  return rejectedStatus !== null || (status === 'rejected' && isOnlySlow({ reasons }));
}
