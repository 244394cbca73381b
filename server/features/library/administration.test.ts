import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import type { AuditLogEntry } from '#contract/audit/schemas.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import {
  insertCarModel,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUserCar,
  type SignedIn,
} from '#server/testing/builders.ts';
import { asLapId } from '#contract/testing/ids.ts';
import { insertAutomaticFlags } from '#server/model/flags/check-store.ts';
import { laps } from '#server/model/laps/schema.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
let admin: SignedIn;

beforeAll(async () => {
  admin = await insertSignedIn(app.db, { isAdmin: true, firstName: 'Mara', lastName: 'Lind' });
});

test('tracks are listed with sessions and laps, found by all words of a search, and by status', async () => {
  const name = 'Zandhoek 100% Ring';
  const id = await insertTrack(app.db, { name, configuration: 'Long', status: 'community_submitted' });
  await insertTrack(app.db, { name, configuration: 'Short' });
  const laps = [
    { lapTimeMs: 60_000 },
    { lapTimeMs: 61_000 },
    { lapTimeMs: 50_000, status: 'rejected' as const },
  ];
  await insertSession(app.db, { trackId: id, userId: admin.userId, laps });
  const both = (await app.as(admin).get('/api/admin/tracks?q=zandhoek%20100%25')).json();
  expect(both).toMatchObject({
    total: 2,
    tracks: [
      { id, configuration: 'Long', status: 'community_submitted', sessionCount: 1, lapCount: 2 },
      { configuration: 'Short', status: 'official', sessionCount: 0, lapCount: 0 },
    ],
  });
  const filtered = '/api/admin/tracks?q=ZANDHOEK&status=community_submitted';
  expect((await app.as(admin).get(filtered)).json()).toMatchObject({ total: 1, tracks: [{ id }] });
  const second = (await app.as(admin).get('/api/admin/tracks?q=zandhoek&limit=1&offset=1')).json();
  expect(second).toMatchObject({ total: 2, tracks: [{ configuration: 'Short' }] });
  expect((await app.as(admin).get('/api/admin/tracks?q=zandhoek%20nowhere')).json()).toEqual({
    total: 0,
    tracks: [],
  });
});

test('cars are listed with the number of garages, and found by their names', async () => {
  const carModelId = await insertCarModel(app.db, { make: 'Zagato', modelFamily: 'Quercia' });
  await insertUserCar(app.db, { userId: admin.userId, carModelId });
  expect((await app.as(admin).get('/api/admin/cars?q=quercia%20ZAGATO')).json()).toMatchObject({
    total: 1,
    cars: [{ make: 'Zagato', modelFamily: 'Quercia', garageCount: 1 }],
  });
  expect((await app.as(admin).get('/api/admin/cars?q=zagato%20mazda')).json()).toEqual({
    total: 0,
    cars: [],
  });
});

test('the audit log is filtered by action and subject, and exported as it is filtered', async () => {
  for (const subject of ['ring-a', 'ring-b', 'ring-a']) {
    await insertAuditEntry(app.db, { userId: admin.userId, action: 'correct-track', subject, counts: {} });
  }
  await insertAuditEntry(app.db, { userId: null, action: 'import-cars', counts: { imported: 3 } });
  const filter = 'action=correct-track&subject=ring-a';
  const page = (await app.as(admin).get(`/api/admin/audit-log?${filter}&limit=1`)).json();
  expect(page).toMatchObject({ total: 2, entries: [{ subject: 'ring-a', userName: 'Mara Lind' }] });
  expect((await app.as(admin).get('/api/admin/audit-log?action=import-cars')).json()).toMatchObject({
    total: 1,
  });

  const trackId = await insertTrack(app.db, { name: 'Ring', configuration: 'Long' });
  for (const subject of [trackId, admin.userId, 'gone'])
    await insertAuditEntry(app.db, { userId: admin.userId, action: 'remove-webhook', subject, counts: {} });
  const named = (await app.as(admin).get('/api/admin/audit-log?action=remove-webhook')).json().entries;
  const listed = named.map(({ subject, subjectName }: AuditLogEntry) => [subject, subjectName]);
  expect(new Map(listed)).toEqual(
    new Map([
      [trackId, 'Ring Long'],
      [admin.userId, 'Mara Lind'],
      ['gone', null],
    ]),
  );

  const exported = await app.as(admin).get(`/api/admin/audit-log/export?${filter}`);
  expect(exported.headers['content-disposition']).toBe('attachment; filename="audit-log.json"');
  expect(exported.json()).toHaveLength(2);
  expect(exported.json()[0]).toEqual(page.entries[0]);
});

