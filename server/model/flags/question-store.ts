import { and, asc, eq, isNull, inArray, lt, ne, or, sql } from 'drizzle-orm';
import type { LapId, TrackId, UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { selectRememberedLaps } from './deleted-laps-store.ts';
import { lapDecisions, lapEvidence, lapFlags, lapQuestions } from './schema.ts';
import { selectRestorableLaps } from '#server/model/laps/deleted-session-store.ts';
import { lapFiles, laps, sessions } from '#server/model/laps/schema.ts';
import { users } from '#server/model/people/schema.ts';

export async function insertQuestion(
  tx: Database,
  question: typeof lapQuestions.$inferInsert,
): Promise<void> {
  await tx.insert(lapQuestions).values(question);
}

/** Lists the questions about a lap, oldest first. */
export async function listQuestions(db: Database, lapId: LapId) {
  return await db
    .select()
    .from(lapQuestions)
    .where(eq(lapQuestions.lapId, lapId))
    .orderBy(asc(lapQuestions.askedAt));
}

/** Answers the open question about a lap; returns the moderator who asked, undefined where there is none. */
export async function answerQuestion(
  tx: Database,
  lapId: LapId,
  answer: string,
): Promise<UserId | undefined> {
  const [row] = await tx
    .update(lapQuestions)
    .set({ answer, answeredAt: sql`now()` })
    .where(and(eq(lapQuestions.lapId, lapId), isNull(lapQuestions.answer)))
    .returning({ askedBy: lapQuestions.askedBy });
  return row?.askedBy;
}

/**
 * Lists the users who get a notice of an answer: the moderator who asked, and all other moderators where that one has lost the
 * role or left. Owners by the server's settings have no stored role, so the list always includes the moderator who asked.
 */
export async function listAnswerReaders(tx: Database, askedBy: UserId, driverId: UserId): Promise<UserId[]> {
  const asked = await tx.select({ role: users.role }).from(users).where(eq(users.id, askedBy));
  const isModerating = asked.some(({ role }) => role !== 'member');
  const others = and(
    ne(users.role, 'member'),
    ne(users.id, driverId),
    isNull(users.suspendedAt),
    isNull(users.deletionDueAt),
  );
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(isModerating ? eq(users.id, askedBy) : or(eq(users.id, askedBy), others));
  return rows.map(({ id }) => id);
}

/** Finds the storage key of a lap's raw file, and the file name of its driver. */
export async function findLapFile(db: Database, trackId: TrackId, lapId: LapId) {
  const [session] = await db
    .select({ sha256: sessions.lapFileSha256 })
    .from(laps)
    .innerJoin(sessions, and(eq(sessions.trackId, laps.trackId), eq(sessions.id, laps.sessionId)))
    .where(and(eq(laps.trackId, trackId), eq(laps.id, lapId)));
  if (!session) return undefined;
  const { storageKey, fileName, sha256 } = lapFiles;
  const [file] = await db.select({ storageKey, fileName }).from(lapFiles).where(eq(sha256, session.sha256));
  return file;
}

/** Stores or replaces evidence for a lap. */
export async function upsertEvidence(tx: Database, evidence: typeof lapEvidence.$inferInsert): Promise<void> {
  const { source, figures = null, grantedBy = null } = evidence;
  await tx
    .insert(lapEvidence)
    .values(evidence)
    .onConflictDoUpdate({
      target: [lapEvidence.trackId, lapEvidence.lapId, lapEvidence.kind],
      set: { source, figures, grantedBy, grantedAt: sql`excluded.granted_at` },
    });
}

/** Deletes evidence; returns false where there is none. */
export async function deleteEvidence(
  tx: Database,
  { trackId, lapId }: { trackId: TrackId; lapId: LapId },
  kind: 'official' | 'video-gps',
): Promise<boolean> {
  const rows = await tx
    .delete(lapEvidence)
    .where(and(eq(lapEvidence.trackId, trackId), eq(lapEvidence.lapId, lapId), eq(lapEvidence.kind, kind)))
    .returning({ id: lapEvidence.id });
  return rows.length > 0;
}

/** Deletes flags, decisions, questions and evidence that are older than a day and whose laps neither are there nor may come back. */
export async function sweepFlags(db: Database): Promise<void> {
  for (const [table, moment] of [
    [lapFlags, lapFlags.flaggedAt],
    [lapDecisions, lapDecisions.decidedAt],
    [lapQuestions, lapQuestions.askedAt],
    [lapEvidence, lapEvidence.grantedAt],
  ] as const) {
    const isOld = lt(moment, sql`now() - interval '1 day'`);
    const old = await db.selectDistinct({ lapId: table.lapId }).from(table).where(isOld);
    const lapIds = old.map(({ lapId }) => lapId);
    if (lapIds.length === 0) continue;
    // One query: a lap moves between the tables.
    const kept = await db
      .select({ id: laps.id })
      .from(laps)
      .where(inArray(laps.id, lapIds))
      .union(selectRestorableLaps(db))
      .union(selectRememberedLaps(db));
    const keptIds = new Set(kept.map(({ id }) => id));
    const goneIds = lapIds.filter((id) => !keptIds.has(id));
    if (goneIds.length > 0) await db.delete(table).where(and(isOld, inArray(table.lapId, goneIds)));
  }
}

/** Lists the stored doubts about a user's laps, and the user's doubts about laps of others. */
export async function listDoubtsAboutUser(db: Database, userId: UserId) {
  const { reason, sentence, flaggedAt, lapId } = lapFlags;
  const flag = { lapId, reason, sentence, flaggedAt };
  const { verdict, decidedAt, undoneAt } = lapDecisions;
  const { question, askedAt, answer, answeredAt } = lapQuestions;
  const { kind, source, grantedAt } = lapEvidence;
  return {
    flagsOfOwnLaps: await db
      .select(flag)
      .from(lapFlags)
      .where(eq(lapFlags.driverId, userId))
      .orderBy(flaggedAt),
    flagsOfOthers: await db.select(flag).from(lapFlags).where(eq(lapFlags.userId, userId)).orderBy(flaggedAt),
    decisions: await db
      .select({ lapId: lapDecisions.lapId, verdict, reason: lapDecisions.reason, decidedAt, undoneAt })
      .from(lapDecisions)
      .where(eq(lapDecisions.driverId, userId))
      .orderBy(decidedAt),
    questions: await db
      .select({ lapId: lapQuestions.lapId, question, askedAt, answer, answeredAt })
      .from(lapQuestions)
      .where(eq(lapQuestions.driverId, userId))
      .orderBy(askedAt),
    evidence: await db
      .select({ lapId: lapEvidence.lapId, kind, source, grantedAt })
      .from(lapEvidence)
      .where(eq(lapEvidence.driverId, userId))
      .orderBy(grantedAt),
  };
}
