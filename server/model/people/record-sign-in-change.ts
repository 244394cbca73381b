import { z } from 'zod';
import { type UserId, userIdSchema } from '#contract/ids.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { defineJob } from '#server/kernel/jobs/job.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { type SignInChange, signInChangeSchema } from '#server/model/notices/notice-kinds.ts';
import { insertNotices } from '#server/model/notices/notice-store.ts';

/** Mails the owner of an account that its sign-in has changed, where the server sends mail. */
export const mailSignInChangeJob = defineJob({
  name: 'mail-sign-in-change',
  payload: z.object({ userId: userIdSchema, change: signInChangeSchema }),
});

/**
 * Records a change of a user's sign-in methods in the audit log, and notifies the user, because somebody else may have
 * taken over the account. Call it inside the transaction that makes the change.
 */
export async function recordSignInChange(tx: Database, userId: UserId, change: SignInChange): Promise<void> {
  await insertAuditEntry(tx, { userId, action: change, subject: userId, counts: {} });
  const nowhere = { trackId: null, eventId: null, otherUserId: null, lapId: null, comparedLapId: null };
  await insertNotices(tx, [{ ...nowhere, userId, kind: 'sign_in_changed', payload: { change } }]);
  await addJob(tx, mailSignInChangeJob, { userId, change });
}
