import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { asTrackId } from '#contract/testing/ids.ts';
import { type ListedTrack, listedTrackSchema, type Track } from '#contract/tracks/schemas.ts';
import { loadLibraries } from '#server/features/library/load-libraries.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import {
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUser,
  newUserId,
} from '#server/testing/builders.ts';
import { courses } from '#server/model/track-sets/schema.ts';
import { type Person, startTestApp, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();

beforeAll(async () => {
  await loadLibraries(app.db);
});

test('the list has every track of the library, with an outline for small drawings', async () => {
  const response = await guest.get('/api/tracks');
  expect(response.statusCode).toBe(200);
  const tracks = response.json<ListedTrack[]>();
  const library: { id: string }[] = JSON.parse(
    await readFile(join(projectFolder, 'data/tracks.json'), 'utf8'),
  );
  expect(tracks.map(({ id }) => id).toSorted()).toEqual(library.map(({ id }) => id).toSorted());
  expect(tracks.every((track) => (track.outline?.length ?? 0) <= 48)).toBe(true);
  expect(tracks.every((track) => track.entryCount === 0 && !track.hasOwnEntry)).toBe(true);
});

test('each track of the list is what the contract says, no field less and none more', async () => {
  await insertTrack(app.db, {
    name: 'Zolder "Süd" \\ 12′',
    location: null,
    configuration: null,
    country: null,
    lengthMeters: null,
    startFinishLine: null,
  });
  const listed = (await guest.get('/api/tracks')).json();
  expect(z.array(z.strictObject(listedTrackSchema.shape)).parse(listed)).toEqual(listed);
});

const ask = async (etag?: string) => {
  const response = await guest.get('/api/tracks', etag === undefined ? {} : { 'if-none-match': etag });
  return { status: response.statusCode, etag: String(response.headers.etag), response };
};

test('a client that has the list already gets a 304, until a track or an entry changes', async () => {
  const { db } = app.database;
  const trackId = await insertTrack(db);
  const first = await ask();
  expect(first.response.headers['cache-control']).toBe('private, no-cache');
  expect(await ask(first.etag)).toMatchObject({ status: 304, etag: first.etag });

  await insertSession(db, { trackId, userId: await insertUser(db), laps: [{ lapTimeMs: 60_000 }] });
  const entered = await ask(first.etag);
  expect(entered.status).toBe(200);
  expect(entered.response.json<ListedTrack[]>()[0]).toMatchObject({ id: trackId, entryCount: 1 });

  // Another copy of the server, whose transaction had begun before the last change.
  await db
    .update(tracks)
    .set({ name: 'Renamed', definedAt: new Date('2020-01-01T00:00:00Z') })
    .where(eq(tracks.id, trackId));
  const renamed = await ask(entered.etag);
  expect(renamed.response.json<ListedTrack[]>()[0]).toMatchObject({ id: trackId, name: 'Renamed' });
  const removed = renamed.response.json<ListedTrack[]>().at(-1)?.id ?? asTrackId('');
  await db.delete(tracks).where(eq(tracks.id, removed));
  const left = (await ask(renamed.etag)).response.json<ListedTrack[]>();
  expect(left.map(({ id }) => id)).not.toContain(removed);
});

test('lists of drivers with different entries are never mixed up', async () => {
  const { db } = app.database;
  const drivers = await Promise.all([insertSignedIn(db), insertSignedIn(db), insertSignedIn(db)]);
  const trackIds = [await insertTrack(db), await insertTrack(db)];
  for (const [index, trackId] of trackIds.entries()) {
    const userId = drivers[index]?.userId ?? newUserId();
    await insertSession(db, { trackId, userId, laps: [{ lapTimeMs: 60_000 }] });
  }
  const ownOf = async (who: Person) => {
    const response = await app.as(who).get('/api/tracks');
    return response.json<ListedTrack[]>().flatMap(({ id, hasOwnEntry }) => (hasOwnEntry ? [id] : []));
  };
  for (let asked = 0; asked < 2; asked++) {
    const own = await Promise.all([...drivers.map(({ headers }) => ownOf({ headers })), ownOf(null)]);
    expect(own).toEqual([[trackIds[0]], [trackIds[1]], [], []]);
  }
});

test('a single track has its full outline and the time zone of its location', async () => {
  const response = await guest.get('/api/tracks/albert-park-circuit-grand-prix');
  const track = response.json<Track>();
  expect(track).toMatchObject({
    name: 'Albert Park Circuit',
    timeZone: 'Australia/Melbourne',
    status: 'official',
  });
  expect(track.outline?.length).toBeGreaterThan(48);
});

test('an unknown track is not found, and an impossible id is refused by its field', async () => {
  const unknown = await guest.get('/api/tracks/atlantis-ring');
  expect(unknown.statusCode).toBe(404);
  expect(unknown.json()).toEqual({ error: 'not_found', message: 'There is no such track.' });

  const impossible = await guest.get('/api/tracks/Atlantis%20Ring');
  expect(impossible.statusCode).toBe(400);
  expect(impossible.json()).toMatchObject({
    error: 'invalid_input',
    fields: { trackId: 'A track id has small letters, digits and hyphens.' },
  });
});

test('the courses of fetched sets around a position come with their names and their origin', async () => {
  const origin = {
    set: 'open-racetrack-db',
    title: 'Open Racetrack Database',
    sourceUrl: 'https://tracks.example',
    licence: 'ODbL 1.0',
    attribution: '© OpenStreetMap contributors',
  };
  const shape = { lengthMeters: 870, radiusMeters: 480, outline: [] };
  const names = { location: null, country: 'Norway', centerLon: 25 };
  const course = { setName: origin.set, origin, ...shape, ...names };
  await app.database.db.insert(courses).values([
    { ...course, name: 'Far', centerLat: 70.6 },
    { ...course, name: 'Near', centerLat: 70.05 },
    { ...course, name: 'Here', centerLat: 70 },
  ]);
  const answer = (await guest.get('/api/nearby-tracks?lat=70&lon=25')).json();
  expect(answer).toMatchObject({ tracks: [], country: 'Norway' });
  expect(answer.courses).toEqual([
    { name: 'Here', centerLat: 70, ...names, origin },
    { name: 'Near', centerLat: 70.05, ...names, origin },
  ]);
});

test('the tracks around a position come nearest first, with the country', async () => {
  const { db } = app.database;
  const outline: Track['outline'] = [
    [47.2, 9.9],
    [47.21, 9.9],
    [47.21, 9.91],
  ];
  await insertTrack(db, { id: 'far-from-dornbirn', centerLat: 47.6, centerLon: 9.9 });
  await insertTrack(db, { id: 'next-to-dornbirn', centerLat: 47.25, centerLon: 9.9 });
  await insertTrack(db, { id: 'in-dornbirn', centerLat: 47.2, centerLon: 9.9, outline });
  const { tracks, country } = (await guest.get('/api/nearby-tracks?lat=47.2&lon=9.9')).json<{
    tracks: Track[];
    country: string | null;
  }>();
  expect(tracks.map(({ id }) => id)).toEqual(['in-dornbirn', 'next-to-dornbirn']);
  expect(tracks[0]?.outline).toEqual(outline);
  expect(country).toBe('Austria');
  expect((await guest.get('/api/nearby-tracks?lat=30&lon=-40')).json()).toEqual({
    tracks: [],
    courses: [],
    country: null,
    mapTiles: null,
  });
});

test.each(['lat=91&lon=0', 'lat=0&lon=181', 'lat=north&lon=0', 'lat=1'])(
  'the position %s gets 400',
  async (query) => {
    expect((await guest.get(`/api/nearby-tracks?${query}`)).statusCode).toBe(400);
  },
);

function imageSources(headers: Record<string, unknown>): string | undefined {
  return /img-src [^;]*/.exec(String(headers['content-security-policy']))?.[0];
}

test('a background map is allowed from the host that the operator has set, and from no other', async () => {
  const url = 'https://tiles.example:8443/{z}/{x}/{y}.png';
  const mapTiles = { url, attribution: '© Example' };
  const withTiles = await startTestApp({ settings: { mapTiles } });
  const answer = await withTiles.asGuest().get('/api/nearby-tracks?lat=30&lon=-40');
  expect(answer.json()).toMatchObject({ mapTiles });
  expect(imageSources(answer.headers)).toBe("img-src 'self' data: blob: https://tiles.example:8443");
  expect(imageSources((await guest.get('/api/tracks')).headers)).toBe("img-src 'self' data: blob:");
});

test('a page of the list has the order of the whole list, with own tracks first', async () => {
  const { db } = app.database;
  const driver = await insertSignedIn(db);
  const trackId = await insertTrack(db, { name: 'Own Ring' });
  await insertSession(db, { trackId, userId: driver.userId, laps: [{ lapTimeMs: 60_000 }] });
  for (const headers of [{}, driver.headers]) {
    const ask = async (query: string): Promise<ListedTrack[]> =>
      (await app.as({ headers }).get(`/api/tracks${query}`)).json();
    const whole = await ask('');
    const pages = [
      await ask('?limit=20'),
      await ask('?limit=20&offset=20'),
      await ask('?limit=200&offset=40'),
    ];
    expect(pages.flat()).toEqual(whole);
    expect(await ask('?limit=20&offset=9999')).toEqual([]);
  }
  const [first] = (await app.as(driver).get('/api/tracks?limit=1')).json();
  expect(first).toMatchObject({ id: trackId, hasOwnEntry: true });
});

const search = async (q: string) =>
  (await guest.get(`/api/tracks?q=${encodeURIComponent(q)}`)).json<ListedTrack[]>().map(({ name }) => name);

test('the list is searched by a part of name or location, in either case and without accents', async () => {
  await insertTrack(app.db, { name: 'Ñandú Ring 100%_a', location: 'Düren' });
  for (const q of ['ñandÚ', 'nandu', ' DUREN ', '100%_'])
    expect(await search(q)).toContain('Ñandú Ring 100%_a');
  expect(await search('100%xa')).toEqual([]);
  expect(await search('nürburg')).toContain('Nürburgring');
});

test('tracks without laps come nearest first where a position is given', async () => {
  const response = await guest.get('/api/tracks?near=-37.8,144.9&limit=200');
  const undriven = response.json<ListedTrack[]>().filter(({ entryCount }) => entryCount === 0);
  expect(undriven[0]?.name).toBe('Albert Park Circuit');
});

test.each(['limit=0', 'limit=201', 'limit=x', 'offset=-1', 'near=here', 'near=1', `q=${'x'.repeat(101)}`])(
  'a list with %s is refused',
  async (query) => {
    expect((await guest.get(`/api/tracks?${query}`)).statusCode).toBe(400);
  },
);
