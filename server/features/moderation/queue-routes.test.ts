import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lapDecisions, lapEvidence, lapFlags, lapQuestions } from '#server/model/flags/schema.ts';
import { events } from '#server/model/events/schema.ts';
import { auditLog } from '#server/model/audit/schema.ts';
import { laps, sessions } from '#server/model/laps/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { insertSession, insertSignedIn, insertTrack } from '#server/testing/builders.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { sweepFlags } from '#server/model/flags/question-store.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const db = () => testApp.database.db;
type Person = Awaited<ReturnType<typeof insertSignedIn>>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

async function call(method: Method, url: string, person: Person | null, payload?: object) {
  const headers = { ...person?.headers };
  const response = await testApp.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: response.statusCode, text: response.body, headers: response.headers };
}

/** A lap that somebody has flagged. */
async function insertFlagged(given: Partial<typeof sessions.$inferInsert> = {}) {
  const trackId = given.trackId ?? (await insertTrack(db()));
  const [driver, flagger] = [await insertSignedIn(db()), await insertSignedIn(db())];
  const moderator = await insertSignedIn(db(), { role: 'moderator' });
  const admin = await insertSignedIn(db(), { isAdmin: true });
  const drives = { trackId, userId: driver.userId, laps: [{ lapTimeMs: 60_000 }] };
  const sessionId = await insertSession(db(), { ...given, ...drives });
  const [lap] = await db().select().from(laps).where(eq(laps.sessionId, sessionId));
  if (!lap) throw new Error('There is no lap.');
  const url = `/api/tracks/${trackId}/laps/${lap.id}`;
  const adminUrl = url.replace('/api/', '/api/admin/');
  const flag = { reason: 'time', sentence: 'Too quick for this car.' };
  expect((await call('POST', `${url}/flags`, flagger, flag)).status).toBe(200);
  return { trackId, driver, flagger, moderator, admin, sessionId, lap, url, adminUrl };
}

const QUESTION = 'Which car was it on that day?';

test('a moderator asks, the driver sees it with a notice and answers, the queue shows the answer', async () => {
  const one = await insertFlagged();
  const ask = (person: Person | null, question = QUESTION) =>
    call('POST', `${one.adminUrl}/question`, person, { question });
  const answer = (person: Person | null, text = 'My own, with new tyres.') =>
    call('POST', `${one.url}/answer`, person, { answer: text });
  expect((await ask(null)).status).toBe(401);
  for (const person of [one.driver, one.flagger]) expect((await ask(person)).status).toBe(403);
  expect((await ask(one.moderator, 'Short')).status).toBe(400);
  expect((await answer(one.driver)).status).toBe(409);
  expect((await ask(one.moderator)).status).toBe(200);
  expect((await ask(one.moderator)).status).toBe(409);

  const seen = JSON.parse((await call('GET', `${one.url}/flags`, one.driver)).text);
  expect(seen.questions).toMatchObject([{ question: QUESTION, answer: null }]);
  expect(JSON.stringify(seen)).not.toContain(one.moderator.userId);
  const recorded = await db().select().from(events).where(eq(events.userId, one.driver.userId));
  expect(recorded).toContainEqual(
    expect.objectContaining({
      kind: 'lap_questioned',
      payload: expect.objectContaining({ question: QUESTION }),
    }),
  );
  await testApp.runJobs();
  expect((await call('GET', '/api/notices', one.driver)).text).toContain(QUESTION);

  expect((await answer(null)).status).toBe(401);
  expect((await answer(one.flagger)).status).toBe(404);
  expect((await answer(one.driver, 'Short')).status).toBe(400);
  expect((await answer(one.driver)).status).toBe(200);
  expect((await answer(one.driver)).status).toBe(409);
  await testApp.runJobs();
  const { notices } = JSON.parse((await call('GET', '/api/notices', one.moderator)).text);
  expect(notices).toMatchObject([{ kind: 'lap_answered', link: '/admin/apex-import?tab=flags' }]);
  // Who asked may be no moderator any more: the answer is in the queue, not in the notice.
  expect(JSON.stringify(notices)).not.toContain('new tyres');
  expect((await call('GET', '/api/notices', one.admin)).text).toContain('"notices":[]');
  for (const order of ['age', 'position']) {
    const queue = JSON.parse(
      (await call('GET', `/api/admin/flagged-laps?order=${order}`, one.moderator)).text,
    );
    expect(queue).toContainEqual(
      expect.objectContaining({
        lapId: one.lap.id,
        rank: 1,
        questions: [expect.objectContaining({ question: QUESTION, answer: 'My own, with new tyres.' })],
      }),
    );
  }
  expect((await call('GET', '/api/admin/flagged-laps?order=shape', one.moderator)).status).toBe(400);
});

