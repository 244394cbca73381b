import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { lapDecisions, lapEvidence, lapFlags, lapQuestions } from '#server/model/flags/schema.ts';
import { events } from '#server/model/events/schema.ts';
import { auditLog } from '#server/model/audit/schema.ts';
import { laps, sessions } from '#server/model/laps/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { insertSession, insertSignedIn, insertTrack, type SignedIn } from '#server/testing/builders.ts';
import { passMinute } from '#server/testing/pass-minute.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';
import { sweepFlags } from '#server/model/flags/question-store.ts';

const app = useTestApp();

/** A lap that somebody has flagged. */
async function insertFlagged(given: Partial<typeof sessions.$inferInsert> = {}) {
  const trackId = given.trackId ?? (await insertTrack(app.db));
  const [driver, flagger] = [await insertSignedIn(app.db), await insertSignedIn(app.db)];
  const moderator = await insertSignedIn(app.db, { role: 'moderator' });
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  const drives = { trackId, userId: driver.userId, laps: [{ lapTimeMs: 60_000 }] };
  const sessionId = await insertSession(app.db, { ...given, ...drives });
  const [lap] = await app.db.select().from(laps).where(eq(laps.sessionId, sessionId));
  if (!lap) throw new Error('There is no lap.');
  const url = `/api/tracks/${trackId}/laps/${lap.id}`;
  const adminUrl = url.replace('/api/', '/api/admin/');
  const flag = { reason: 'time', sentence: 'Too quick for this car.' };
  expect((await app.as(flagger).post(`${url}/flags`, flag)).statusCode).toBe(200);
  return { trackId, driver, flagger, moderator, admin, sessionId, lap, url, adminUrl };
}

type Flagged = Awaited<ReturnType<typeof insertFlagged>>;

const QUESTION = 'Which car was it on that day?';

const ask = ({ adminUrl }: Flagged, person: Person, question = QUESTION) =>
  app.as(person).post(`${adminUrl}/question`, { question });
const answer = ({ url }: Flagged, person: Person, text = 'My own, with new tyres.') =>
  app.as(person).post(`${url}/answer`, { answer: text });

test('a moderator asks about a lap once at a time; drivers ask nothing', async () => {
  const one = await insertFlagged();
  expect((await ask(one, null)).statusCode).toBe(401);
  for (const person of [one.driver, one.flagger]) expect((await ask(one, person)).statusCode).toBe(403);
  expect((await ask(one, one.moderator, 'Short')).statusCode).toBe(400);
  expect((await ask(one, one.moderator)).statusCode).toBe(200);
  expect((await ask(one, one.moderator)).statusCode).toBe(409);
});

test('the driver sees a question with a notice, and not who asks', async () => {
  const one = await insertFlagged();
  await ask(one, one.moderator);
  const seen = await app.as(one.driver).get(`${one.url}/flags`);
  expect(seen.json().questions).toMatchObject([{ question: QUESTION, answer: null }]);
  expect(seen.body).not.toContain(one.moderator.userId);
  const recorded = await app.db.select().from(events).where(eq(events.userId, one.driver.userId));
  expect(recorded).toContainEqual(
    expect.objectContaining({
      kind: 'lap_questioned',
      payload: expect.objectContaining({ question: QUESTION }),
    }),
  );
  await app.runJobs();
  expect((await app.as(one.driver).get('/api/notices')).body).toContain(QUESTION);
});

test('the driver alone answers a question, once', async () => {
  const one = await insertFlagged();
  expect((await answer(one, one.driver)).statusCode).toBe(409);
  await ask(one, one.moderator);
  expect((await answer(one, null)).statusCode).toBe(401);
  expect((await answer(one, one.flagger)).statusCode).toBe(404);
  expect((await answer(one, one.driver, 'Short')).statusCode).toBe(400);
  expect((await answer(one, one.driver)).statusCode).toBe(200);
  expect((await answer(one, one.driver)).statusCode).toBe(409);
});

test('the moderator who asked gets a notice of the answer, and the queue shows it', async () => {
  const one = await insertFlagged();
  await ask(one, one.moderator);
  await answer(one, one.driver);
  await app.runJobs();
  const { notices } = (await app.as(one.moderator).get('/api/notices')).json();
  expect(notices).toMatchObject([{ kind: 'lap_answered', link: '/club/moderation' }]);
  // A moderator who asked may lose the role: the answer is in the queue, not in the notice.
  expect(JSON.stringify(notices)).not.toContain('new tyres');
  expect((await app.as(one.admin).get('/api/notices')).body).toContain('"notices":[]');
  for (const order of ['age', 'position']) {
    const queue = await app.as(one.moderator).get(`/api/admin/flagged-laps?order=${order}`);
    expect(queue.json()).toContainEqual(
      expect.objectContaining({
        lapId: one.lap.id,
        rank: 1,
        questions: [expect.objectContaining({ question: QUESTION, answer: 'My own, with new tyres.' })],
      }),
    );
  }
  const wrong = await app.as(one.moderator).get('/api/admin/flagged-laps?order=shape');
  expect(wrong.statusCode).toBe(400);
});

