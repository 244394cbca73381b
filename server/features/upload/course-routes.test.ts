import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Track } from '#contract/tracks/schemas.ts';
import type { Analysis } from '#contract/upload/schemas.ts';
import { KART_TRACK, kartLineAcross, kartTrackAt } from '#engine/testing/kart-track.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { LOGGER_WRITERS } from '#engine/testing/write-loggers.ts';
import type { OutlinePoint } from '#engine/track.ts';
import { courses } from '#server/model/track-sets/schema.ts';
import { insertSignedIn, insertTrack, type SignedIn } from '#server/testing/builders.ts';
import type { TestFile } from '#server/testing/form.ts';
import { kartCsv } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
let driver: SignedIn;
let administrator: SignedIn;

const ORIGIN = {
  set: 'open-racetrack-db',
  title: 'Open Racetrack Database',
  sourceUrl: 'https://github.com/markthebault/open-racetrack-db',
  licence: 'ODbL 1.0',
  attribution: '© OpenStreetMap contributors',
};

/** The kart track as a set draws it: closed, begun anywhere, in either direction. */
function drawKartTrack(isReversed: boolean): OutlinePoint[] {
  const points = KART_TRACK.outline ?? [];
  const begun = [...points.slice(17), ...points.slice(0, 17)];
  const closed = [...begun, ...begun.slice(0, 1)];
  return isReversed ? closed.toReversed() : closed;
}

async function insertCourse(given: Partial<typeof courses.$inferInsert> = {}): Promise<string> {
  const { centerLat, centerLon } = KART_TRACK;
  const shape = { centerLat, centerLon, radiusMeters: 480, lengthMeters: 870, outline: drawKartTrack(true) };
  const names = { name: 'Oval of Munich', configuration: null, location: null, country: 'Germany' };
  const [row] = await app.db
    .insert(courses)
    .values({ setName: ORIGIN.set, origin: ORIGIN, ...names, ...shape, ...given })
    .returning();
  return row?.id ?? '';
}

beforeAll(async () => {
  driver = await insertSignedIn(app.db);
  administrator = await insertSignedIn(app.db, { isAdmin: true });
});
beforeEach(async () => {
  await app.database.pool.query(
    'DELETE FROM courses; DELETE FROM events; DELETE FROM laps; DELETE FROM sessions; DELETE FROM tracks; DELETE FROM lap_files; DELETE FROM audit_log',
  );
});

async function analyze(file: TestFile, person = driver): Promise<Analysis> {
  return (await app.as(person).postForm('/api/analyze-gps', [['file', file]])).json();
}

async function confirm(
  courseId: string,
  file: TestFile | string,
  track: object | string,
  person: SignedIn | null = driver,
) {
  const json = typeof track === 'string' ? track : JSON.stringify(track);
  return await app.as(person).postForm(`/api/courses/${courseId}/track`, [
    ['file', file],
    ['track', json],
  ]);
}

const kartLine = KART_TRACK.startFinishLine;

test('a drive on a course is recognised by its outline, and gets a line with the direction that was driven', async () => {
  const courseId = await insertCourse();
  const analysis = await analyze(kartCsv());
  expect(analysis.gpsSuggestions).toEqual([]);
  const [course, ...others] = analysis.courses;
  expect(others).toEqual([]);
  expect(course).toMatchObject({
    courseId,
    name: 'Oval of Munich',
    country: 'Germany',
    origin: ORIGIN,
    isReversed: true,
    lineSource: 'logger_laps',
  });
  expect(course?.confidencePct).toBeGreaterThanOrEqual(90);
  expect(course?.lapCount).toBeGreaterThanOrEqual(2);
  expect(course?.startFinishLine.bearingDeg).not.toBeNull();
  const [first = [0, 0]] = course?.outline ?? [];
  const { a, b } = course?.startFinishLine ?? { a: { lat: 0 }, b: { lat: 0 } };
  expect(Math.abs(first[0] - (a.lat + b.lat) / 2)).toBeLessThan(0.0002);
  await app.database.pool.query('DELETE FROM courses');
  await insertCourse({ outline: drawKartTrack(false) });
  expect((await analyze(kartCsv())).courses).toMatchObject([{ isReversed: false }]);
});

test('one call makes the track of it, on which the file then counts', async () => {
  const courseId = await insertCourse();
  const { courses: found, fileToken = '' } = await analyze(kartCsv());
  const { startFinishLine } = found[0] ?? {};
  const response = await confirm(courseId, fileToken, { startFinishLine });
  expect(response.statusCode).toBe(200);
  const track = response.json<Track>();
  expect(track).toMatchObject({
    id: 'oval-of-munich',
    name: 'Oval of Munich',
    country: 'Germany',
    lengthMeters: 870,
    status: 'community_submitted',
    origin: ORIGIN,
    timeZone: 'Europe/Berlin',
  });
  expect(track.sectors).toHaveLength(2);
  const uploaded = await app.as(driver).uploadLaps(track.id, fileToken);
  expect(uploaded.json()).toMatchObject({ results: [{ success: true, lapCount: found[0]?.lapCount }] });
  const after = await analyze(kartCsv());
  expect(after.gpsSuggestions).toMatchObject([{ trackId: track.id }]);
  expect(after.courses).toEqual([]);
  const { rows } = await app.database.pool.query('SELECT action, subject FROM audit_log');
  expect(rows).toEqual([{ action: 'confirm-course', subject: track.id }]);
  const proposals = await app.as(administrator).get('/api/admin/track-proposals');
  expect(proposals.json()).toMatchObject({ total: 1, proposals: [{ id: track.id, origin: ORIGIN }] });
});

