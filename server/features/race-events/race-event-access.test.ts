import { beforeAll, expect, test } from 'vitest';
import { insertSignedIn, insertTrack, insertUserCar, type SignedIn } from '#server/testing/builders.ts';
import { deleteForGood } from '#server/testing/leave.ts';
import { eventBody, insertEntered, runBody } from '#server/testing/race-events.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';
import type { TrackId } from '#contract/ids.ts';
import { raceEventEndpoints } from '#contract/race-events/endpoints.ts';
import { moveSessions } from '#server/model/laps/track-sessions-store.ts';
import { findRaceEvent } from '#server/model/race-events/race-event-store.ts';
import { listAuditEntries } from '#server/model/audit/audit-store.ts';

const app = useTestApp();
let organiser: SignedIn;
let administrator: SignedIn;
let driver: SignedIn;
let trackId: TrackId;

beforeAll(async () => {
  organiser = await insertSignedIn(app.db, { role: 'moderator' });
  administrator = await insertSignedIn(app.db, { isAdmin: true });
  driver = await insertSignedIn(app.db);
  trackId = await insertTrack(app.db);
});

const view = async (eventId: string) =>
  raceEventEndpoints.get.response.parse((await app.asGuest().get(`/api/events/${eventId}`)).json());

const entryOf = async (eventId: string, given: object = {}) => {
  const [first] = (await app.as(organiser).get(`/api/events/${eventId}`)).json().classes;
  return { classId: first.id, number: '7', group: null, ...given };
};

const enter = async (eventId: string, who: Person, given: object = {}) =>
  app.as(who).post(`/api/events/${eventId}/entries`, await entryOf(eventId, given));

test('guests get 401 and drivers 403 for what those who run the club do, and only administrators delete an event', async () => {
  const { eventId, entryId, runId } = await insertEntered(app.db, driver.userId, 'running');
  const path = `/api/events/${eventId}`;
  const calls = [
    (who: Person) => app.as(who).post('/api/events', eventBody(trackId)),
    (who: Person) => app.as(who).patch(path, eventBody(trackId)),
    (who: Person) => app.as(who).post(`${path}/state`, { state: 'provisional' }),
    (who: Person) => app.as(who).post(`${path}/runs`, runBody({ entryId })),
    (who: Person) => app.as(who).patch(`${path}/runs/${runId}`, runBody({ reason: 'Typed again.' })),
    (who: Person) => app.as(who).delete(`${path}/runs/${runId}`),
    (who: Person) => app.as(who).delete(path),
  ];
  for (const call of calls) {
    expect((await call(null)).statusCode).toBe(401);
    expect((await call(driver)).statusCode).toBe(403);
  }
  expect((await enter(eventId, null)).statusCode).toBe(401);
  expect((await app.as(organiser).delete(path)).statusCode).toBe(403);
  expect((await app.as(administrator).delete(path)).statusCode).toBe(200);
  expect((await app.asGuest().get(path)).statusCode).toBe(404);
});

test('a draft is there for those who run the club alone', async () => {
  const { eventId, entryId } = await insertEntered(app.db, driver.userId, 'draft');
  const path = `/api/events/${eventId}`;
  for (const who of [null, driver])
    for (const url of [path, `${path}/results.csv`, `${path}/results.json`])
      expect((await app.as(who).get(url)).statusCode, url).toBe(404);
  expect((await enter(eventId, driver)).statusCode).toBe(404);
  expect((await app.as(driver).delete(`${path}/entries/${entryId}`)).statusCode).toBe(404);
  const isListed = async (who: Person) =>
    (await app.as(who).get('/api/events?limit=100')).body.includes(eventId);
  expect([await isListed(driver), await isListed(organiser)]).toEqual([false, true]);
});

test('drivers enter, change and withdraw themselves while the event is open, and no other driver does it for them', async () => {
  const { eventId, entryId } = await insertEntered(app.db, driver.userId, 'open');
  const other = await insertSignedIn(app.db);
  const path = `/api/events/${eventId}/entries/${entryId}`;
  expect((await app.as(other).patch(path, await entryOf(eventId))).statusCode).toBe(403);
  expect((await app.as(other).delete(path)).statusCode).toBe(403);
  expect((await enter(eventId, other, { userId: organiser.userId })).statusCode).toBe(403);
  expect((await enter(eventId, other, { driverName: 'Ada Brook' })).statusCode).toBe(403);
  expect((await enter(eventId, other, { number: '27' })).statusCode).toBe(409);
  const foreignCar = await insertUserCar(app.db, { userId: driver.userId });
  expect((await enter(eventId, other, { userCarId: foreignCar })).statusCode).toBe(404);
  expect((await enter(eventId, driver)).statusCode).toBe(409);
  expect((await app.as(driver).patch(path, await entryOf(eventId, { number: '28' }))).statusCode).toBe(200);
  expect((await app.as(driver).delete(path)).statusCode).toBe(200);
  expect((await enter(eventId, driver, { number: '28' })).statusCode).toBe(200);
  await app.as(organiser).post(`/api/events/${eventId}/state`, { state: 'running' });
  expect((await enter(eventId, other, { number: '99' })).statusCode).toBe(409);
});

