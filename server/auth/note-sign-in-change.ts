import { insertAuditEntry } from '#server/audit/audit-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import type { NoticeContent } from '#server/notices/notice-kinds.ts';
import { insertNotices } from '#server/notices/notice-store.ts';

export type SignInChange = Extract<NoticeContent, { kind: 'sign_in_changed' }>['payload']['change'];

/**
 * Notes that a user signs in otherwise from now on, in the audit log and for the user, whose account somebody else may have in
 * their hands. Call it inside the transaction that makes the change.
 */
export async function noteSignInChange(tx: Database, userId: string, change: SignInChange): Promise<void> {
  await insertAuditEntry(tx, { userId, action: change, subject: userId, counts: {} });
  const nowhere = { trackId: null, eventId: null, otherUserId: null, lapId: null, comparedLapId: null };
  await insertNotices(tx, [{ ...nowhere, userId, kind: 'sign_in_changed', payload: { change } }]);
}