test('the audit log is filtered by the name of who acted and by days, and names cars, sessions and laps with their pages', async () => {
  const person = await insertSignedIn(app.db, { firstName: 'Orsolya', lastName: 'Varga' });
  const trackId = await insertTrack(app.db, { name: 'Ring', configuration: 'Short' });
  const sessionId = await insertSession(app.db, {
    trackId,
    userId: person.userId,
    laps: [{ lapTimeMs: 61_500 }],
  });
  const carModelId = await insertCarModel(app.db, { make: 'Zagato', modelFamily: 'Acero' });
  const [lap] = await app.db.select({ id: laps.id }).from(laps).where(eq(laps.trackId, trackId));
  const lapId = asLapId(String(lap?.id));
  await insertAutomaticFlags(app.db, { trackId, lapId, userId: person.userId }, [
    { reason: 'power', sentence: 'Too quick.', figures: {} },
  ]);
  const subjects = [sessionId, lapId, carModelId];
  for (const subject of subjects)
    await insertAuditEntry(app.db, { userId: person.userId, action: 'change-session', subject, counts: {} });
  const list = async (query: string) => (await app.as(admin).get(`/api/admin/audit-log?${query}`)).json();
  const { entries, total } = await list('person=ORSO%20var');
  expect(total).toBe(3);
  const named = entries.map((entry: AuditLogEntry) => [entry.subject, entry.subjectName, entry.subjectLink]);
  expect(named).toEqual(
    expect.arrayContaining([
      [sessionId, 'Session of Orsolya Varga, Ring Short', `/track/${trackId}`],
      [lapId, '1:01.500 by Orsolya Varga, Ring Short', `/track/${trackId}?lap=${lapId}`],
      [carModelId, expect.stringContaining('Acero'), '/admin/apex-import?tab=cars'],
    ]),
  );
  const today = new Date().toISOString().slice(0, 10);
  expect(await list(`person=varga&from=${today}&until=${today}`)).toMatchObject({ total: 3 });
  expect(await list('person=varga&until=2026-01-01')).toMatchObject({ total: 0 });
  expect(await list('person=varga&from=2126-01-01')).toMatchObject({ total: 0 });
  const second = await list('person=varga&limit=1&offset=2');
  expect(second).toMatchObject({ total: 3, entries: [entries[2]] });
});

test('guests get 401, drivers 403, and bad input 400 with the field', async () => {
  const driver = await insertSignedIn(app.db);
  for (const path of ['tracks', 'cars', 'audit-log', 'audit-log/export']) {
    const url = `/api/admin/${path}`;
    expect((await app.asGuest().get(url)).statusCode).toBe(401);
    expect((await app.as(driver).get(url)).statusCode).toBe(403);
  }
  const bad = {
    'tracks?status=closed': 'status',
    'tracks?limit=0': 'limit',
    'cars?offset=-1': 'offset',
    [`cars?q=${'a'.repeat(101)}`]: 'q',
    'audit-log?action=DROP%20TABLE': 'action',
    'audit-log/export?subject=': 'subject',
    'audit-log?person=': 'person',
    'audit-log?from=yesterday': 'from',
    'audit-log?from=0000-01-01': 'from',
    'audit-log/export.csv?until=2026-02-30': 'until',
  };
  for (const [path, field] of Object.entries(bad)) {
    const response = await app.as(admin).get(`/api/admin/${path}`);
    expect(response.statusCode, path).toBe(400);
    expect(Object.keys(response.json().fields)).toEqual([field]);
  }
});
