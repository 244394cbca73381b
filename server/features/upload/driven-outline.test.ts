import { expect, test } from 'vitest';
import type { ListedTrack, Track } from '#contract/tracks/schemas.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { insertSignedIn } from '#server/testing/builders.ts';
import { DRIVEN_AT_MS, insertKartTrack } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();

async function drive(trackId: string, seed: number, topSpeedMetersPerSecond: number) {
  const driver = await insertSignedIn(app.db);
  const around = { leadInMeters: 60, leadOutMeters: 60, startTimeMs: DRIVEN_AT_MS + seed * 3_600_000 };
  const driven = simulateDrive(KART_TRACK, { seed, laps: 2, topSpeedMetersPerSecond, ...around });
  const file = { name: 'laps.csv', content: writeGenericCsv(driven, {}) };
  const response = await app.as(driver).uploadLaps(trackId, file);
  expect(response.json()).toMatchObject({ results: [{ success: true }] });
  const { sessionId }: { sessionId: string } = response.json().results[0];
  return { headers: driver.headers, sessionId };
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
  expect((await app.as(again).delete('/api/account')).statusCode).toBe(200);
  expect(await outlineOf(trackId)).toBeNull();
});