test('of two moderators who ask the driver of a lap at once, one does', async () => {
  const one = await insertFlagged();
  const answers = await Promise.all(
    [one.moderator, one.admin].map((person) =>
      app.as(person).post(`${one.adminUrl}/question`, { question: QUESTION }),
    ),
  );
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const asked = await app.db.select().from(lapQuestions).where(eq(lapQuestions.lapId, one.lap.id));
  expect(asked).toHaveLength(1);
});

test('the other moderators get a notice of the answer when the one who asked has lost the role', async () => {
  const one = await insertFlagged();
  await ask(one, one.moderator);
  await app.db.update(users).set({ role: 'member' }).where(eq(users.id, one.moderator.userId));
  await answer(one, one.driver);
  await app.runJobs();
  expect((await app.as(one.admin).get('/api/notices')).body).toContain('lap_answered');
  expect((await app.as(one.flagger).get('/api/notices')).body).toContain('"notices":[]');
});

test('moderators read the raw file as long as a flag is open, and others never do', async () => {
  const one = await insertFlagged();
  const read = (person: Person) => app.as(person).get(`${one.adminUrl}/lap-file`);
  for (const [person, status] of [
    [null, 401],
    [one.driver, 403],
    [one.flagger, 403],
    // The builder stores no file.
    [one.moderator, 404],
  ] as const)
    expect((await read(person)).statusCode).toBe(status);
  const keep = { verdict: 'keep', reason: null };
  expect((await app.as(one.moderator).post(`${one.adminUrl}/decision`, keep)).statusCode).toBe(200);
  expect((await read(one.moderator)).statusCode).toBe(409);
});

test('moderators confirm a lap from a published result; boards can be filtered by it, and it can be taken back', async () => {
  const one = await insertFlagged();
  const official = `${one.adminUrl}/official`;
  const source = 'Results of the club cup, https://club.example/results';
  for (const [person, status] of [
    [null, 401],
    [one.driver, 403],
    [one.flagger, 403],
  ] as const) {
    expect((await app.as(person).put(official, { source })).statusCode).toBe(status);
    expect((await app.as(person).delete(official)).statusCode).toBe(status);
  }
  expect((await app.as(one.moderator).put(official, { source: 'x' })).statusCode).toBe(400);
  await app.db.update(users).set({ role: 'moderator' }).where(eq(users.id, one.driver.userId));
  expect((await app.as(one.driver).put(official, { source })).statusCode).toBe(403);
  const count = async () =>
    (await app.asGuest().get(`/api/laps/track/${one.trackId}/best?evidence=official`)).json().length;
  expect(await count()).toBe(0);
  expect((await app.as(one.moderator).put(official, { source })).statusCode).toBe(200);
  expect(await count()).toBe(1);
  const view = (await app.asGuest().get(one.url)).json();
  expect(view).toMatchObject({
    evidence: ['file', 'official'],
    grantedEvidence: [{ kind: 'official', source }],
  });
  expect((await app.as(one.driver).delete(official)).statusCode).toBe(403);
  expect((await app.as(one.admin).delete(official)).statusCode).toBe(200);
  expect((await app.as(one.admin).delete(official)).statusCode).toBe(409);
  expect(await count()).toBe(0);
  const entries = await app.db.select().from(auditLog).where(eq(auditLog.subject, one.lap.id));
  expect(entries).toMatchObject([
    { action: 'grant-official', userId: one.moderator.userId, changes: { source: [null, source] } },
    { action: 'revoke-official', userId: one.admin.userId },
  ]);
});

test('everybody sees how many laps are checked and how old the oldest open flag is', async () => {
  const one = await insertFlagged();
  const checks = async () => (await app.asGuest().get(`/api/tracks/${one.trackId}/checks`)).json();
  expect(await checks()).toEqual({ checkedLapCount: 0, openFlagDays: 0 });
  await app.db.update(sessions).set({ rulesVersion: 1 });
  await app.db.update(lapFlags).set({ flaggedAt: sql`now() - interval '50 hours'` });
  expect(await checks()).toEqual({ checkedLapCount: 1, openFlagDays: 2 });
  // The clock of the database was set back since.
  await app.db.update(lapFlags).set({ flaggedAt: sql`now() + interval '1 hour'` });
  expect(await checks()).toEqual({ checkedLapCount: 1, openFlagDays: 0 });
  await app.as(one.moderator).post(`${one.adminUrl}/decision`, { verdict: 'keep', reason: null });
  expect(await checks()).toEqual({ checkedLapCount: 1, openFlagDays: null });
});

