import { formatBytes } from '#web/ui/format.ts';
import { DAY_MS } from '#engine/durations.ts';
import type { Answer } from '#web/api/call-api.ts';
import { formatMoment, pluralize } from '#web/ui/format.ts';

/** `good`: nothing is to be done. `warning`: something is. `off`: it is not set up, which is allowed. */
export type Mark = 'good' | 'warning' | 'off';

export type Status = { mark: Mark; text: string };

const FREE_BYTES_MIN = 2e9;
const BACKUP_AGE_MS_MAX = 2 * DAY_MS;

export function describeServer({
  version,
  update,
  isBehindPooler,
  disk,
}: Answer<'GET /api/admin/operations'>): Status {
  const free = `${formatBytes(disk.freeBytes)} free`;
  if (disk.freeBytes < FREE_BYTES_MIN)
    return { mark: 'warning', text: `Only ${free}. Make room on the disk of the data folder.` };
  if (isBehindPooler)
    return {
      mark: 'warning',
      text: 'Live sessions are up to a second late behind the pooler. Set DATABASE_DIRECT_URL to the database itself.',
    };
  if (update.latest !== null)
    return { mark: 'warning', text: `Version ${version}; ${update.latest} is out. ${free}.` };
  return { mark: 'good', text: `Version ${version}${update.isChecked ? ', up to date' : ''}. ${free}.` };
}

export function describeBackups(
  { target, backups: [latest], damaged, restore }: Answer<'GET /api/admin/backups'>,
  nowMs: number,
): Status {
  if (target === null)
    return { mark: 'warning', text: 'None are made. Set BACKUP_TARGET to another disk or a bucket.' };
  if (restore && restore.step !== 'done' && restore.step !== 'failed')
    return { mark: 'warning', text: 'A backup is being restored. Nothing can be saved until it is done.' };
  if (damaged.length > 0)
    return {
      mark: 'warning',
      text: `${pluralize(damaged.length, 'damaged file')}. Look at the disk of ${target}.`,
    };
  if (!latest) return { mark: 'warning', text: 'There is none yet. Make one now, or wait for the night.' };
  const made = `Made ${formatMoment(latest.createdAt)}`;
  if (latest.proof?.problem)
    return { mark: 'warning', text: `${made}: it does not restore. Make another one.` };
  if (nowMs - Date.parse(latest.createdAt) > BACKUP_AGE_MS_MAX)
    return { mark: 'warning', text: `${made}: the last one is old. Look at the background work.` };
  if (!latest.proof) return { mark: 'good', text: `${made}, not proven yet. Kept in ${target}.` };
  return { mark: 'good', text: `${made}, restored and compared. Kept in ${target}.` };
}

export function describeMail({ mail }: Answer<'GET /api/admin/mail'>): Status {
  if (!mail)
    return { mark: 'off', text: 'Not set up. Invitations and new passwords go by links that you hand over.' };
  if (mail.password === 'unreadable')
    return { mark: 'warning', text: 'The password cannot be read any more. Enter it again.' };
  return { mark: 'good', text: `Sends from ${mail.from} through ${mail.host}.` };
}

export function describeWebhooks({ webhooks, deliveries }: Answer<'GET /api/admin/webhooks'>): Status {
  const on = webhooks.filter(({ isOn }) => isOn);
  if (webhooks.length === 0)
    return { mark: 'off', text: 'Not set up. A Discord channel can hear of records.' };
  if (on.length === 0) return { mark: 'off', text: 'All are switched off.' };
  const ids = new Set(on.map(({ id }) => id));
  const sent = deliveries.filter(({ webhookId, state }) => ids.has(webhookId) && state !== 'waiting');
  const failed = sent.filter(({ state }) => state === 'failed').length;
  if (sent[0]?.state === 'failed')
    return {
      mark: 'warning',
      text: `${failed} of the last ${pluralize(sent.length, 'message')} failed. Send a test.`,
    };
  const last = sent[0] ? ` Last message ${formatMoment(sent[0].createdAt)}.` : ' Nothing was sent yet.';
  return { mark: 'good', text: `${on.length} switched on.${last}` };
}
