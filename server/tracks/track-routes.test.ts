import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListedTrack, Track } from '#contract/tracks.ts';
import { loadLibraries } from '#server/db/load-libraries.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
  await loadLibraries(testApp.database.db);
});
afterAll(() => testApp.close());

test('the list has every track of the library, with an outline for small drawings', async () => {
  const response = await testApp.app.inject('/api/tracks');
  expect(response.statusCode).toBe(200);
  const tracks = response.json<ListedTrack[]>();
  expect(tracks.length).toBeGreaterThanOrEqual(52);
  expect(tracks.every((track) => (track.outline?.length ?? 0) <= 48)).toBe(true);
  expect(tracks.every((track) => track.entryCount === 0 && !track.hasOwnEntry)).toBe(true);
});

test('one track comes with its full outline and the time zone of its place', async () => {
  const response = await testApp.app.inject('/api/tracks/albert-park-circuit-grand-prix');
  const track = response.json<Track>();
  expect(track).toMatchObject({
    name: 'Albert Park Circuit',
    timeZone: 'Australia/Melbourne',
    status: 'official',
  });
  expect(track.outline?.length).toBeGreaterThan(48);
});

test('an unknown track is not found, and an id that can be none is told by its field', async () => {
  const unknown = await testApp.app.inject('/api/tracks/atlantis-ring');
  expect(unknown.statusCode).toBe(404);
  expect(unknown.json()).toEqual({ error: 'not_found', message: 'There is no such track.' });

  const impossible = await testApp.app.inject('/api/tracks/Atlantis%20Ring');
  expect(impossible.statusCode).toBe(400);
  expect(impossible.json()).toMatchObject({
    error: 'invalid_input',
    fields: { trackId: 'A track id has small letters, digits and hyphens.' },
  });
});
