import { beforeEach, expect, test } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import { sweepFlags } from '#server/model/flags/question-store.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import type { TestFile } from '#server/testing/form.ts';
import { insertKartTrack, kartCsv } from '#server/testing/kart-uploads.ts';
import { passMinute } from '#server/testing/pass-minute.ts';
import { useTestApp } from '#server/testing/test-app.ts';

// A driver who deletes a session and uploads its file again has the same flags and decisions.

const app = useTestApp();
let file: TestFile;
let trackId: TrackId;
let driver: SignedIn;
let moderator: SignedIn;

beforeEach(async () => {
  file = kartCsv();
  trackId = await insertKartTrack(app.db);
  [driver, moderator] = [await insertSignedIn(app.db), await insertSignedIn(app.db, { role: 'moderator' })];
});

async function upload(): Promise<{ sessionId: string }> {
  const [result] = (await app.as(driver).uploadLaps(trackId, file)).json().results;
  expect(result).toMatchObject({ success: true });
  return result;
}

/** The lap of the driver on the board. */
const findLap = async (): Promise<LapRecord | undefined> =>
  (await app.asGuest().get(`/api/laps/track/${trackId}/best`)).json()[0];

const urlOf = (lapId = '') => `tracks/${trackId}/laps/${lapId}`;

/** Flags the best lap. */
async function flag(): Promise<string> {
  const url = urlOf((await findLap())?.lapId);
  const doubt = { reason: 'car', sentence: 'Another car than stated drove it.' };
  const flagger = app.as(await insertSignedIn(app.db));
  expect((await flagger.post(`/api/${url}/flags`, doubt)).statusCode).toBe(200);
  return url;
}

async function deleteSession({ sessionId }: { sessionId: string }): Promise<void> {
  expect((await app.as(driver).delete(`/api/sessions/${sessionId}`)).statusCode).toBe(200);
  await passMinute(app);
  for (const [table, moment] of [
    ['lap_flags', 'flagged_at'],
    ['lap_decisions', 'decided_at'],
  ]) {
    await app.database.pool.query(`UPDATE ${table} SET ${moment} = ${moment} - interval '30 days'`);
  }
  await sweepFlags(app.db);
}

test('a lap that a moderator rejected does not rank where its file is uploaded again, until the decision is undone', async () => {
  const session = await upload();
  const best = await findLap();
  const url = await flag();
  const decision = { verdict: 'reject', reason: 'Another car drove it.' };
  expect((await app.as(moderator).post(`/api/admin/${url}/decision`, decision)).statusCode).toBe(200);
  const second = await findLap();
  expect(second?.lapTimeMs).toBeGreaterThan(best?.lapTimeMs ?? Infinity);
  await deleteSession(session);
  expect(await findLap()).toBeUndefined();

  await upload();
  expect((await findLap())?.lapTimeMs).toBe(second?.lapTimeMs);
  expect((await app.as(moderator).delete(`/api/admin/${url}/decision`)).statusCode).toBe(200);
  expect(await findLap()).toMatchObject({ lapId: best?.lapId, lapTimeMs: best?.lapTimeMs });
});

test('an open flag waits for a decision again where the file of its lap is uploaded again', async () => {
  const session = await upload();
  const url = await flag();
  await deleteSession(session);
  await upload();
  const decision = { verdict: 'keep', reason: null };
  expect((await app.as(moderator).post(`/api/admin/${url}/decision`, decision)).statusCode).toBe(200);
});
