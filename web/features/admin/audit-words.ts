import type { AuditEntry } from './administration-queries.ts';

const ACTION_LABELS: Record<string, string> = {
  'create-tracks': 'Tracks imported',
  'correct-track': 'Track corrected',
  'name-corners': 'Corners named',
  'remove-track': 'Track removed',
  'propose-track': 'Track proposed',
  'approve-track': 'Track approved',
  'merge-tracks': 'Tracks merged',
  'replace-outline': 'Outline replaced by laps',
  'import-apex-tracks': 'Apex tracks imported',
  'migrate-apex-tracks': 'Apex tracks migrated',
  'import-cars': 'Cars imported',
  'propose-car': 'Car proposed',
  'approve-car': 'Car approved',
  'merge-cars': 'Cars merged',
  'keep-lap': 'Flagged lap kept',
  'reject-lap': 'Lap rejected',
  'undo-decision': 'Decision undone',
  'ask-driver': 'Driver asked',
  'grant-official': 'Lap confirmed as official',
  'revoke-official': 'Lap not official any more',
  'change-session': 'Session edited',
  'grant-administration': 'Administrator appointed',
  'revoke-administration': 'Administrator dismissed',
  'change-role': 'Role changed',
  'add-webhook': 'Webhook added',
  'change-webhook': 'Webhook switched',
  'remove-webhook': 'Webhook removed',
  'remove-demo': 'Demo removed',
  'restore-backup': 'Backup restored',
  'set-up': 'Site set up',
  'change-club': 'Club settings changed',
  'change-mail': 'Mail server changed',
  'send-test-mail': 'Test mail sent',
  'start-backup': 'Backup started',
  invite: 'Invitation made',
  'withdraw-invitation': 'Invitation withdrawn',
  'accept-invitation': 'Invitation accepted',
  register: 'Account made',
  'make-reset-link': 'Link for a new password made',
  'reset-password': 'Password set by link',
  'change-password': 'Password changed',
  'use-recovery-code': 'Recovery code used',
  'make-recovery-codes': 'Recovery codes made',
  'add-passkey': 'Passkey added',
  'remove-passkey': 'Passkey removed',
  'add-api-token': 'API token made',
  'revoke-api-token': 'API token revoked',
  'link-provider': 'Provider linked',
  'unlink-provider': 'Provider unlinked',
  'suspend-user': 'Account suspended',
  'restore-user': 'Account let in again',
  'remove-user': 'Account removed',
};

/** The actions that the log can be filtered by. */
export const AUDIT_ACTIONS = Object.keys(ACTION_LABELS);

/** What was done, in words; a newer server may know more actions. */
export function describeAction(action: string): string {
  return ACTION_LABELS[action] ?? action;
}

/** What somebody wrote, of which there is no state before. */
const SENTENCES = new Set(['reason', 'question', 'source', 'result']);

/** What came of it: 'car: MX-5 (NB) → Elise (S2), 3 imported'. */
export function describeCounts(counts: AuditEntry['counts'], changes: AuditEntry['changes']): string {
  const changed = Object.entries(changes ?? {})
    .filter(([, [before, after]]) => before !== null || after !== null)
    .map(([field, [before, after]]) =>
      SENTENCES.has(field) && before === null
        ? `${field}: “${after}”`
        : `${field}: ${before ?? 'none'} → ${after ?? 'none'}`,
    );
  const counted = Object.entries(counts)
    .filter(([name, count]) => count !== 0 && !changes?.[name])
    .map(([name, count]) => `${name}: ${count}`);
  return [...changed, ...counted].join(', ');
}

/** A moment in UTC: '11/22/26 12:40'. */
export function formatMoment(iso: string): string {
  const [, year = '', month, day, time] = /^\d\d(\d\d)-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(iso) ?? [];
  return time === undefined ? iso : `${month}/${day}/${year} ${time}`;
}
