import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FLAG_LIMITS } from '#contract/flag-labels.ts';
import { auditLog } from '#server/model/audit/schema.ts';
import { lapDecisions, lapFlags } from '#server/model/flags/schema.ts';
import { laps } from '#server/model/laps/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { insertSession, insertSignedIn, insertTrack, newLapId } from '#server/testing/builders.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const db = () => testApp.database.db;
type Person = Awaited<ReturnType<typeof insertSignedIn>>;

const SENTENCE = 'The other laps of this car are 16 s slower.';

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, person: Person | null, payload?: object) {
  const response = await testApp.app.inject({
    method,
    url,
    headers: person ? { ...person.headers } : {},
    ...(payload && { payload }),
  });
  return { status: response.statusCode, body: response.json() };
}

/** A track with a lap of its own driver, somebody who flags it, and two administrators. */
async function insertCase() {
  const trackId = await insertTrack(db());
  const driver = await insertSignedIn(db());
  const flagger = await insertSignedIn(db());
  const admin = await insertSignedIn(db(), { isAdmin: true });
  const otherAdmin = await insertSignedIn(db(), { isAdmin: true });
  const sessionId = await insertSession(db(), {
    trackId,
    userId: driver.userId,
    laps: [{ lapTimeMs: 60_000 }, { lapTimeMs: 62_000 }],
  });
  await insertSession(db(), { trackId, userId: otherAdmin.userId, laps: [{ lapTimeMs: 76_000 }] });
  const [lap, otherLap] = await db()
    .select()
    .from(laps)
    .where(eq(laps.sessionId, sessionId))
    .orderBy(laps.number);
  if (!lap) throw new Error('There is no lap.');
  const url = `/api/tracks/${trackId}/laps/${lap.id}`;
  return {
    trackId,
    driver,
    flagger,
    admin,
    otherAdmin,
    lap,
    otherLapId: otherLap?.id,
    url,
    adminUrl: url.replace('/api/', '/api/admin/'),
  };
}

type Case = Awaited<ReturnType<typeof insertCase>>;

const flag = ({ url }: Case, person: Person | null, given: object = {}) =>
  call('POST', `${url}/flags`, person, { reason: 'time', sentence: SENTENCE, ...given });
const decide = ({ adminUrl }: Case, person: Person | null, verdict: string, reason: string | null = null) =>
  call('POST', `${adminUrl}/decision`, person, { verdict, reason });
const undo = ({ adminUrl }: Case, person: Person | null) => call('DELETE', `${adminUrl}/decision`, person);
const appeal = ({ url }: Case, person: Person | null, sentence = 'I have the receipts of the timing.') =>
  call('POST', `${url}/appeal`, person, { sentence });
const queueOf = async (person: Person, { lap }: Case) =>
  (await call('GET', '/api/admin/flagged-laps', person)).body.find(
    ({ lapId }: { lapId: string }) => lapId === lap.id,
  );
const timesOf = async ({ trackId }: Case) =>
  (await call('GET', `/api/laps/track/${trackId}/best`, null)).body.map(
    ({ lapTimeMs }: { lapTimeMs: number }) => lapTimeMs,
  );

test('a flag hides nothing, and only its driver and moderators see it', async () => {
  const one = await insertCase();
  expect((await flag(one, one.flagger)).status).toBe(200);
  expect(await timesOf(one)).toEqual([60_000, 76_000]);
  const seen = await call('GET', `${one.url}/flags`, one.driver);
  expect(seen.body).toMatchObject({
    openFlags: [{ reason: 'time', sentence: SENTENCE }],
    decision: null,
    mayAppeal: false,
  });
  expect(JSON.stringify(seen.body)).not.toContain(one.flagger.userId);
  expect((await call('GET', `${one.url}/flags`, one.flagger)).status).toBe(403);
  expect((await call('GET', `${one.url}/flags`, null)).status).toBe(401);
  expect(await queueOf(one.admin, one)).toMatchObject({
    lapTimeMs: 60_000,
    record: { lapId: one.otherLapId, lapTimeMs: 62_000 },
    driverOtherBest: { lapId: one.otherLapId, lapTimeMs: 62_000 },
    isRejected: false,
    flags: [{ reason: 'time', sentence: SENTENCE }],
    history: [],
    whyNot: null,
  });
});

