import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import type { LapId, TrackId } from '#contract/ids.ts';
import type { ProposedTrack } from '#contract/tracks/proposals.ts';
import { KART_TRACK, kartLineAcross } from '#engine/testing/kart-track.ts';
import { events } from '#server/model/events/schema.ts';
import { auditLog } from '#server/model/audit/schema.ts';
import { trackProposals } from '#server/model/tracks/schema.ts';
import { insertSession, insertSignedIn, insertTrack, type SignedIn } from '#server/testing/builders.ts';
import { insertKartTrack, kartCsv, listKeptFiles } from '#server/testing/kart-uploads.ts';
import { eventBody } from '#server/testing/race-events.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';
import { setState } from '#server/model/race-events/race-event-store.ts';

const app = useTestApp();
let admin: SignedIn;
let driver: SignedIn;

beforeAll(async () => {
  admin = await insertSignedIn(app.db, { isAdmin: true });
  driver = await insertSignedIn(app.db, { firstName: 'Ida', lastName: 'Holm' });
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const admins = (method: Method, path: string, payload?: object, who: Person = admin) =>
  app.as(who).send(method, `/api/admin/${path}`, payload);
const listProposals = async (): Promise<ProposedTrack[]> =>
  (await admins('GET', 'track-proposals')).json().proposals;

/** A kart track that the driver has proposed, some kilometres from those of other tests. */
async function insertProposal(name: string, proposedAt = new Date()): Promise<TrackId> {
  const id = await insertKartTrack(app.db, { name, configuration: null, status: 'community_submitted' });
  await app.db.insert(trackProposals).values({ trackId: id, userId: driver.userId, proposedAt });
  return id;
}

async function upload(trackId: string, who: SignedIn, lapCount = 3): Promise<void> {
  const response = await app.as(who).uploadLaps(trackId, kartCsv());
  expect(response.json().results).toMatchObject([{ success: true, lapCount }]);
}

async function listLaps(trackId: string): Promise<{ id: LapId; lap_time_ms: number; started_at: Date }[]> {
  const { rows } = await app.database.pool.query(
    'SELECT id, lap_time_ms, started_at FROM laps WHERE track_id = $1 ORDER BY started_at',
    [trackId],
  );
  return rows;
}

test('proposals wait in a queue, oldest first, with who made them, their laps and what is near', async () => {
  const later = await insertProposal('Later Ring', new Date('2026-06-02T10:00:00Z'));
  const older = await insertProposal('Older Ring', new Date('2026-06-01T10:00:00Z'));
  const far = await insertTrack(app.db);
  await upload(older, driver);
  const proposals = await listProposals();
  expect(proposals.map(({ id }) => id)).toEqual([older, later]);
  expect(proposals[0]).toMatchObject({
    name: 'Older Ring',
    status: 'community_submitted',
    proposedByName: 'Ida Holm',
    proposedAt: '2026-06-01T10:00:00Z',
    sessionCount: 1,
    lapCount: 3,
    driverCount: 1,
    nearTracks: [{ id: later, name: 'Later Ring', distanceMeters: 0 }],
  });
  expect(JSON.stringify(proposals)).not.toContain(far);
  expect((await admins('GET', 'track-proposals?limit=1&offset=1')).json()).toMatchObject({
    total: 2,
    proposals: [{ id: later }],
  });
  for (const id of [older, later]) await admins('DELETE', `tracks/${id}?laps=remove`);
});

test('an approved track is official, once; its driver gets an event, and its laps stay', async () => {
  const id = await insertProposal('Approved Ring');
  await upload(id, driver);
  const before = await listLaps(id);
  expect((await admins('POST', `tracks/${id}/approve`)).json()).toMatchObject({ id, status: 'official' });
  const again = await admins('POST', `tracks/${id}/approve`);
  expect([again.statusCode, again.json().message]).toEqual([409, 'This track is official already.']);
  expect((await app.as(admin).get(`/api/tracks/${id}`)).json()).toMatchObject({ status: 'official' });
  expect(await listLaps(id)).toEqual(before);
  expect(await listProposals()).toEqual([]);
  const [entry] = await app.db.select().from(auditLog).where(eq(auditLog.action, 'approve-track'));
  expect(entry).toMatchObject({ userId: admin.userId, subject: id });
  const happened = await app.db.select().from(events).where(eq(events.kind, 'track_approved'));
  expect(happened).toMatchObject([
    { trackId: id, userId: driver.userId, payload: { trackName: 'Approved Ring' } },
  ]);
  await app.runJobs();
  const [delivered] = await app.db.select().from(events).where(eq(events.kind, 'track_approved'));
  expect(delivered?.deliveredAt).not.toBeNull();
});

test('the driver also hears of a correction that makes a proposal official', async () => {
  const id = await insertProposal('Corrected Ring');
  await app.as(admin).patch(`/api/admin/tracks/${id}`, { status: 'official', name: 'Right Ring' });
  const happened = await app.db.select().from(events).where(eq(events.trackId, id));
  expect(happened).toMatchObject([{ kind: 'track_approved', payload: { trackName: 'Right Ring' } }]);
});

test('a merge moves all laps with their ids, times them on the other line, and links lead to the other track', async () => {
  const other = await insertSignedIn(app.db);
  const from = await insertProposal('Same Ring Again');
  const into = await insertKartTrack(app.db, { name: 'Same Ring', startFinishLine: kartLineAcross(-12, 12) });
  await app.db.execute(
    `UPDATE tracks SET start_finish_line = '${JSON.stringify(movedLine())}', sectors = '[]' WHERE id = '${from}'`,
  );
  // The last lap is incomplete when the line lies further on.
  await upload(from, driver, 2);
  await upload(from, other, 2);
  await upload(into, driver);
  const moved = await listLaps(from);
  const stayed = await listLaps(into);
  const lapIds = moved.slice(0, 2).map(({ id }) => id);
  await app.as(other).post('/api/comparisons', { name: 'Two laps', trackId: from, lapIds });

  const response = await admins('POST', `tracks/${from}/merge`, { intoTrackId: into });
  expect(response.statusCode, response.body).toBe(200);
  expect(response.json()).toMatchObject({ track: { id: into }, movedSessions: 2, movedLaps: moved.length });
  const atOnce = await listLaps(into);
  expect(atOnce).toEqual(
    [...moved, ...stayed].toSorted((a, b) => a.started_at.getTime() - b.started_at.getTime()),
  );
  expect((await app.as(admin).get(`/api/laps/track/${into}/best`)).json()).toHaveLength(2);

  await app.runJobs();
  const retimed = await listLaps(into);
  const startOf = (laps: typeof moved, lapId: string) => laps.find(({ id }) => id === lapId)?.started_at;
  for (const { id, started_at: before } of moved) {
    expect(startOf(retimed, id)).toBeDefined();
    expect(startOf(retimed, id)).not.toEqual(before);
  }
  for (const { id, started_at: before } of stayed) expect(startOf(retimed, id)).toEqual(before);
  expect(retimed).toHaveLength(atOnce.length);
  const saved = (await app.as(other).get('/api/comparisons')).json();
  expect(saved).toMatchObject([{ name: 'Two laps', trackId: into, lapIds }]);

  for (const path of [
    `tracks/${from}`,
    `laps/track/${from}/best?limit=3`,
    `tracks/${from}/laps/${moved[0]?.id}`,
  ]) {
    const redirect = await app.as(admin).get(`/api/${path}`);
    expect(redirect.statusCode, path).toBe(308);
    expect(redirect.headers.location).toBe(`/api/${path.replace(from, into)}`);
    expect((await app.as(admin).get(String(redirect.headers.location))).statusCode).toBe(200);
  }
  const notices = await app.db.select().from(events).where(eq(events.kind, 'track_merged'));
  expect(new Set(notices.map(({ userId }) => userId))).toEqual(new Set([driver.userId, other.userId]));
  expect(notices[0]).toMatchObject({
    trackId: into,
    payload: { trackName: 'Same Ring Again', intoTrackName: 'Same Ring' },
  });
  const [entry] = await app.db.select().from(auditLog).where(eq(auditLog.action, 'merge-tracks'));
  expect(entry).toMatchObject({ subject: into, counts: { movedSessions: 2, movedLaps: moved.length } });
});

test('links to a track go on working when the track that it was merged into is merged as well', async () => {
  const [first, second, third] = [
    await insertProposal('Chain One'),
    await insertProposal('Chain Two'),
    await insertProposal('Chain Three'),
  ];
  await admins('POST', `tracks/${first}/merge`, { intoTrackId: second });
  await admins('POST', `tracks/${second}/merge`, { intoTrackId: third });
  expect((await app.as(admin).get(`/api/tracks/${first}`)).headers.location).toBe(`/api/tracks/${third}`);
  await admins('DELETE', `tracks/${third}`);
  expect((await app.as(admin).get(`/api/tracks/${first}`)).statusCode).toBe(404);
});

test('a track is merged into another one that exists and lies nearby only', async () => {
  const id = await insertProposal('Lonely Ring');
  const far = await insertTrack(app.db);
  await upload(id, driver);
  const before = await listLaps(id);
  const attempts = [
    [id, 400, 'Choose another track'],
    ['no-such-track', 404, 'not in the library'],
    ['NO TRACK', 400, 'intoTrackId'],
    [far, 409, 'km apart'],
  ] as const;
  for (const [intoTrackId, status, sentence] of attempts) {
    const response = await admins('POST', `tracks/${id}/merge`, { intoTrackId });
    expect([response.statusCode, response.json().message]).toEqual([
      status,
      expect.stringContaining(sentence),
    ]);
  }
  expect((await admins('POST', `tracks/no-such-track/merge`, { intoTrackId: id })).statusCode).toBe(404);
  expect((await admins('POST', `tracks/no-such-track/approve`)).statusCode).toBe(404);
  expect(await listLaps(id)).toEqual(before);
  await admins('DELETE', `tracks/${id}?laps=remove`);
});

test('tracks that are courses of one event are merged only once its results are official', async () => {
  const from = await insertProposal('Morning Course');
  const into = await insertKartTrack(app.db, { name: 'Evening Course' });
  await upload(from, driver);
  const courses = [{ trackId: from }, { trackId: into }];
  const event = await app.as(admin).post('/api/events', eventBody(from, { name: 'Two Courses', courses }));
  expect(event.statusCode, event.body).toBe(200);
  const { id: eventId } = event.json();
  const before = await listLaps(from);
  const refused = await admins('POST', `tracks/${from}/merge`, { intoTrackId: into });
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    expect.stringContaining('The event Two Courses has courses on both tracks'),
  ]);
  expect(await listLaps(from)).toEqual(before);

  await setState(app.db, eventId, { state: 'official' });
  expect((await admins('POST', `tracks/${from}/merge`, { intoTrackId: into })).statusCode).toBe(200);
});

