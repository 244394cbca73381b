import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { manifestKey } from './backups/manifest.ts';
import { saveText } from './backups/stored-objects.ts';
import { hideFirstSteps, saveClubSettings } from '#server/model/club/club-settings-store.ts';
import { insertSignedIn, insertTrack, type SignedIn } from '#server/testing/builders.ts';
import { insertKartTrack, kartCsv } from '#server/testing/kart-uploads.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { openTestStorage } from '#server/testing/test-storage.ts';

const PATH = '/api/admin/first-steps';
const NONE = { sendsMail: false, hasTracks: false, hasInvited: false, hasBackup: false, hasLap: false };
const MAIL = { smtpUrl: 'smtp://127.0.0.1:2525', from: 'club@example.org' };

let app: TestApp;
let owner: SignedIn;
let backups: Storage;
let workFolder: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-first-steps-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  workFolder = folder;
  backups = await openTestStorage(folder);
  app = await startTestApp({ backupTarget: { name: 'folder', storage: backups } });
  await insertTrack(app.db);
  owner = await insertSignedIn(app.db, { role: 'owner' });
  await saveClubSettings(app.db, { name: 'Club', timeZone: 'UTC', registration: 'invited' });
});

const findSteps = async (on = app) => (await on.as(owner).get(PATH)).json().steps;

test('each step of a new club is done by its own state, and after the last one none is left', async () => {
  expect(await findSteps()).toEqual(NONE);
  const trackId = await insertKartTrack(app.db);
  expect(await findSteps()).toEqual({ ...NONE, hasTracks: true });
  const invitation = { role: 'member', uses: 10, days: 7 };
  expect((await app.as(owner).post('/api/admin/invitations', invitation)).statusCode).toBe(200);
  expect(await findSteps()).toEqual({ ...NONE, hasTracks: true, hasInvited: true });
  expect((await app.as(owner).uploadLaps(trackId, kartCsv())).statusCode).toBe(200);
  expect(await findSteps()).toMatchObject({ hasLap: true, hasBackup: false });
  await saveText({ target: backups, workFolder }, manifestKey('backup-20260607-022300-000'), '{}');
  expect(await findSteps()).toMatchObject({ hasBackup: true, sendsMail: false });
  const mailing = await startTestApp({
    database: app.database,
    backupTarget: { name: 'folder', storage: backups },
    settings: { mail: MAIL },
  });
  expect(await findSteps(mailing)).toBeNull();
});

test('the backups in the storage are listed until there is one, and not at later visits', async () => {
  const listed = vi.spyOn(backups, 'list');
  await findSteps();
  await saveText({ target: backups, workFolder }, manifestKey('backup-20260607-022300-000'), '{}');
  expect(await findSteps()).toMatchObject({ hasBackup: true });
  const count = listed.mock.calls.length;
  expect(count).toBeGreaterThan(1);
  expect(await findSteps()).toMatchObject({ hasBackup: true });
  expect(listed).toHaveBeenCalledTimes(count);
});

test('an owner hides the steps, and shows them again', async () => {
  const hide = async (body: object) => (await app.as(owner).put(PATH, body)).json();
  expect(await hide({ isHidden: true })).toEqual({ steps: null });
  expect(await findSteps()).toBeNull();
  expect(await hide({ isHidden: false })).toEqual({ steps: NONE });
  expect((await app.as(owner).put(PATH, { isHidden: 'yes' })).statusCode).toBe(400);
});

test('only owners see the steps, or hide them', async () => {
  const administrator = await insertSignedIn(app.db, { role: 'admin' });
  for (const [person, status] of [
    [null, 401],
    [administrator, 403],
  ] as const) {
    expect((await app.as(person).get(PATH)).statusCode).toBe(status);
    expect((await app.as(person).put(PATH, { isHidden: true })).statusCode).toBe(status);
  }
  await hideFirstSteps(app.db, true);
  expect(await findSteps()).toBeNull();
});
