import { expect, test } from 'vitest';
import type { ListedTrack, Track } from '#contract/tracks/schemas.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { DRIVEN_AT_MS, insertKartTrack } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { leave } from '#server/testing/leave.ts';

const app = useTestApp();
const guest = app.asGuest();

async function drive(trackId: string, seed: number, topSpeedMetersPerSecond: number, given: object = {}) {
  const driver = await insertSignedIn(app.db, given);
  const around = { leadInMeters: 60, leadOutMeters: 60, startTimeMs: DRIVEN_AT_MS + seed * 3_600_000 };
  const driven = simulateDrive(KART_TRACK, { seed, laps: 2, topSpeedMetersPerSecond, ...around });
  const file = { name: 'laps.csv', content: writeGenericCsv(driven, {}) };
  const response = await app.as(driver).uploadLaps(trackId, file);
  expect(response.json()).toMatchObject({ results: [{ success: true }] });
  const { sessionId }: { sessionId: string } = response.json().results[0];
  return { ...driver, sessionId };
}

const outlineOf = async (trackId: string) =>
  (await guest.get(`/api/tracks/${trackId}`)).json<Track>().outline;

const listedOutlineOf = async (trackId: string) =>
  (await guest.get('/api/tracks')).json<ListedTrack[]>().find(({ id }) => id === trackId)?.outline;

test('a track without an outline gets one from its fastest valid lap', async () => {
  const trackId = await insertKartTrack(app.db, { outline: null });
  expect(await listedOutlineOf(trackId)).toBeNull();

  await drive(trackId, 1, 20);
  const first = await outlineOf(trackId);
  expect(first?.length).toBeGreaterThanOrEqual(8);
  for (const [lat, lon] of first ?? []) {
    expect(lat).toBeCloseTo(KART_TRACK.centerLat, 2);
    expect(lon).toBeCloseTo(KART_TRACK.centerLon, 2);
  }
  expect(await listedOutlineOf(trackId)).toEqual(first);

  await drive(trackId, 2, 15);
  expect(await outlineOf(trackId)).toEqual(first);
  await drive(trackId, 3, 25);
  expect(await outlineOf(trackId)).not.toEqual(first);
  // The outline is a drawing: no lap is measured by it.
  expect(await findTrack(app.db, trackId)).toMatchObject({ outline: null });
});

test('an outline that the library has stays', async () => {
  const trackId = await insertKartTrack(app.db);
  const before = await outlineOf(trackId);
  await drive(trackId, 4, 20);
  expect(await outlineOf(trackId)).toEqual(before);
});

test('an outline goes with the session that it was drawn from, and with its account; another lap draws it again', async () => {
  const trackId = await insertKartTrack(app.db, { outline: null });
  const slow = await drive(trackId, 5, 20);
  const fast = await drive(trackId, 6, 25);
  const drawn = await outlineOf(trackId);
  expect(drawn).not.toBeNull();

  const { headers: slowHeaders, sessionId: slowId } = slow;
  expect((await app.as({ headers: slowHeaders }).delete(`/api/sessions/${slowId}`)).statusCode).toBe(200);
  expect(await outlineOf(trackId)).toEqual(drawn);
  const { headers, sessionId } = fast;
  expect((await app.as({ headers }).delete(`/api/sessions/${sessionId}`)).statusCode).toBe(200);
  expect(await outlineOf(trackId)).toBeNull();
  expect(await listedOutlineOf(trackId)).toBeNull();

  const again = await drive(trackId, 7, 15);
  expect(await outlineOf(trackId)).not.toBeNull();
  expect((await leave(app, again)).statusCode).toBe(200);
  expect(await outlineOf(trackId)).toBeNull();
});

const setPrivate = async (who: SignedIn, keepLinesPrivate: boolean) =>
  await app.as(who).patch('/api/auth/user/preferences', { keepLinesPrivate });

test('a line that is private is no outline, however fast its lap is', async () => {
  const trackId = await insertKartTrack(app.db, { outline: null });
  const hidden = await drive(trackId, 8, 25, { keepLinesPrivate: true });
  expect(await outlineOf(trackId)).toBeNull();
  const slow = await drive(trackId, 9, 15);
  const drawn = await outlineOf(trackId);
  expect(drawn).not.toBeNull();
  await drive(trackId, 10, 28, { keepLinesPrivate: true });
  expect(await outlineOf(trackId)).toEqual(drawn);
  // A driver who shows lines again shows those of later laps.
  await setPrivate(hidden, false);
  await setPrivate(slow, true);
  expect(await outlineOf(trackId)).toBeNull();
});

test('an outline goes when its line is made private, for all sessions or for one', async () => {
  const trackId = await insertKartTrack(app.db, { outline: null });
  const driver = await drive(trackId, 11, 20);
  expect(await outlineOf(trackId)).not.toBeNull();
  expect((await setPrivate(driver, true)).statusCode).toBe(200);
  expect(await outlineOf(trackId)).toBeNull();
  expect(await listedOutlineOf(trackId)).toBeNull();

  const other = await drive(trackId, 12, 20);
  expect(await outlineOf(trackId)).not.toBeNull();
  const change = { linesPrivate: true };
  expect((await app.as(other).patch(`/api/sessions/${other.sessionId}`, change)).statusCode).toBe(200);
  expect(await outlineOf(trackId)).toBeNull();
});
