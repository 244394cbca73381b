import { expect, test } from 'vitest';
import { webhookDeliveryIdSchema, webhookIdSchema } from '#contract/ids.ts';
import { describeBackups, describeMail, describeServer, describeWebhooks } from './describe-status.ts';
import type { Answer } from '#web/api/call-api.ts';

const SERVER: Answer<'GET /api/admin/operations'> = {
  version: '1.2.3',
  update: { isChecked: true, latest: null },
  isBehindPooler: false,
  disk: { freeBytes: 75.8e9, databaseBytes: 1, lapFileBytes: 1 },
};

test('the server is good as long as it is the latest version and its disk has room', () => {
  expect(describeServer(SERVER)).toEqual({ mark: 'good', text: 'Version 1.2.3, up to date. 75.8 GB free.' });
  const unchecked = { ...SERVER, update: { isChecked: false, latest: null } };
  expect(describeServer(unchecked).text).toBe('Version 1.2.3. 75.8 GB free.');
  const outdated = { ...SERVER, update: { isChecked: true, latest: '1.3.0' } };
  expect(describeServer(outdated)).toMatchObject({ mark: 'warning', text: expect.stringContaining('1.3.0') });
  expect(describeServer({ ...SERVER, isBehindPooler: true })).toMatchObject({
    mark: 'warning',
    text: expect.stringContaining('Set DATABASE_DIRECT_URL'),
  });
  const full = { ...SERVER, disk: { ...SERVER.disk, freeBytes: 5e8 } };
  expect(describeServer(full)).toMatchObject({ mark: 'warning', text: expect.stringContaining('500.0 MB') });
});

const MADE_AT = '2026-06-07T02:23:00.000Z';
const NOW_MS = Date.parse('2026-06-07T12:00:00.000Z');
const BACKUP = {
  name: 'backup-20260607-022300-000',
  createdAt: MADE_AT,
  version: '1.2.3',
  rows: 1,
  files: 1,
  bytes: 1,
  proof: { provenAt: MADE_AT, problem: null },
  signature: 'valid' as const,
};
const BACKUPS: Answer<'GET /api/admin/backups'> = {
  target: '/backups',
  backups: [BACKUP],
  damaged: [],
  restore: null,
};

test('backups are good once the last one was restored, and a warning says what to do otherwise', () => {
  expect(describeBackups(BACKUPS, NOW_MS)).toEqual({
    mark: 'good',
    text: 'Made 06/07/26 02:23 UTC, restored and compared. Kept in /backups.',
  });
  const unproven = { ...BACKUPS, backups: [{ ...BACKUP, proof: null }] };
  expect(describeBackups(unproven, NOW_MS)).toMatchObject({
    text: expect.stringContaining('not proven yet'),
  });
  const restore = {
    name: BACKUP.name,
    startedAt: MADE_AT,
    step: 'files' as const,
    undoName: null,
    problem: null,
  };
  const broken = [{ ...BACKUP, proof: { provenAt: MADE_AT, problem: 'A row is missing.' } }];
  for (const [answer, nowMs, words] of [
    [{ ...BACKUPS, target: null, backups: [] }, NOW_MS, 'Set BACKUP_TARGET'],
    [{ ...BACKUPS, backups: [] }, NOW_MS, 'none yet'],
    [{ ...BACKUPS, backups: broken }, NOW_MS, 'does not restore'],
    [{ ...BACKUPS, damaged: ['manifest.json'] }, NOW_MS, '1 damaged file'],
    [{ ...BACKUPS, restore }, NOW_MS, 'being restored'],
    [BACKUPS, Date.parse('2026-06-10T12:00:00.000Z'), 'the last one is old'],
  ] as const) {
    const status = describeBackups(
      { ...answer, backups: [...answer.backups], damaged: [...answer.damaged] },
      nowMs,
    );
    expect(status).toMatchObject({ mark: 'warning', text: expect.stringContaining(words) });
  }
});

test('mail is off without a mail server, and a warning if its password cannot be read', () => {
  const mail = {
    host: 'mail.example.org',
    port: 587,
    security: 'starttls' as const,
    userName: 'laps',
    from: 'laps@example.org',
    password: 'set' as const,
  };
  expect(describeMail({ mail: null, isFixed: false }).mark).toBe('off');
  expect(describeMail({ mail, isFixed: false })).toEqual({
    mark: 'good',
    text: 'Sends from laps@example.org through mail.example.org.',
  });
  expect(describeMail({ mail: { ...mail, password: 'unreadable' }, isFixed: false }).mark).toBe('warning');
});

test('webhooks are good until the last message fails', () => {
  const id = webhookIdSchema.parse('0b6f3c52-7a54-4a5e-8f0e-6b1c2d3e4f50');
  const webhook = {
    id,
    url: 'https://hooks.example.org/',
    events: [],
    format: 'pitboard' as const,
    isOn: true,
    createdAt: MADE_AT,
  };
  const delivery = {
    id: webhookDeliveryIdSchema.parse(1),
    webhookId: id,
    event: 'test' as const,
    state: 'delivered' as const,
    attempts: 1,
    status: 200,
    lastError: null,
    createdAt: MADE_AT,
  };
  const failed = { ...delivery, state: 'failed' as const };
  expect(describeWebhooks({ webhooks: [], deliveries: [] }).mark).toBe('off');
  expect(describeWebhooks({ webhooks: [{ ...webhook, isOn: false }], deliveries: [failed] }).mark).toBe(
    'off',
  );
  expect(describeWebhooks({ webhooks: [webhook], deliveries: [] }).text).toBe(
    '1 switched on. Nothing was sent yet.',
  );
  expect(describeWebhooks({ webhooks: [webhook], deliveries: [delivery, failed] })).toEqual({
    mark: 'good',
    text: '1 switched on. Last message 06/07/26 02:23 UTC.',
  });
  expect(describeWebhooks({ webhooks: [webhook], deliveries: [failed, delivery] })).toEqual({
    mark: 'warning',
    text: '1 of the last 2 messages failed. Send a test.',
  });
});