test('bad input is refused', async () => {
  const wrong = [
    { name: ' ' },
    { name: 'a\u0000b' },
    { lastDay: '2026-06-05' },
    { lastDay: '2026-06-20' },
    { firstDay: '2026-02-30' },
    { firstDay: '0000-01-01', lastDay: '0000-01-02' },
    { firstDay: '1899-12-31', lastDay: '1900-01-01' },
    { courses: [] },
    { courses: [{ trackId }, { trackId }] },
    { classes: [] },
    { classes: [{ name: 'A', indexFactor: 0.82251 }] },
    { classes: [{ name: 'A', indexFactor: 3 }] },
    { firstRuns: 1, countedRuns: 2 },
    { conePenaltyMs: -1 },
    { protestMinutes: 10_081 },
    { tieRule: 'none' },
  ];
  const create = (given: object) =>
    app.as(organiser).post('/api/events', { ...eventBody(trackId), ...given });
  for (const given of wrong) expect((await create(given)).statusCode, JSON.stringify(given)).toBe(400);
  expect((await create({ courses: [{ trackId: 'no-track' }] })).statusCode).toBe(404);
  const { eventId, entryId } = await insertEntered(app.db, driver.userId, 'running');
  for (const given of [
    { number: '12345' },
    { number: '-1' },
    { group: '' },
    { classId: 'x' },
    { classId: entryId },
  ])
    expect(
      (await enter(eventId, organiser, { driverName: 'Ada', ...given })).statusCode,
      JSON.stringify(given),
    ).toBe(400);
  const add = (given: object) =>
    app.as(organiser).post(`/api/events/${eventId}/runs`, runBody({ entryId, ...given }));
  const wrongRuns = [
    { timeMs: 999 },
    { timeMs: 1e9 },
    { timeMs: null },
    { cones: 100 },
    { gates: -1 },
    { status: 'won' },
    { entryId: 'x' },
    { courseNumber: 2 },
    { cones: 1, reason: null },
    { status: 'dnf', reason: null },
  ];
  for (const given of wrongRuns) expect((await add(given)).statusCode, JSON.stringify(given)).toBe(400);
});

test('an event goes on and back one state at a time, and back only with a reason', async () => {
  const { eventId } = await insertEntered(app.db, driver.userId, 'open');
  const step = (state: string, reason?: string) =>
    app.as(organiser).post(`/api/events/${eventId}/state`, { state, reason });
  expect((await step('provisional')).statusCode).toBe(409);
  expect((await step('draft', 'Too early.')).statusCode).toBe(409);
  expect((await step('running')).statusCode).toBe(200);
  expect((await step('open')).statusCode).toBe(400);
  expect((await step('provisional')).statusCode).toBe(200);
  expect((await step('running', 'A run is missing.')).statusCode).toBe(200);
  expect(await view(eventId)).toMatchObject({ state: 'running', provisionalUntil: null });
  expect((await step('official')).statusCode).toBe(400);
});

test('a class with entries and a course with runs stay in an event', async () => {
  const { eventId } = await insertEntered(app.db, driver.userId, 'running');
  const [course] = (await view(eventId)).courses;
  const [street] = (await view(eventId)).classes;
  const change = (given: object) =>
    app.as(organiser).patch(`/api/events/${eventId}`, { ...eventBody(trackId), ...given });
  const courses = [{ trackId: course?.trackId }, { trackId }];
  expect((await change({ courses })).statusCode).toBe(409);
  const classes = [{ ...street, name: 'Stock' }];
  expect((await change({ classes })).statusCode).toBe(409);
  expect((await change({ classes, courses })).statusCode).toBe(200);
  expect(await view(eventId)).toMatchObject({
    classes: [{ id: street?.id, name: 'Stock' }],
    courses: [{}, { trackId }],
  });
});

test('an account that is deleted takes its entries of events along, and its name out of official ones', async () => {
  const leaver = await insertSignedIn(app.db);
  const open = await insertEntered(app.db, leaver.userId, 'open');
  const official = await insertEntered(app.db, leaver.userId, 'official');
  await deleteForGood(app, leaver);
  expect((await view(open.eventId)).entries).toEqual([]);
  expect((await view(official.eventId)).entries).toMatchObject([
    { id: official.entryId, userId: null, driverName: 'A driver who left' },
  ]);
});

test('the course of an event follows its track where that is merged into another', async () => {
  const { eventId } = await insertEntered(app.db, driver.userId, 'open');
  const [course] = (await view(eventId)).courses;
  if (!course) throw new Error('The event has a course.');
  await app.db.transaction((tx) => moveSessions(tx, { fromTrackId: course.trackId, intoTrackId: trackId }));
  expect((await findRaceEvent(app.db, eventId))?.courses).toMatchObject([{ trackId }]);
});

test('the audit log names an event and links to its page', async () => {
  const { eventId } = await insertEntered(app.db, driver.userId, 'open');
  await app.as(organiser).post(`/api/events/${eventId}/state`, { state: 'running' });
  const { entries } = await listAuditEntries(app.db, { limit: 10, offset: 0, subject: eventId });
  expect(entries).toMatchObject([
    { action: 'step-event', subjectName: 'Spring Sprint', subjectLink: `/event/${eventId}` },
  ]);
});