test('the record history says who held it since when, without laps that are rejected', async () => {
  const one = await insertFlagged({ startedAt: new Date('2026-05-01T10:00:00Z') });
  const drive = async (day: string, lapTimeMs: number) => {
    const { userId } = await insertSignedIn(app.db);
    const startedAt = new Date(`${day}T10:00:00Z`);
    return await insertSession(app.db, { trackId: one.trackId, userId, startedAt, laps: [{ lapTimeMs }] });
  };
  await drive('2026-03-01', 66_000);
  await drive('2026-04-01', 67_000);
  await drive('2026-06-01', 64_000);
  const history = async () =>
    (await app.asGuest().get(`/api/laps/track/${one.trackId}/record-history`))
      .json()
      .map(({ lapTimeMs, since }: { lapTimeMs: number; since: string }) => [lapTimeMs, since.slice(0, 10)]);
  expect(await history()).toEqual([
    [60_000, '2026-05-01'],
    [66_000, '2026-03-01'],
  ]);
  const reject = { verdict: 'reject', reason: 'Not this car, as the video shows.' };
  await app.as(one.moderator).post(`${one.adminUrl}/decision`, reject);
  expect(await history()).toEqual([
    [64_000, '2026-06-01'],
    [66_000, '2026-03-01'],
  ]);
});

test('fields that a call does not have are not taken', async () => {
  const one = await insertFlagged();
  const surplus = {
    userId: one.flagger.userId,
    driverId: one.flagger.userId,
    askedBy: one.driver.userId,
    decidedBy: one.driver.userId,
    grantedBy: one.driver.userId,
    kind: 'video-gps',
    decisionId: one.lap.id,
    isUndone: true,
    lapId: one.sessionId,
    status: 'valid',
    figures: { foundG: 9 },
  };
  const send = async (method: 'POST' | 'PUT', url: string, person: SignedIn, body: object) => {
    expect((await app.as(person).send(method, url, { ...surplus, ...body })).statusCode, url).toBe(200);
    const json = { 'content-type': 'application/json' };
    const hostile = await app.as(person).send(method, url, '{"__proto__":{"isAdmin":true}}', json);
    expect(hostile.statusCode).toBe(400);
  };
  const { admin, moderator, driver } = one;
  await send('POST', `${one.url}/flags`, admin, { reason: 'car', sentence: 'That is another car.' });
  await send('POST', `${one.adminUrl}/question`, moderator, { question: QUESTION });
  await send('POST', `${one.url}/answer`, driver, { answer: 'My own car, as always.' });
  await send('PUT', `${one.adminUrl}/official`, admin, { source: 'Results of the club.' });
  const reason = 'It was another car.';
  await send('POST', `${one.adminUrl}/decision`, moderator, { verdict: 'reject', reason });
  await send('POST', `${one.url}/appeal`, driver, { sentence: 'It was my own car.' });
  const ofLap = { lapId: one.lap.id, driverId: driver.userId };
  expect(
    await app.db.select().from(lapFlags).where(eq(lapFlags.lapId, one.lap.id)).orderBy(lapFlags.flaggedAt),
  ).toMatchObject([
    { ...ofLap, userId: one.flagger.userId, figures: null },
    { ...ofLap, userId: admin.userId, reason: 'car', figures: null },
    { ...ofLap, userId: driver.userId, reason: 'appeal', decisionId: null, figures: null },
  ]);
  expect(await app.db.select().from(lapQuestions).where(eq(lapQuestions.lapId, one.lap.id))).toMatchObject([
    { ...ofLap, askedBy: moderator.userId },
  ]);
  expect(await app.db.select().from(lapEvidence).where(eq(lapEvidence.lapId, one.lap.id))).toMatchObject([
    { ...ofLap, kind: 'official', grantedBy: admin.userId, figures: null },
  ]);
  expect(await app.db.select().from(lapDecisions).where(eq(lapDecisions.lapId, one.lap.id))).toMatchObject([
    { ...ofLap, decidedBy: moderator.userId, verdict: 'reject', undoneAt: null },
  ]);
});

test('the flags of a deleted lap are swept after a day', async () => {
  const [one, gone] = [await insertFlagged(), await insertFlagged()];
  await app.as(gone.driver).delete(`/api/sessions/${gone.sessionId}`);
  const count = ({ lap }: typeof one) => app.db.$count(lapFlags, eq(lapFlags.lapId, lap.id));
  await sweepFlags(app.db);
  expect([await count(one), await count(gone)]).toEqual([1, 1]);
  await app.db.update(lapFlags).set({ flaggedAt: sql`now() - interval '2 days'` });
  await sweepFlags(app.db);
  expect([await count(one), await count(gone)]).toEqual([1, 1]);
  await passMinute(app);
  await sweepFlags(app.db);
  expect([await count(one), await count(gone)]).toEqual([1, 0]);
});

test('the audit log is exported as a table that no spreadsheet runs', async () => {
  const one = await insertFlagged();
  await app.as(one.moderator).post(`${one.adminUrl}/question`, { question: '=HYPERLINK("x"), which car?' });
  const url = '/api/admin/audit-log/export.csv?action=ask-driver';
  expect((await app.asGuest().get(url)).statusCode).toBe(401);
  expect((await app.as(one.moderator).get(url)).statusCode).toBe(403);
  const { body, headers } = await app.as(one.admin).get(url);
  expect(headers['content-type']).toContain('text/csv');
  expect(body.split('\r\n')[0]).toBe('at,userName,userId,action,subject,counts,changes');
  expect(body).toContain(`"ask-driver","${one.lap.id}","{}"`);
  expect(body).not.toMatch(/(^|,)"?[=+@]/m);
});
