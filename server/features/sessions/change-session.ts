import type { SessionId, UserId } from '#contract/ids.ts';
import type { SessionChange } from '#contract/sessions/schemas.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import { changeLaps } from '#server/model/boards/change-laps.ts';
import { findCarName, requireOwnCar } from '#server/model/cars/garage-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { changeLapsLeftOut } from './change-laps-left-out.ts';
import {
  type ChangedFields,
  getStoredSession,
  type StoredSession,
  updateSession,
} from '#server/model/laps/session-store.ts';

type Changes = NonNullable<Parameters<typeof insertAuditEntry>[1]['changes']>;

/**
 * Changes the given fields of a session of `userId`: the board follows at once, and the audit log lists the changes.
 * @throws AppError where the session, lap or car does not exist or belongs to another driver; then nothing is changed
 */
export async function changeSession(
  db: Database,
  userId: UserId,
  sessionId: SessionId,
  change: SessionChange,
): Promise<void> {
  const { trackId } = await getStoredSession(db, userId, sessionId);
  await db.transaction((tx) =>
    changeLaps(tx, { trackId, userIds: [userId] }, async () => {
      // The session is read again under the lock: no other call can change it now.
      const session = await getStoredSession(tx, userId, sessionId);
      const fields = listChangedFields(session, change);
      if (fields.userCarId !== undefined) await requireOwnCar(tx, userId, fields.userCarId);
      await updateSession(tx, session, fields);
      const laps = await changeLapsLeftOut(tx, session, change.laps ?? []);
      const counts = { ...Object.fromEntries(Object.keys(fields).map((name) => [name, 1])), ...laps.counts };
      if (Object.keys(counts).length === 0) return;
      const changes = { ...(await describeFields(tx, session, fields)), ...laps.changes };
      await insertAuditEntry(tx, { userId, action: 'change-session', subject: sessionId, counts, changes });
    }),
  );
}

function listChangedFields(session: StoredSession, change: SessionChange): ChangedFields {
  const { userCarId, tireCompound, videoUrl, linesPrivate } = change;
  return {
    ...(userCarId !== undefined && userCarId !== session.userCarId && { userCarId }),
    ...(tireCompound !== undefined && tireCompound !== session.tireCompound && { tireCompound }),
    ...(videoUrl !== undefined && videoUrl !== session.videoUrl && { videoUrl }),
    ...(linesPrivate !== undefined && linesPrivate !== session.linesPrivate && { linesPrivate }),
  };
}

/** Describes car and tyres, which decide in which boards the laps are. A link may identify a person. */
async function describeFields(
  tx: Database,
  session: StoredSession,
  { userCarId, tireCompound }: ChangedFields,
): Promise<Changes> {
  const changes: Changes = {};
  if (userCarId !== undefined) {
    changes['car'] = [await findCarName(tx, session.userCarId), await findCarName(tx, userCarId)];
  }
  if (tireCompound !== undefined) changes['tireCompound'] = [session.tireCompound, tireCompound];
  return changes;
}