test('who may not flag, and what is no flag', async () => {
  const one = await insertCase();
  expect((await flag(one, null)).status).toBe(401);
  expect((await flag(one, one.driver)).status).toBe(403);
  expect((await flag(one, one.flagger, { sentence: 'Too short' })).status).toBe(400);
  expect((await flag(one, one.flagger, { sentence: 'x'.repeat(501) })).status).toBe(400);
  expect((await flag(one, one.flagger, { reason: 'appeal' })).status).toBe(400);
  expect((await flag(one, one.flagger)).status).toBe(200);
  expect((await flag(one, one.flagger)).status).toBe(409);
  const elsewhere = { ...one, url: one.url.replace(one.trackId, await insertTrack(db())) };
  expect((await flag(elsewhere, one.flagger)).status).toBe(404);
});

test('ten laps a day may be flagged, and no more', async () => {
  const one = await insertCase();
  const driver = await insertSignedIn(db());
  const some = Array.from({ length: FLAG_LIMITS.perDayMax + 1 }, (_, index) => ({
    lapTimeMs: 70_000 + index,
  }));
  const sessionId = await insertSession(db(), { trackId: one.trackId, userId: driver.userId, laps: some });
  const rows = await db().select().from(laps).where(eq(laps.sessionId, sessionId));
  const statuses: number[] = [];
  for (const { id } of rows)
    statuses.push((await flag({ ...one, url: `/api/tracks/${one.trackId}/laps/${id}` }, one.flagger)).status);
  expect(statuses).toEqual([...some.slice(1).map(() => 200), 429]);
});

test('the limit of a day holds for flags that come at once', async () => {
  const one = await insertCase();
  const driver = await insertSignedIn(db());
  const some = Array.from({ length: FLAG_LIMITS.perDayMax + 3 }, (_, index) => ({
    lapTimeMs: 70_000 + index,
  }));
  const sessionId = await insertSession(db(), { trackId: one.trackId, userId: driver.userId, laps: some });
  const rows = await db().select().from(laps).where(eq(laps.sessionId, sessionId));
  const answers = await Promise.all(
    rows.map(({ id }) => flag({ ...one, url: `/api/tracks/${one.trackId}/laps/${id}` }, one.flagger)),
  );
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([...Array.from({ length: FLAG_LIMITS.perDayMax }, () => 200), 429, 429, 429]);
  const flags = await db().select().from(lapFlags).where(eq(lapFlags.userId, one.flagger.userId));
  expect(flags).toHaveLength(FLAG_LIMITS.perDayMax);
});

