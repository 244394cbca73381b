import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { FLAG_LIMITS } from '#contract/moderation/labels.ts';
import { auditLog } from '#server/model/audit/schema.ts';
import { lapDecisions, lapFlags } from '#server/model/flags/schema.ts';
import { laps } from '#server/model/laps/schema.ts';
import { users } from '#server/model/people/schema.ts';
import {
  insertSession,
  insertSignedIn,
  insertTrack,
  type SignedIn,
  newLapId,
} from '#server/testing/builders.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();

const SENTENCE = 'The other laps of this car are 16 s slower.';

/** A track with a lap of its own driver, somebody who flags it, and two administrators. */
async function insertCase() {
  const trackId = await insertTrack(app.db);
  const driver = await insertSignedIn(app.db);
  const flagger = await insertSignedIn(app.db);
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  const otherAdmin = await insertSignedIn(app.db, { isAdmin: true });
  const sessionId = await insertSession(app.db, {
    trackId,
    userId: driver.userId,
    laps: [{ lapTimeMs: 60_000 }, { lapTimeMs: 62_000 }],
  });
  await insertSession(app.db, { trackId, userId: otherAdmin.userId, laps: [{ lapTimeMs: 76_000 }] });
  const [lap, otherLap] = await app.db
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

const flag = ({ url }: Case, person: Person, given: object = {}) =>
  app.as(person).post(`${url}/flags`, { reason: 'time', sentence: SENTENCE, ...given });
const decide = ({ adminUrl }: Case, person: Person, verdict: string, reason: string | null = null) =>
  app.as(person).post(`${adminUrl}/decision`, { verdict, reason });
const undo = ({ adminUrl }: Case, person: Person) => app.as(person).delete(`${adminUrl}/decision`);
const appeal = ({ url }: Case, person: Person, sentence = 'I have the receipts of the timing.') =>
  app.as(person).post(`${url}/appeal`, { sentence });
const queueOf = async (person: SignedIn, { lap }: Case) =>
  (await app.as(person).get('/api/admin/flagged-laps'))
    .json()
    .find(({ lapId }: { lapId: string }) => lapId === lap.id);
const timesOf = async ({ trackId }: Case) =>
  (await app.asGuest().get(`/api/laps/track/${trackId}/best`))
    .json()
    .map(({ lapTimeMs }: { lapTimeMs: number }) => lapTimeMs);

test('a flag hides nothing, and only its driver and moderators see it', async () => {
  const one = await insertCase();
  expect((await flag(one, one.flagger)).statusCode).toBe(200);
  expect(await timesOf(one)).toEqual([60_000, 76_000]);
  const seen = await app.as(one.driver).get(`${one.url}/flags`);
  expect(seen.json()).toMatchObject({
    openFlags: [{ reason: 'time', sentence: SENTENCE }],
    decision: null,
    mayAppeal: false,
  });
  expect(seen.body).not.toContain(one.flagger.userId);
  expect((await app.as(one.flagger).get(`${one.url}/flags`)).statusCode).toBe(403);
  expect((await app.asGuest().get(`${one.url}/flags`)).statusCode).toBe(401);
  expect(await queueOf(one.admin, one)).toMatchObject({
    lapTimeMs: 60_000,
    record: { lapTimeMs: 76_000 },
    driverOtherBest: { lapId: one.otherLapId, lapTimeMs: 62_000 },
    isRejected: false,
    flags: [{ reason: 'time', sentence: SENTENCE }],
    history: [],
    whyNot: null,
  });
});

test('guests, the driver and unknown laps are refused, and so are flags with wrong fields', async () => {
  const one = await insertCase();
  expect((await flag(one, null)).statusCode).toBe(401);
  expect((await flag(one, one.driver)).statusCode).toBe(403);
  expect((await flag(one, one.flagger, { sentence: 'Too short' })).statusCode).toBe(400);
  expect((await flag(one, one.flagger, { sentence: 'x'.repeat(501) })).statusCode).toBe(400);
  expect((await flag(one, one.flagger, { reason: 'appeal' })).statusCode).toBe(400);
  expect((await flag(one, one.flagger)).statusCode).toBe(200);
  expect((await flag(one, one.flagger)).statusCode).toBe(409);
  const elsewhere = { ...one, url: one.url.replace(one.trackId, await insertTrack(app.db)) };
  expect((await flag(elsewhere, one.flagger)).statusCode).toBe(404);
});

test('ten laps a day may be flagged, and no more', async () => {
  const one = await insertCase();
  const driver = await insertSignedIn(app.db);
  const some = Array.from({ length: FLAG_LIMITS.perDayMax + 1 }, (_, index) => ({
    lapTimeMs: 70_000 + index,
  }));
  const sessionId = await insertSession(app.db, { trackId: one.trackId, userId: driver.userId, laps: some });
  const rows = await app.db.select().from(laps).where(eq(laps.sessionId, sessionId));
  const statuses: number[] = [];
  for (const { id } of rows)
    statuses.push(
      (await flag({ ...one, url: `/api/tracks/${one.trackId}/laps/${id}` }, one.flagger)).statusCode,
    );
  expect(statuses).toEqual([...some.slice(1).map(() => 200), 429]);
});

test('the limit of a day holds for flags that come at once', async () => {
  const one = await insertCase();
  const driver = await insertSignedIn(app.db);
  const some = Array.from({ length: FLAG_LIMITS.perDayMax + 3 }, (_, index) => ({
    lapTimeMs: 70_000 + index,
  }));
  const sessionId = await insertSession(app.db, { trackId: one.trackId, userId: driver.userId, laps: some });
  const rows = await app.db.select().from(laps).where(eq(laps.sessionId, sessionId));
  const answers = await Promise.all(
    rows.map(({ id }) => flag({ ...one, url: `/api/tracks/${one.trackId}/laps/${id}` }, one.flagger)),
  );
  const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
  expect(statuses).toEqual([...Array.from({ length: FLAG_LIMITS.perDayMax }, () => 200), 429, 429, 429]);
  const flags = await app.db.select().from(lapFlags).where(eq(lapFlags.userId, one.flagger.userId));
  expect(flags).toHaveLength(FLAG_LIMITS.perDayMax);
});

test('of two moderators who decide on a lap at once, one does', async () => {
  const one = await insertCase();
  await flag(one, one.flagger);
  const moderator = await insertSignedIn(app.db, { role: 'moderator' });
  const answers = await Promise.all([
    decide(one, one.admin, 'keep'),
    decide(one, moderator, 'reject', 'The lap cuts the last corner.'),
  ]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const decisions = await app.db.select().from(lapDecisions).where(eq(lapDecisions.lapId, one.lap.id));
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
    expect((await app.as(person).get('/api/admin/flagged-laps')).statusCode).toBe(status);
    expect((await decide(one, person, 'keep')).statusCode).toBe(status);
    expect((await undo(one, person)).statusCode).toBe(status);
  }
  expect((await decide(one, one.admin, 'reject')).statusCode).toBe(400);
  expect((await decide(one, one.admin, 'reject', 'Bad')).statusCode).toBe(400);
  expect((await decide(one, one.admin, 'maybe', SENTENCE)).statusCode).toBe(400);
  expect(await timesOf(one)).toEqual([60_000, 76_000]);
});

test('a rejected lap leaves the board at once and its driver reads why; undone, it is back', async () => {
  const one = await insertCase();
  await flag(one, one.flagger);
  expect((await decide(one, one.admin, 'reject', SENTENCE)).statusCode).toBe(200);
  expect(await timesOf(one)).toEqual([62_000, 76_000]);
  expect((await app.asGuest().get(one.url)).statusCode).toBe(404);
  const own = await app.as(one.driver).get(one.url);
  expect(own.json()).toMatchObject({ status: 'rejected', reasons: ['rejected_by_moderator'] });
  const flags = (await app.as(one.driver).get(`${one.url}/flags`)).json();
  expect(flags).toMatchObject({
    openFlags: [],
    mayAppeal: true,
    decision: { verdict: 'reject', reason: SENTENCE },
  });
  expect(await queueOf(one.admin, one)).toBeUndefined();
  expect((await decide(one, one.admin, 'keep')).statusCode).toBe(409);

  expect((await undo(one, one.otherAdmin)).statusCode).toBe(200);
  expect(await timesOf(one)).toEqual([60_000, 76_000]);
  expect(await queueOf(one.admin, one)).toMatchObject({
    history: [{ verdict: 'reject', reason: SENTENCE, isUndone: true }],
  });
  expect((await undo(one, one.otherAdmin)).statusCode).toBe(409);
  expect((await decide(one, one.admin, 'keep')).statusCode).toBe(200);
  expect(await timesOf(one)).toEqual([60_000, 76_000]);
  const entries = await app.db.select().from(auditLog).where(eq(auditLog.subject, one.lap.id));
  expect(entries.map(({ action }) => action).toSorted()).toEqual(['keep-lap', 'reject-lap', 'undo-decision']);
});

test('own laps, and those of drivers whom they have flagged, are for others to decide', async () => {
  const one = await insertCase();
  await flag(one, one.admin);
  expect(await queueOf(one.admin, one)).toMatchObject({ whyNot: expect.stringContaining('flagged a lap') });
  expect((await decide(one, one.admin, 'keep')).statusCode).toBe(403);
  const ownSession = await insertSession(app.db, {
    trackId: one.trackId,
    userId: one.admin.userId,
    laps: [{ lapTimeMs: 65_000 }],
  });
  const [own] = await app.db.select().from(laps).where(eq(laps.sessionId, ownSession));
  const ownCase = { ...one, lap: own ?? one.lap, url: `/api/tracks/${one.trackId}/laps/${own?.id}` };
  const decided = { ...ownCase, adminUrl: ownCase.url.replace('/api/', '/api/admin/') };
  await flag(decided, one.flagger);
  expect((await decide(decided, one.admin, 'keep')).statusCode).toBe(403);
  expect((await undo(decided, one.admin)).statusCode).toBe(403);
  expect((await decide(decided, one.otherAdmin, 'keep')).statusCode).toBe(200);
});

test('the driver appeals once, and somebody else decides', async () => {
  const one = await insertCase();
  await flag(one, one.flagger);
  expect((await appeal(one, one.driver)).statusCode).toBe(409);
  await decide(one, one.admin, 'reject', SENTENCE);
  expect((await appeal(one, null)).statusCode).toBe(401);
  expect((await appeal(one, one.flagger)).statusCode).toBe(404);
  expect((await appeal(one, one.driver, 'Short')).statusCode).toBe(400);
  expect((await appeal(one, one.driver)).statusCode).toBe(200);
  expect((await appeal(one, one.driver)).statusCode).toBe(409);
  expect(await queueOf(one.admin, one)).toMatchObject({
    isRejected: true,
    flags: [{ reason: 'appeal' }],
    whyNot: expect.stringContaining('against your decision'),
  });
  expect((await decide(one, one.admin, 'reject', SENTENCE)).statusCode).toBe(403);
  expect((await decide(one, one.otherAdmin, 'keep')).statusCode).toBe(200);
  expect(await timesOf(one)).toEqual([60_000, 76_000]);
  expect((await appeal(one, one.driver)).statusCode).toBe(409);
  // The rejection would be in force again.
  expect((await undo(one, one.admin)).statusCode).toBe(403);
  expect((await undo(one, one.otherAdmin)).statusCode).toBe(200);
});

test('one decision covers all flagged laps of a session that the caller may decide on, and each is undone by itself', async () => {
  const one = await insertCase();
  const otherUrl = one.url.replace(one.lap.id, one.otherLapId ?? '');
  const decideAll = (person: Person, verdict: string, given: object = {}) =>
    app.as(person).post(`${one.adminUrl}/decision`, {
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

  expect((await decideAll(null, 'reject')).statusCode).toBe(401);
  expect((await decideAll(one.flagger, 'reject')).statusCode).toBe(403);
  expect((await decideAll(one.admin, 'reject', { wholeSession: 'yes' })).statusCode).toBe(400);
  const decided = await decideAll(one.admin, 'reject');
  expect(decided.json().lapIds).toEqual([one.lap.id, one.otherLapId]);
  expect(await timesOf(one)).toEqual([76_000]);
  expect((await undo(one, one.admin)).statusCode).toBe(200);
  expect(await timesOf(one)).toEqual([60_000, 76_000]);

  // The other lap is under appeal: a first doubt is not decided together with it.
  expect((await app.as(one.driver).post(`${otherUrl}/appeal`, { sentence: SENTENCE })).statusCode).toBe(200);
  expect((await decideAll(one.otherAdmin, 'keep')).json().lapIds).toEqual([one.lap.id]);
});

test('a moderator who has lost the role neither reads the queue nor decides, asks or undoes', async () => {
  const one = await insertCase();
  const moderator = await insertSignedIn(app.db, { role: 'moderator' });
  await flag(one, one.flagger);
  const statuses = async () => [
    (await app.as(moderator).get('/api/admin/flagged-laps')).statusCode,
    (await app.as(moderator).post(`${one.adminUrl}/question`, { question: SENTENCE })).statusCode,
    (await decide(one, moderator, 'keep')).statusCode,
    (await undo(one, moderator)).statusCode,
  ];
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  await app.db.update(users).set({ role: 'member' }).where(eq(users.id, moderator.userId));
  expect(await statuses()).toEqual([403, 403, 403, 403]);
});

test("a decision and the driver's own wish do not undo each other", async () => {
  const one = await insertCase();
  await flag(one, one.flagger);
  const leaveOut = (isLeftOut: boolean) =>
    app
      .as(one.driver)
      .patch(`/api/sessions/${one.lap.sessionId}`, { laps: [{ lapId: one.lap.id, isLeftOut }] });
  expect((await leaveOut(true)).statusCode).toBe(200);
  expect((await decide(one, one.admin, 'reject', SENTENCE)).statusCode).toBe(200);
  expect((await leaveOut(false)).statusCode).toBe(200);
  expect(await timesOf(one)).toEqual([62_000, 76_000]);
  expect((await undo(one, one.admin)).statusCode).toBe(200);
  expect(await timesOf(one)).toEqual([60_000, 76_000]);
});
