import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import { flagEndpoints } from '#contract/moderation/schemas.ts';
import { changeLaps } from '#server/model/boards/change-laps.ts';
import { recordEvents } from '#server/model/events/deliver-events.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { WriteAudit } from '#server/kernel/http/endpoint-hooks.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { openContent } from '#server/kernel/storage/compressed.ts';
import { checkMayDecide, getFlaggableLap, type LapKey } from '#server/model/flags/decide-lap.ts';
import { findChecks, listFlags, lockLapReview } from '#server/model/flags/flag-store.ts';
import {
  answerQuestion,
  findLapFile,
  insertQuestion,
  listAnswerReaders,
  listQuestions,
  deleteEvidence,
  upsertEvidence,
} from '#server/model/flags/question-store.ts';

const DONE = { done: true as const };

export function mountQueueRoutes(app: FastifyInstance, { database, storage }: Services): void {
  const { db } = database;

  serve(app, flagEndpoints.ask, async ({ viewer, params, body, audit }) => {
    await askDriver(db, params, { userId: viewer.id, ...body, audit });
    return DONE;
  });

  serve(app, flagEndpoints.answer, async ({ viewer, params, body }) => {
    await answerModerator(db, viewer.id, params, body.answer);
    return DONE;
  });

  serve(app, flagEndpoints.lapFile, async ({ viewer, params, reply }) => {
    await requireOpenFlag(db, params, viewer.id);
    const file = await findLapFile(db, params.trackId, params.lapId);
    const content = file && (await openContent(storage, file.storageKey));
    if (!content) throw new AppError('not_found', 'The lap file is not there any more.');
    const name = encodeURIComponent(file.fileName);
    return reply
      .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
      .type(flagEndpoints.lapFile.response)
      .send(content);
  });

  serve(app, flagEndpoints.grantOfficial, async ({ viewer, params, body, audit }) => {
    await changeOfficial(db, params, { userId: viewer.id, ...body, audit });
    return DONE;
  });

  serve(app, flagEndpoints.revokeOfficial, async ({ viewer, params, audit }) => {
    await changeOfficial(db, params, { userId: viewer.id, source: null, audit });
    return DONE;
  });

  serve(app, flagEndpoints.checks, ({ params, request }) =>
    database.read(request, async (source) => {
      const checks = await findChecks(source.pool, params.trackId);
      return found(checks, flagEndpoints.checks);
    }),
  );
}

/** Returns the lap, if it has an open flag, which `readerId` has not set. @throws AppError `conflict` */
async function requireOpenFlag(db: Database, key: LapKey, readerId: UserId | null = null) {
  const lap = await getFlaggableLap(db, key);
  const openFlags = (await listFlags(db, lap.id)).filter(({ decisionId }) => decisionId === null);
  if (openFlags.length === 0)
    throw new AppError('conflict', 'This lap has no open flag; somebody may have decided.');
  if (readerId !== null && openFlags.every(({ userId }) => userId === readerId))
    throw new AppError('conflict', 'Only you have flagged this lap. Another moderator may read its file.');
  return lap;
}

type Question = { userId: UserId; question: string; audit: WriteAudit };

async function askDriver(db: Database, key: LapKey, { userId, question, audit }: Question): Promise<void> {
  await db.transaction(async (tx) => {
    await lockLapReview(tx, key.lapId);
    const lap = await requireOpenFlag(tx, key);
    await checkMayDecide(tx, userId, lap);
    if ((await listQuestions(tx, lap.id)).some(({ answer }) => answer === null))
      throw new AppError('conflict', 'The driver has been asked already, and has not answered yet.');
    await insertQuestion(tx, { ...key, driverId: lap.driverId, askedBy: userId, question });
    await audit(tx, { subject: lap.id, changes: { question: [null, question] } });
    await recordEvents(tx, key.trackId, [
      {
        kind: 'lap_questioned',
        userId: lap.driverId,
        otherUserId: null,
        sessionId: lap.sessionId,
        payload: { lapId: lap.id, lapTimeMs: lap.lapTimeMs, question },
      },
    ]);
  });
}

async function answerModerator(db: Database, userId: UserId, key: LapKey, answer: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockLapReview(tx, key.lapId);
    const lap = await getFlaggableLap(tx, key);
    if (lap.driverId !== userId) throw new AppError('not_found', 'There is no such lap.');
    const askedBy = await answerQuestion(tx, lap.id, answer);
    if (askedBy === undefined) throw new AppError('conflict', 'There is no open question about this lap.');
    const readerIds = await listAnswerReaders(tx, askedBy, userId);
    await recordEvents(
      tx,
      key.trackId,
      readerIds.map((readerId) => ({
        kind: 'lap_answered',
        userId: readerId,
        otherUserId: userId,
        sessionId: lap.sessionId,
        payload: { lapId: lap.id, lapTimeMs: lap.lapTimeMs, answer },
      })),
    );
  });
}

/** Changes the official mark, which the board shows at once, for the filter by evidence. */
async function changeOfficial(
  db: Database,
  key: LapKey,
  { userId, source, audit }: { userId: UserId; source: string | null; audit: WriteAudit },
): Promise<void> {
  await db.transaction((tx) =>
    changeLaps(tx, { trackId: key.trackId, userIds: [], recorded: 'none' }, async () => {
      const lap = await getFlaggableLap(tx, key);
      if (lap.driverId === userId)
        throw new AppError('not_allowed', 'This is your own lap: somebody else decides.');
      if (source === null) {
        if (!(await deleteEvidence(tx, key, 'official')))
          throw new AppError('conflict', 'This lap is not official.');
      } else
        await upsertEvidence(tx, {
          ...key,
          driverId: lap.driverId,
          kind: 'official',
          source,
          grantedBy: userId,
        });
      await audit(tx, { subject: lap.id, changes: { source: [null, source] } });
    }),
  );
}