test('a drive in a simulator is offered no course, and confirms none', async () => {
  const courseId = await insertCourse();
  const drive = simulateDrive(KART_TRACK, { seed: 31, laps: 3, leadInMeters: 60, leadOutMeters: 60 });
  const real = LOGGER_WRITERS['motec-csv'](drive);
  expect((await analyze({ name: 'real.csv', content: real })).courses).toMatchObject([{ courseId }]);
  const simulated = real.replace('"Log Date"', '"Device","iRacing"\n"Log Date"');
  const file = { name: 'simulated.csv', content: simulated };
  const { courses: offered, message } = await analyze(file);
  expect(offered).toEqual([]);
  expect(message).toContain('written by a simulator');
  for (const person of [driver, administrator]) {
    const response = await confirm(courseId, file, { startFinishLine: kartLine }, person);
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toContain('only a real drive can propose a track');
  }
  expect(
    (await confirm(courseId, { name: 'real.csv', content: real }, { startFinishLine: kartLine })).statusCode,
  ).toBe(200);
});

test('the track of an administrator is official, with the names that differ and the sectors as sent', async () => {
  const courseId = await insertCourse();
  const names = { configuration: 'Short', location: 'Garching' };
  const body = { startFinishLine: kartLine, sectors: [], ...names };
  const response = await confirm(courseId, kartCsv(), body, administrator);
  expect(response.json()).toMatchObject({
    ...names,
    status: 'official',
    sectors: [],
    name: 'Oval of Munich',
  });
});

test('a course that the library has is not named, and is not added again', async () => {
  const courseId = await insertCourse();
  const { id: _id, ...kartTrack } = KART_TRACK;
  // The known track lies where a drive matches it less than surely.
  await insertTrack(app.db, { ...kartTrack, id: 'ours', name: 'Our Oval', startFinishLine: null });
  expect((await analyze(kartCsv())).courses).toEqual([]);
  const response = await confirm(courseId, kartCsv(), { startFinishLine: kartLine });
  expect(response.statusCode).toBe(409);
  expect(response.json()).toMatchObject({
    message: 'These laps were driven on a track that is here already: Our Oval.',
  });
});

test('a surely known track and a chosen one leave no question', async () => {
  await insertCourse({ outline: drawKartTrack(true), name: 'Another' });
  const { id: _id, ...kartTrack } = KART_TRACK;
  const trackId = await insertTrack(app.db, { ...kartTrack, id: 'ours' });
  const file = kartCsv();
  const chosen = await app.as(driver).postForm('/api/analyze-gps', [
    ['file', file],
    ['trackId', trackId],
  ]);
  expect(chosen.json<Analysis>().courses).toEqual([]);
});

describe('is refused in words:', () => {
  const elsewhere = kartTrackAt({ lat: 49, lon: 11.6 }).startFinishLine;
  const REFUSALS: [name: string, body: object | string, sentence: string][] = [
    ['a line that no lap crosses', { startFinishLine: elsewhere }, 'No lap of this file goes over the line.'],
    ['a line of 300 m', { startFinishLine: kartLineAcross(-150, 150) }, 'A line is 4 to 120 m wide.'],
  ];
  test.each(REFUSALS)('%s', async (_, body, sentence) => {
    const response = await confirm(await insertCourse(), kartCsv(), body);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ fields: { startFinishLine: sentence } });
  });

  test('laps of another course', async () => {
    const far = kartTrackAt({ lat: 49, lon: 11.6 });
    const drive = simulateDrive(far, { seed: 5, laps: 3, leadInMeters: 60, leadOutMeters: 60 });
    const file = { name: 'far.csv', content: writeGenericCsv(drive) };
    const response = await confirm(await insertCourse(), file, { startFinishLine: far.startFinishLine });
    expect(response.json()).toMatchObject({
      fields: { startFinishLine: 'The laps over this line were not driven on Oval of Munich.' },
    });
  });

  test('what is no JSON, no line, no course or no file', async () => {
    const courseId = await insertCourse();
    expect((await confirm(courseId, kartCsv(), 'line')).statusCode).toBe(400);
    expect((await confirm(courseId, kartCsv(), {})).statusCode).toBe(400);
    const text = { name: 'a.csv', content: 'no laps in it' };
    expect((await confirm(courseId, text, { startFinishLine: kartLine })).statusCode).toBe(400);
    const unknown = '2f8c1e57-90b4-4d3a-8a6e-51c7f0b2d934';
    expect((await confirm(unknown, kartCsv(), { startFinishLine: kartLine })).statusCode).toBe(404);
    expect((await confirm('no-id', kartCsv(), { startFinishLine: kartLine })).statusCode).toBe(400);
    const none = await app
      .as(driver)
      .postForm(`/api/courses/${courseId}/track`, [['track', JSON.stringify({ startFinishLine: kartLine })]]);
    expect(none.statusCode).toBe(400);
  });

  test('guests, and the sixth course of a day', async () => {
    const courseId = await insertCourse();
    expect((await confirm(courseId, kartCsv(), { startFinishLine: kartLine }, null)).statusCode).toBe(401);
    await app.database.pool.query(
      `INSERT INTO audit_log (user_id, action, counts) SELECT $1, 'confirm-course', '{}' FROM generate_series(1, 5)`,
      [driver.userId],
    );
    const sixth = await confirm(courseId, kartCsv(), { startFinishLine: kartLine });
    expect(sixth.statusCode).toBe(429);
    expect(sixth.json<{ message: string }>().message).toContain('5 courses a day');
  });
});