test('of two moderators who ask the driver of a lap at once, one does', async () => {
  const one = await insertFlagged();
  const answers = await Promise.all(
    [one.moderator, one.admin].map((person) =>
      call('POST', `${one.adminUrl}/question`, person, { question: QUESTION }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const asked = await db().select().from(lapQuestions).where(eq(lapQuestions.lapId, one.lap.id));
  expect(asked).toHaveLength(1);
});

test('the other moderators get a notice of the answer where the one who asked is none any more', async () => {
  const one = await insertFlagged();
  await call('POST', `${one.adminUrl}/question`, one.moderator, { question: QUESTION });
  await db().update(users).set({ role: 'member' }).where(eq(users.id, one.moderator.userId));
  await call('POST', `${one.url}/answer`, one.driver, { answer: 'My own, with new tyres.' });
  await testApp.runJobs();
  expect((await call('GET', '/api/notices', one.admin)).text).toContain('lap_answered');
  expect((await call('GET', '/api/notices', one.flagger)).text).toContain('"notices":[]');
});

test('moderators read the raw file as long as a flag is open, and others never do', async () => {
  const one = await insertFlagged();
  const read = (person: Person | null) => call('GET', `${one.adminUrl}/lap-file`, person);
  for (const [person, status] of [
    [null, 401],
    [one.driver, 403],
    [one.flagger, 403],
    // The builder stores no file.
    [one.moderator, 404],
  ] as const)
    expect((await read(person)).status).toBe(status);
  const keep = { verdict: 'keep', reason: null };
  expect((await call('POST', `${one.adminUrl}/decision`, one.moderator, keep)).status).toBe(200);
  expect((await read(one.moderator)).status).toBe(409);
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
    expect((await call('PUT', official, person, { source })).status).toBe(status);
    expect((await call('DELETE', official, person)).status).toBe(status);
  }
  expect((await call('PUT', official, one.moderator, { source: 'x' })).status).toBe(400);
  await db().update(users).set({ role: 'moderator' }).where(eq(users.id, one.driver.userId));
  expect((await call('PUT', official, one.driver, { source })).status).toBe(403);
  const count = async () =>
    JSON.parse((await call('GET', `/api/laps/track/${one.trackId}/best?evidence=official`, null)).text)
      .length;
  expect(await count()).toBe(0);
  expect((await call('PUT', official, one.moderator, { source })).status).toBe(200);
  expect(await count()).toBe(1);
  const view = JSON.parse((await call('GET', one.url, null)).text);
  expect(view).toMatchObject({
    evidence: ['file', 'official'],
    grantedEvidence: [{ kind: 'official', source }],
  });
  expect((await call('DELETE', official, one.driver)).status).toBe(403);
  expect((await call('DELETE', official, one.admin)).status).toBe(200);
  expect((await call('DELETE', official, one.admin)).status).toBe(409);
  expect(await count()).toBe(0);
  const entries = await db().select().from(auditLog).where(eq(auditLog.subject, one.lap.id));
  expect(entries).toMatchObject([
    { action: 'grant-official', userId: one.moderator.userId, changes: { source: [null, source] } },
    { action: 'revoke-official', userId: one.admin.userId },
  ]);
});

test('everybody sees how many laps are checked and how old the oldest open flag is', async () => {
  const one = await insertFlagged();
  const checks = async () => JSON.parse((await call('GET', `/api/tracks/${one.trackId}/checks`, null)).text);
  expect(await checks()).toEqual({ checkedLapCount: 0, openFlagDays: 0 });
  await db().update(sessions).set({ rulesVersion: 1 });
  await db()
    .update(lapFlags)
    .set({ flaggedAt: sql`now() - interval '50 hours'` });
  expect(await checks()).toEqual({ checkedLapCount: 1, openFlagDays: 2 });
  await call('POST', `${one.adminUrl}/decision`, one.moderator, { verdict: 'keep', reason: null });
  expect(await checks()).toEqual({ checkedLapCount: 1, openFlagDays: null });
});

test('the record history says who held it since when, without laps that are rejected', async () => {
  const one = await insertFlagged({ startedAt: new Date('2026-05-01T10:00:00Z') });
  const drive = async (day: string, lapTimeMs: number) => {
    const { userId } = await insertSignedIn(db());
    const startedAt = new Date(`${day}T10:00:00Z`);
    return await insertSession(db(), { trackId: one.trackId, userId, startedAt, laps: [{ lapTimeMs }] });
  };
  await drive('2026-03-01', 66_000);
  await drive('2026-04-01', 67_000);
  await drive('2026-06-01', 64_000);
  const history = async () =>
    JSON.parse((await call('GET', `/api/laps/track/${one.trackId}/record-history`, null)).text).map(
      ({ lapTimeMs, since }: { lapTimeMs: number; since: string }) => [lapTimeMs, since.slice(0, 10)],
    );
  expect(await history()).toEqual([
    [60_000, '2026-05-01'],
    [66_000, '2026-03-01'],
  ]);
  const reject = { verdict: 'reject', reason: 'Not this car, as the video shows.' };
  await call('POST', `${one.adminUrl}/decision`, one.moderator, reject);
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
  const send = async (method: Method, url: string, person: Person, body: object) => {
    expect((await call(method, url, person, { ...surplus, ...body })).status, url).toBe(200);
    const hostile = { ...person.headers, 'content-type': 'application/json' };
    const payload = '{"__proto__":{"isAdmin":true}}';
    expect((await testApp.app.inject({ method, url, headers: hostile, payload })).statusCode).toBe(400);
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
    await db().select().from(lapFlags).where(eq(lapFlags.lapId, one.lap.id)).orderBy(lapFlags.flaggedAt),
  ).toMatchObject([
    { ...ofLap, userId: one.flagger.userId, figures: null },
    { ...ofLap, userId: admin.userId, reason: 'car', figures: null },
    { ...ofLap, userId: driver.userId, reason: 'appeal', decisionId: null, figures: null },
  ]);
  expect(await db().select().from(lapQuestions).where(eq(lapQuestions.lapId, one.lap.id))).toMatchObject([
    { ...ofLap, askedBy: moderator.userId },
  ]);
  expect(await db().select().from(lapEvidence).where(eq(lapEvidence.lapId, one.lap.id))).toMatchObject([
    { ...ofLap, kind: 'official', grantedBy: admin.userId, figures: null },
  ]);
  expect(await db().select().from(lapDecisions).where(eq(lapDecisions.lapId, one.lap.id))).toMatchObject([
    { ...ofLap, decidedBy: moderator.userId, verdict: 'reject', undoneAt: null },
  ]);
});

test('what is kept of a lap that was deleted is swept after a day, and the export has what is kept', async () => {
  const [one, gone] = [await insertFlagged(), await insertFlagged()];
  await call('DELETE', `/api/sessions/${gone.sessionId}`, gone.driver);
  const count = ({ lap }: typeof one) => db().$count(lapFlags, eq(lapFlags.lapId, lap.id));
  await sweepFlags(db());
  expect([await count(one), await count(gone)]).toEqual([1, 1]);
  await db()
    .update(lapFlags)
    .set({ flaggedAt: sql`now() - interval '2 days'` });
  await sweepFlags(db());
  expect([await count(one), await count(gone)]).toEqual([1, 0]);
});

test('the audit log is exported as a table that no spreadsheet runs', async () => {
  const one = await insertFlagged();
  await call('POST', `${one.adminUrl}/question`, one.moderator, { question: '=HYPERLINK("x"), which car?' });
  const url = '/api/admin/audit-log/export.csv?action=ask-driver';
  expect((await call('GET', url, null)).status).toBe(401);
  expect((await call('GET', url, one.moderator)).status).toBe(403);
  const { text, headers } = await call('GET', url, one.admin);
  expect(headers['content-type']).toContain('text/csv');
  expect(text.split('\r\n')[0]).toBe('at,userName,userId,action,subject,counts,changes');
  expect(text).toContain(`"ask-driver","${one.lap.id}","{}"`);
  expect(text).not.toMatch(/(^|,)"?[=+@]/m);
});
