import { beforeAll, expect, test, vi } from 'vitest';
import { raceEventIdSchema } from '#contract/ids.ts';
import { raceEventEndpoints } from '#contract/race-events/endpoints.ts';
import { addMakeOfficial } from '#server/model/race-events/make-official.ts';
import { insertSignedIn, insertTrack, type SignedIn } from '#server/testing/builders.ts';
import { insertKartUpload } from '#server/testing/kart-upload.ts';
import { insertKartTrack } from '#server/testing/kart-uploads.ts';
import { deleteForGood } from '#server/testing/leave.ts';
import { eventBody, runBody } from '#server/testing/race-events.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';
import { verifyResults } from '../../../scripts/verify-results.ts';

const app = useTestApp();
let organiser: SignedIn;
let trackId: string;

beforeAll(async () => {
  organiser = await insertSignedIn(app.db, { role: 'moderator' });
  trackId = await insertTrack(app.db);
});

const body = (given: object = {}) => eventBody(trackId, given);

async function create(given: object = {}): Promise<string> {
  const response = await app.as(organiser).post('/api/events', body(given));
  expect(response.statusCode).toBe(200);
  return response.json().id;
}

async function view(eventId: string, who: Person = null) {
  const response = await app.as(who).get(`/api/events/${eventId}`);
  expect(response.statusCode).toBe(200);
  return raceEventEndpoints.get.response.parse(response.json());
}

const step = (eventId: string, state: string, more: object = {}) =>
  app.as(organiser).post(`/api/events/${eventId}/state`, { state, ...more });

async function enter(eventId: string, who: Person, given: object = {}) {
  const [first] = (await view(eventId, organiser)).classes;
  return await app
    .as(who)
    .post(`/api/events/${eventId}/entries`, { classId: first?.id, number: '7', group: null, ...given });
}

const record = (eventId: string, run: object) =>
  app.as(organiser).post(`/api/events/${eventId}/runs`, runBody(run));

test('an event goes from a draft to official results, which anybody can check', async () => {
  const eventId = await create();
  expect((await app.asGuest().get(`/api/events/${eventId}`)).statusCode).toBe(404);
  expect((await app.asGuest().get('/api/events')).json().events).toEqual([]);
  expect((await step(eventId, 'open')).statusCode).toBe(200);
  const driver = await insertSignedIn(app.db, { firstName: 'Ana', fullName: 'Ana Lima' });
  const entered = await enter(eventId, driver, { number: '27', carName: 'Mini' });
  expect(entered.statusCode).toBe(200);
  expect((await enter(eventId, organiser, { driverName: 'Bo Castell', number: '8' })).statusCode).toBe(200);
  const listed = async (query = '') => (await app.asGuest().get(`/api/events${query}`)).json().events;
  expect(await listed()).toMatchObject([{ id: eventId, entryCount: 2, state: 'open' }]);
  expect(await listed(`?track=${trackId}&when=current`)).toHaveLength(1);
  expect(await listed('?when=past')).toEqual([]);
  expect(await listed('?track=elsewhere')).toEqual([]);
  expect((await step(eventId, 'running')).statusCode).toBe(200);
  const { entries, ownEntryId } = await view(eventId, driver);
  expect(ownEntryId).toBe(entered.json().id);
  const [bo, ana] = entries;
  expect([bo?.driverName, ana?.driverName]).toEqual(['Bo Castell', 'Ana Lima']);
  await record(eventId, { entryId: bo?.id, timeMs: 65_000 });
  await record(eventId, { entryId: ana?.id, timeMs: 64_000, cones: 1, reason: 'Cone at gate 3' });
  expect((await step(eventId, 'provisional')).statusCode).toBe(200);
  await app.runJobs();
  const provisional = await view(eventId);
  expect(provisional.state).toBe('provisional');
  const unsigned = (await app.asGuest().get(`/api/events/${eventId}/results.json`)).json();
  expect(verifyResults(unsigned, {})).toMatchObject({
    problems: [],
    unknowns: [expect.stringContaining('not official')],
  });
  expect(provisional.results.classes[0]?.rows).toMatchObject([
    { entryId: bo?.id, place: 1, totalMs: 65_000, gapMs: 0 },
    { entryId: ana?.id, place: 2, totalMs: 66_000, gapMs: 1_000 },
  ]);
  await passProtestTime(eventId);
  const official = await view(eventId);
  expect(official).toMatchObject({ state: 'official', results: provisional.results });
  expect(official.runs.find(({ entryId }) => entryId === ana?.id)).toMatchObject({
    reason: 'Cone at gate 3',
  });
  await expectSigned(eventId);
  expect((await record(eventId, { entryId: bo?.id })).statusCode).toBe(409);
  expect((await step(eventId, 'running', { reason: 'Late protest' })).statusCode).toBe(409);
  const csv = await app.asGuest().get(`/api/events/${eventId}/results.csv`);
  expect(csv.body).toContain('Street,2,27,Ana Lima,Mini,1:04.000 +1 cones,1:06.000,66000,,1000');
});

/** Runs the job as if the time for protests were over. */
async function passProtestTime(eventId: string): Promise<void> {
  await app.database.pool.query(
    `UPDATE race_events SET provisional_until = now() - interval '1 second' WHERE id = $1`,
    [eventId],
  );
  await app.database.pool.query('UPDATE graphile_worker._private_jobs SET run_at = now()');
  await app.runJobs();
}