test('a proposal is removed with its outline, its laps and their files, which can be uploaded again', async () => {
  const id = await insertProposal('Home Street');
  const file = kartCsv();
  await app.as(driver).uploadLaps(id, file);
  const kept = await listKeptFiles(app.storage);
  const refused = await admins('DELETE', `tracks/${id}`);
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    'There are laps on this track, so it cannot be deleted.',
  ]);
  const removed = await admins('DELETE', `tracks/${id}?laps=remove`);
  expect(removed.json()).toEqual({ removed: true, removedSessions: 1 });
  expect((await app.as(admin).get(`/api/tracks/${id}`)).statusCode).toBe(404);
  expect(await listLaps(id)).toEqual([]);
  expect(await listKeptFiles(app.storage)).toHaveLength(kept.length - 1);
  const [entry] = await app.db.select().from(auditLog).where(eq(auditLog.subject, id)).limit(1);
  expect(entry).toMatchObject({ action: 'remove-track', counts: { sessions: 1, drivers: 1 } });
  const again = await insertProposal('Right Street');
  const second = await app.as(driver).uploadLaps(again, file);
  expect(second.json().results).toMatchObject([{ success: true }]);
  await admins('DELETE', `tracks/${again}?laps=remove`);
});

test('laps of an official track are not deleted with it', async () => {
  const id = await insertTrack(app.db);
  await insertSession(app.db, { trackId: id, userId: driver.userId, laps: [{ lapTimeMs: 60_000 }] });
  expect((await admins('DELETE', `tracks/${id}?laps=remove`)).statusCode).toBe(409);
  expect((await admins('DELETE', `tracks/${id}?laps=all`)).statusCode).toBe(400);
  expect(await listLaps(id)).toHaveLength(1);
});