test('of two moderators who decide on a lap at once, one does', async () => {
  const one = await insertCase();
  await flag(one, one.flagger);
  const moderator = await insertSignedIn(db(), { role: 'moderator' });
  const answers = await Promise.all([
    decide(one, one.admin, 'keep'),
    decide(one, moderator, 'reject', 'The lap cuts the last corner.'),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const decisions = await db().select().from(lapDecisions).where(eq(lapDecisions.lapId, one.lap.id));
  expect(decisions).toHaveLength(1);
});

test('only moderators see the queue and decide', async () => {
  const one = await insertCase();
  await flag(one, one.flagger);
  for (const [person, status] of [
    [null, 401],
    [one.driver, 403],
    [one.flagger, 403],
  ] as const) {
    expect((await call('GET', '/api/admin/flagged-laps', person)).status).toBe(status);
    expect((await decide(one, person, 'keep')).status).toBe(status);
    expect((await undo(one, person)).status).toBe(status);
  }
  expect((await decide(one, one.admin, 'reject')).status).toBe(400);
  expect((await decide(one, one.admin, 'reject', 'Bad')).status).toBe(400);
  expect((await decide(one, one.admin, 'maybe', SENTENCE)).status).toBe(400);
  expect(await timesOf(one)).toEqual([60_000, 76_000]);
});

test('a rejected lap leaves the board at once and its driver reads why; undone, it is back', async () => {
  const one = await insertCase();
  await flag(one, one.flagger);
  expect((await decide(one, one.admin, 'reject', SENTENCE)).status).toBe(200);
  expect(await timesOf(one)).toEqual([62_000, 76_000]);
  expect((await call('GET', one.url, null)).status).toBe(404);
  const own = await call('GET', one.url, one.driver);
  expect(own.body).toMatchObject({ status: 'rejected', reasons: ['rejected_by_moderator'] });
  const flags = (await call('GET', `${one.url}/flags`, one.driver)).body;
  expect(flags).toMatchObject({
    openFlags: [],
    mayAppeal: true,
    decision: { verdict: 'reject', reason: SENTENCE },
  });
  expect(await queueOf(one.admin, one)).toBeUndefined();
  expect((await decide(one, one.admin, 'keep')).status).toBe(409);

  expect((await undo(one, one.otherAdmin)).status).toBe(200);
  expect(await timesOf(one)).toEqual([60_000, 76_000]);
  expect(await queueOf(one.admin, one)).toMatchObject({
    history: [{ verdict: 'reject', reason: SENTENCE, isUndone: true }],
  });
  expect((await undo(one, one.otherAdmin)).status).toBe(409);
  expect((await decide(one, one.admin, 'keep')).status).toBe(200);
  expect(await timesOf(one)).toEqual([60_000, 76_000]);
  const entries = await db().select().from(auditLog).where(eq(auditLog.subject, one.lap.id));
  expect(entries.map(({ action }) => action).toSorted()).toEqual(['keep-lap', 'reject-lap', 'undo-decision']);
});

test('own laps, and those of drivers whom they have flagged, are for others to decide', async () => {
  const one = await insertCase();
  await flag(one, one.admin);
  expect(await queueOf(one.admin, one)).toMatchObject({ whyNot: expect.stringContaining('flagged a lap') });
  expect((await decide(one, one.admin, 'keep')).status).toBe(403);
  const ownSession = await insertSession(db(), {
    trackId: one.trackId,
    userId: one.admin.userId,
    laps: [{ lapTimeMs: 65_000 }],
  });
  const [own] = await db().select().from(laps).where(eq(laps.sessionId, ownSession));
  const ownCase = { ...one, lap: own ?? one.lap, url: `/api/tracks/${one.trackId}/laps/${own?.id}` };
  const decided = { ...ownCase, adminUrl: ownCase.url.replace('/api/', '/api/admin/') };
  await flag(decided, one.flagger);
  expect((await decide(decided, one.admin, 'keep')).status).toBe(403);
  expect((await undo(decided, one.admin)).status).toBe(403);
  expect((await decide(decided, one.otherAdmin, 'keep')).status).toBe(200);
});

test('the driver appeals once, and somebody else decides', async () => {
  const one = await insertCase();
  await flag(one, one.flagger);
  expect((await appeal(one, one.driver)).status).toBe(409);
  await decide(one, one.admin, 'reject', SENTENCE);
  expect((await appeal(one, null)).status).toBe(401);
  expect((await appeal(one, one.flagger)).status).toBe(404);
  expect((await appeal(one, one.driver, 'Short')).status).toBe(400);
  expect((await appeal(one, one.driver)).status).toBe(200);
  expect((await appeal(one, one.driver)).status).toBe(409);
  expect(await queueOf(one.admin, one)).toMatchObject({
    isRejected: true,
    flags: [{ reason: 'appeal' }],
    whyNot: expect.stringContaining('against your decision'),
  });
  expect((await decide(one, one.admin, 'reject', SENTENCE)).status).toBe(403);
  expect((await decide(one, one.otherAdmin, 'keep')).status).toBe(200);
  expect(await timesOf(one)).toEqual([60_000, 76_000]);
  expect((await appeal(one, one.driver)).status).toBe(409);
  // The rejection would be in force again.
  expect((await undo(one, one.admin)).status).toBe(403);
  expect((await undo(one, one.otherAdmin)).status).toBe(200);
});

test('one decision covers all flagged laps of a session that the caller may decide on, and each is undone by itself', async () => {
  const one = await insertCase();
  const otherUrl = one.url.replace(one.lap.id, one.otherLapId ?? '');
  const decideAll = (person: Person | null, verdict: string, given: object = {}) =>
    call('POST', `${one.adminUrl}/decision`, person, {
      verdict,
      reason: SENTENCE,
      wholeSession: true,
      ...given,
    });
  await flag(one, one.flagger);
  await flag({ ...one, url: otherUrl }, one.flagger);
  const [{ sessionId }, other] = [
    await queueOf(one.admin, one),
    await queueOf(one.admin, { ...one, lap: { ...one.lap, id: one.otherLapId ?? newLapId() } }),
  ];
  expect(other.sessionId).toBe(sessionId);

  expect((await decideAll(null, 'reject')).status).toBe(401);
  expect((await decideAll(one.flagger, 'reject')).status).toBe(403);
  expect((await decideAll(one.admin, 'reject', { wholeSession: 'yes' })).status).toBe(400);
  const decided = await decideAll(one.admin, 'reject');
  expect(decided.body.lapIds).toEqual([one.lap.id, one.otherLapId]);
  expect(await timesOf(one)).toEqual([76_000]);
  expect((await undo(one, one.admin)).status).toBe(200);
  expect(await timesOf(one)).toEqual([60_000, 76_000]);

  // The other lap is under appeal: a first doubt is not decided together with it.
  expect((await call('POST', `${otherUrl}/appeal`, one.driver, { sentence: SENTENCE })).status).toBe(200);
  expect((await decideAll(one.otherAdmin, 'keep')).body.lapIds).toEqual([one.lap.id]);
});

test('a moderator who is none any more neither reads the queue nor decides, asks or undoes', async () => {
  const one = await insertCase();
  const moderator = await insertSignedIn(db(), { role: 'moderator' });
  await flag(one, one.flagger);
  const statuses = async () => [
    (await call('GET', '/api/admin/flagged-laps', moderator)).status,
    (await call('POST', `${one.adminUrl}/question`, moderator, { question: SENTENCE })).status,
    (await decide(one, moderator, 'keep')).status,
    (await undo(one, moderator)).status,
  ];
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  await db().update(users).set({ role: 'member' }).where(eq(users.id, moderator.userId));
  expect(await statuses()).toEqual([403, 403, 403, 403]);
});

test("a decision and the driver's own wish do not undo each other", async () => {
  const one = await insertCase();
  await flag(one, one.flagger);
  const leaveOut = (isLeftOut: boolean) =>
    testApp.app.inject({
      method: 'PATCH',
      url: `/api/sessions/${one.lap.sessionId}`,
      headers: { ...one.driver.headers },
      payload: { laps: [{ lapId: one.lap.id, isLeftOut }] },
    });
  expect((await leaveOut(true)).statusCode).toBe(200);
  expect((await decide(one, one.admin, 'reject', SENTENCE)).status).toBe(200);
  expect((await leaveOut(false)).statusCode).toBe(200);
  expect(await timesOf(one)).toEqual([62_000, 76_000]);
  expect((await undo(one, one.admin)).status).toBe(200);
  expect(await timesOf(one)).toEqual([60_000, 76_000]);
});