/** The signed results hold by the published key, and any other time or place does not. */
async function expectSigned(eventId: string): Promise<void> {
  const document = (await app.asGuest().get(`/api/events/${eventId}/results.json`)).json();
  const { publicKey: key } = (await app.asGuest().get('/api/proof-key')).json();
  expect(verifyResults(document, { key })).toMatchObject({ problems: [], unknowns: [] });
  expect(JSON.stringify(document)).not.toContain('Ana');
  const [run, ...others] = document.runs;
  const slower = { ...document, runs: [{ ...run, timeMs: run.timeMs + 5_000 }, ...others] };
  expect(verifyResults(slower, { key }).problems).toHaveLength(2);
  expect(verifyResults({ ...document, site: 'https://laps.example.net' }, { key }).problems).toHaveLength(1);
  expect(() => verifyResults({ ...document, runs: 'none' }, { key })).toThrow('runs does not fit');
}

test('results become official when the page says so, although the time for protests was longer before', async () => {
  const eventId = await create({ protestMinutes: 10_080 });
  for (const state of ['open', 'running', 'provisional']) await step(eventId, state);
  await step(eventId, 'running', { reason: 'The time is too long' });
  const change = await app.as(organiser).patch(`/api/events/${eventId}`, body({ protestMinutes: 0 }));
  expect(change.statusCode).toBe(200);
  await step(eventId, 'provisional');
  await app.runJobs();
  expect((await view(eventId)).state).toBe('official');
});

test('official results stay as they were signed, whatever happens to runs, drivers and jobs', async () => {
  const eventId = await create({ protestMinutes: 0 });
  await step(eventId, 'open');
  const driver = await insertSignedIn(app.db);
  await enter(eventId, driver);
  await step(eventId, 'running');
  const [entry] = (await view(eventId)).entries;
  await record(eventId, { entryId: entry?.id, timeMs: 64_000 });
  await step(eventId, 'provisional');
  await app.runJobs();
  const read = async () => (await app.asGuest().get(`/api/events/${eventId}/results.json`)).body;
  const signed = await read();
  expect(JSON.parse(signed)).toMatchObject({ officialAt: expect.any(String) });
  await app.database.pool.query('UPDATE race_event_runs SET time_ms = 50000');
  await addMakeOfficial(app.db, raceEventIdSchema.parse(eventId), 0);
  await app.runJobs();
  await deleteForGood(app, driver);
  expect(await read()).toBe(signed);
  expect(await view(eventId)).toMatchObject({
    entries: [{ driverName: 'A driver who left' }],
    results: { overall: [{ entryId: entry?.id, place: 1, totalMs: 64_000 }] },
  });
});

test('a correction of provisional results needs a reason and starts the time for protests again', async () => {
  const eventId = await create();
  await step(eventId, 'open');
  await enter(eventId, organiser, { driverName: 'Bo Castell' });
  await step(eventId, 'running');
  const [entry] = (await view(eventId)).entries;
  const { id } = (await record(eventId, { entryId: entry?.id })).json();
  await step(eventId, 'provisional');
  const { provisionalUntil } = await view(eventId);
  const run = { timeMs: 63_000, cones: 0, gates: 0, status: 'timed', reason: null };
  const change = (given: object) =>
    app.as(organiser).patch(`/api/events/${eventId}/runs/${id}`, { ...run, ...given });
  expect((await change({})).statusCode).toBe(400);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  expect((await change({ reason: 'Wrong car timed' })).statusCode).toBe(200);
  vi.useRealTimers();
  const after = await view(eventId);
  expect(Date.parse(after.provisionalUntil ?? '')).toBeGreaterThan(
    Date.parse(provisionalUntil ?? '') + 50_000,
  );
  expect(after.runs).toMatchObject([{ timeMs: 63_000, reason: 'Wrong car timed' }]);
});

test('laps of lap files are runs of a driver who is entered, with what was recorded about them', async () => {
  const kartTrack = await insertKartTrack(app.db);
  const upload = await insertKartUpload(app, kartTrack);
  const { lastDay } = body();
  const eventId = await create({
    courses: [{ trackId: kartTrack }],
    takesLaps: true,
    firstDay: '2026-06-05',
    lastDay,
  });
  await step(eventId, 'open');
  await enter(eventId, upload);
  const before = await view(eventId);
  expect(before.runs.length).toBeGreaterThan(1);
  const [first] = before.runs;
  expect(first).toMatchObject({ id: null, runNumber: 1, status: 'timed' });
  expect(first?.uncertaintyMs).toBeGreaterThan(0);
  expect(before.results.classes[0]?.rows[0]).toMatchObject({
    place: 1,
    totalMs: Math.min(...before.runs.map(({ timeMs }) => timeMs ?? Infinity)),
  });
  await step(eventId, 'running');
  const { lap, entryId } = first ?? {};
  const penalty = { entryId, lap, timeMs: null, status: 'dsq', reason: 'Passed under yellow' };
  expect((await record(eventId, penalty)).statusCode).toBe(200);
  expect((await record(eventId, penalty)).statusCode).toBe(409);
  const after = await view(eventId);
  expect(after.runs[0]).toMatchObject({
    status: 'dsq',
    counts: false,
    reason: 'Passed under yellow',
    timeMs: first?.timeMs,
  });
  expect(after.runs).toHaveLength(before.runs.length);
});