test('only moderators and administrators see and review proposals', async () => {
  const id = await insertProposal('Guarded Ring');
  for (const [who, status] of [
    [null, 401],
    [driver, 403],
  ] as const) {
    expect((await admins('GET', 'track-proposals', undefined, who)).statusCode).toBe(status);
    expect((await admins('GET', 'retimings', undefined, who)).statusCode).toBe(status);
    expect((await admins('PATCH', `tracks/${id}`, { name: 'Mine' }, who)).statusCode).toBe(status);
    expect((await admins('POST', `tracks/${id}/approve`, undefined, who)).statusCode).toBe(status);
    const into = { intoTrackId: id };
    expect((await admins('POST', `tracks/${id}/merge`, into, who)).statusCode).toBe(status);
    expect((await admins('DELETE', `tracks/${id}?laps=remove`, undefined, who)).statusCode).toBe(status);
  }
  expect((await admins('GET', 'track-proposals?limit=0')).statusCode).toBe(400);
  expect((await admins('PATCH', `tracks/${id}`, { lengthMeters: -1 })).statusCode).toBe(400);
});

/** A line a little further on. */
function movedLine() {
  const [sector] = KART_TRACK.sectors;
  if (!sector) throw new Error('The kart track has no sectors.');
  const { name: _name, ...line } = sector;
  return line;
}
