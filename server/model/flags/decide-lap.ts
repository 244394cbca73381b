import type { LapId, TrackId, UserId } from '#contract/ids.ts';
import { updateVerdict } from '#server/model/laps/verdict-store.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import { changeLaps } from '#server/model/boards/change-laps.ts';
import { recordEvents } from '#server/model/events/deliver-events.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { classifySlowLap } from '#server/model/laps/classify-slow-laps.ts';
import { findRecordMs } from '#server/model/laps/slow-laps-store.ts';
import { withVerdict } from '#server/model/laps/leave-out.ts';
import { addCheck } from './check-sessions.ts';
import {
  findFlaggableLap,
  type FlaggableLap,
  hasFlagged,
  insertDecision,
  listDecisions,
  listFlaggedLapIds,
  listFlags,
  lockLapReview,
  undoDecision,
} from './flag-store.ts';

export type LapKey = { trackId: TrackId; lapId: LapId };
export type Decision = { verdict: 'keep' | 'reject'; reason: string | null };
type DecisionScope = { wholeSession?: boolean | undefined };

/** @throws AppError `not_found` */
export async function getFlaggableLap(db: Database, { trackId, lapId }: LapKey): Promise<FlaggableLap> {
  const lap = await findFlaggableLap(db, trackId, lapId);
  if (!lap) throw new AppError('not_found', 'There is no such lap.');
  return lap;
}

type Interests = {
  isOwn: boolean;
  hasOwnFlag: boolean;
  /** The driver appeals against a decision of the same person. */
  isOwnDecisionAppealed: boolean;
};

/** Says why a user may not decide on a lap; null where they may. */
export function findConflict({ isOwn, hasOwnFlag, isOwnDecisionAppealed }: Interests): string | null {
  if (isOwn) return 'This is your own lap: somebody else decides.';
  if (hasOwnFlag) return 'You have flagged a lap of this driver yourself: somebody else decides.';
  return isOwnDecisionAppealed ? 'The driver appeals against your decision: somebody else decides.' : null;
}

/**
 * Decides on the open flags of a lap, and with `wholeSession` on those of the other flagged laps of its session on which the
 * same person may decide. A lap that is rejected leaves its board at once, and one that is kept returns to it.
 * @returns the ids of the laps decided on
 * @throws AppError where the lap has no open flag, or this user may not decide
 */
export async function decideLap(
  db: Database,
  userId: UserId,
  key: LapKey,
  { wholeSession, ...decision }: Decision & DecisionScope,
): Promise<LapId[]> {
  return await changeVerdicts(db, key, async (tx, lap) => {
    await checkMayDecide(tx, userId, lap);
    const lapIds = [lap.id];
    await decideOpenFlags(tx, userId, lap, decision);
    if (!wholeSession) return lapIds;
    for (const lapId of await listFlaggedLapIds(tx, lap)) {
      const other = await getFlaggableLap(tx, { ...key, lapId });
      // An appeal is not decided together with a first doubt.
      const isSameCase = (other.rejectedStatus === null) === (lap.rejectedStatus === null);
      if (!isSameCase || (await findConflictOnLap(tx, userId, other)) !== null) continue;
      await decideOpenFlags(tx, userId, other, decision);
      lapIds.push(lapId);
    }
    return lapIds;
  });
}

async function decideOpenFlags(
  tx: Database,
  userId: UserId,
  lap: FlaggableLap,
  decision: Decision,
): Promise<void> {
  const open = (await listFlags(tx, lap.id)).filter(({ decisionId }) => decisionId === null);
  if (open.length === 0)
    throw new AppError('conflict', 'This lap has no open flag; somebody may have decided.');
  await insertDecision(tx, { ...decision, lapId: lap.id, driverId: lap.driverId, decidedBy: userId });
  const changes = { reason: [null, decision.reason] satisfies [null, string | null] };
  const action = decision.verdict === 'keep' ? 'keep-lap' : 'reject-lap';
  await insertAuditEntry(tx, { userId, action, subject: lap.id, counts: { flags: open.length }, changes });
  await updateVerdict(tx, withVerdict(lap, decision.verdict));
  await recordEvents(tx, lap.trackId, [
    {
      kind: 'lap_decided',
      userId: lap.driverId,
      otherUserId: null,
      sessionId: lap.sessionId,
      payload: { lapId: lap.id, lapTimeMs: lap.lapTimeMs, ...decision },
    },
  ]);
}

/**
 * Undoes the latest decision on a lap: its flags are open again, and the decision before it is in force.
 * @throws AppError where there is none, or this user may not undo it
 */
export async function undoLatestDecision(db: Database, userId: UserId, key: LapKey): Promise<void> {
  await changeVerdicts(db, key, async (tx, lap) => {
    await checkMayDecide(tx, userId, lap);
    const [latest, before] = await listDecisions(tx, lap.id);
    if (!latest) throw new AppError('conflict', 'There is no decision to undo.');
    const appeal = (await listFlags(tx, lap.id)).find(({ reason }) => reason === 'appeal');
    // Otherwise a moderator could decide on an appeal against their own decision by undoing that of another moderator.
    if (appeal?.decisionId === latest.id && before?.decidedBy === userId)
      throw new AppError('not_allowed', 'The driver appealed against your decision: somebody else decides.');
    await undoDecision(tx, latest.id);
    await insertAuditEntry(tx, { userId, action: 'undo-decision', subject: lap.id, counts: {} });
    const undone = withVerdict(lap, before?.verdict ?? null);
    // The record may have changed since the lap was classified.
    await updateVerdict(tx, classifySlowLap(undone, await findRecordMs(tx, key.trackId)));
  });
}

/** Changes verdicts by `work` under the locks of the lap's review, its driver and its track. */
async function changeVerdicts<Result>(
  db: Database,
  key: LapKey,
  work: (tx: Database, lap: FlaggableLap) => Promise<Result>,
): Promise<Result> {
  const { driverId } = await getFlaggableLap(db, key);
  return await db.transaction(async (tx) => {
    await lockLapReview(tx, key.lapId);
    const change = { trackId: key.trackId, userIds: [driverId], recorded: 'removals' as const };
    return await changeLaps(tx, change, async () => {
      // Another moderator may have decided before the locks were held.
      const lap = await getFlaggableLap(tx, key);
      const result = await work(tx, lap);
      // The session may have another best lap now.
      await addCheck(tx, { trackId: key.trackId, sessionId: lap.sessionId });
      return result;
    });
  });
}

/** @throws AppError `not_allowed` */
export async function checkMayDecide(tx: Database, userId: UserId, lap: FlaggableLap): Promise<void> {
  const conflict = await findConflictOnLap(tx, userId, lap);
  if (conflict !== null) throw new AppError('not_allowed', conflict);
}

async function findConflictOnLap(
  tx: Database,
  userId: UserId,
  { id, driverId }: FlaggableLap,
): Promise<string | null> {
  const flags = await listFlags(tx, id);
  const isAppealed = flags.some(({ reason, decisionId }) => reason === 'appeal' && decisionId === null);
  const [latest] = await listDecisions(tx, id);
  return findConflict({
    isOwn: userId === driverId,
    hasOwnFlag: await hasFlagged(tx, userId, driverId),
    isOwnDecisionAppealed: isAppealed && latest?.decidedBy === userId,
  });
}
