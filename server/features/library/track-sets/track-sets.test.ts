import type { RequestListener, ServerResponse } from 'node:http';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Notice } from '#contract/notices/schemas.ts';
import type { TrackSet } from '#contract/tracks/sets.ts';
import { kartTrackAt } from '#engine/testing/kart-track.ts';
import { courses } from '#server/model/track-sets/schema.ts';
import { insertSession, insertSignedIn, insertTrack, type SignedIn } from '#server/testing/builders.ts';
import { useHttpServer } from '#server/testing/http-server.ts';
import { startTestApp, useTestApp } from '#server/testing/test-app.ts';
import { describeTestSet, VENUE_ARCHIVE } from '#server/testing/track-archives.ts';

const sendArchive = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/zip', 'content-length': VENUE_ARCHIVE.length });

/** Ends the connection after the first 700 bytes. */
const writeAndHangUp = (response: ServerResponse) =>
  response.write(VENUE_ARCHIVE.subarray(0, 700), () => setTimeout(() => response.destroy(), 500));

let answer: RequestListener;
let asked: (string | undefined)[] = [];
const host = useHttpServer((request, response) => {
  asked.push(request.headers.range);
  answer(request, response);
});

const app = useTestApp(() => ({
  publishedSets: {
    allowsLoopback: true,
    sets: [
      describeTestSet(`${host.url}/set.zip`),
      describeTestSet(`${host.url}/other.zip`, { name: 'other', title: 'Other Set' }),
      describeTestSet(`${host.url}/set.zip`, { name: 'narrow', archiveBytesMax: 100 }),
      describeTestSet(`${host.url}/set.zip`, { name: 'whole', layoutsMin: 500 }),
      describeTestSet('http://127.0.0.1:9/set.zip', { name: 'gone' }),
    ],
  },
}));
let administrator: SignedIn;
let member: SignedIn;

beforeAll(async () => {
  administrator = await insertSignedIn(app.db, { isAdmin: true });
  member = await insertSignedIn(app.db, { displayName: 'Ana Lima' });
  const { id: _id, ...kartTrack } = kartTrackAt({ lat: 40, lon: -3.7 });
  await insertTrack(app.db, { ...kartTrack, name: 'Our Oval', id: 'our-oval' });
});
afterEach(async () => {
  await app.database.pool.query(
    'DELETE FROM courses; DELETE FROM track_sets; DELETE FROM track_set_requests; DELETE FROM notices',
  );
  asked = [];
});

async function getSet(name = 'open-racetrack-db', person = administrator): Promise<TrackSet | undefined> {
  const { sets } = (await app.as(person).get('/api/track-sets')).json<{ sets: TrackSet[] }>();
  return sets.find((set) => set.name === name);
}

const startFetch = (name = 'open-racetrack-db', person = administrator) =>
  app.as(person).post(`/api/admin/track-sets/${name}/fetch`);

async function fetchSet(name = 'open-racetrack-db'): Promise<TrackSet | undefined> {
  expect((await startFetch(name)).json()).toMatchObject({ name, state: 'waiting' });
  await app.runJobs();
  return await getSet(name);
}

const listNotices = async (person: SignedIn) =>
  (await app.as(person).get('/api/notices')).json<{ notices: Notice[] }>().notices;

test('one click brings the courses of a set, with licence and attribution, and none of them into the list of tracks', async () => {
  answer = (_request, response) => sendArchive(response).end(VENUE_ARCHIVE);
  expect(await getSet()).toMatchObject({ state: 'absent', licence: 'ODbL 1.0', result: null });
  expect(await fetchSet()).toMatchObject({
    state: 'installed',
    problem: null,
    progress: null,
    result: { tracks: 0, courses: 2, known: 1, duplicates: 1, leftOut: 2 },
  });
  const rows = await app.db.select().from(courses).orderBy(courses.name);
  expect(rows).toMatchObject([
    {
      name: 'Oval of Lyon',
      configuration: null,
      country: 'France',
      origin: { attribution: '© IGN, survey of 2024', licence: 'ODbL 1.0' },
    },
    {
      name: 'Oval of Munich',
      country: 'Germany',
      origin: { attribution: '© OpenStreetMap contributors', title: 'Open Racetrack Database' },
    },
  ]);
  expect(rows[0]?.lengthMeters).toBeCloseTo(870, -1.5);
  const tracks = (await app.asGuest().get('/api/tracks')).json<{ name: string }[]>();
  expect(tracks.map(({ name }) => name)).toEqual(['Our Oval']);
  expect((await startFetch()).statusCode).toBe(409);
});

test('a download that was cut off goes on where it ended, if the host says that it is the same archive', async () => {
  answer = (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const headers = { 'content-type': 'application/zip', etag: '"one"' };
    if (from > 0) {
      expect(request.headers['if-range']).toBe('"one"');
      const range = { 'content-range': `bytes ${from}-${VENUE_ARCHIVE.length - 1}/${VENUE_ARCHIVE.length}` };
      response.writeHead(206, { ...headers, ...range, 'content-length': VENUE_ARCHIVE.length - from });
      response.end(VENUE_ARCHIVE.subarray(from));
      return;
    }
    response.writeHead(200, { ...headers, 'content-length': VENUE_ARCHIVE.length });
    writeAndHangUp(response);
  };
  expect(await fetchSet()).toMatchObject({ state: 'installed', result: { courses: 2 } });
  expect(asked).toEqual([undefined, 'bytes=700-']);
});

test('without such a word it begins again, and where that never ends it says so and what to do', async () => {
  let cuts = 1;
  answer = (_request, response) => {
    if (cuts-- <= 0) sendArchive(response).end(VENUE_ARCHIVE);
    else writeAndHangUp(sendArchive(response));
  };
  expect(await fetchSet()).toMatchObject({ state: 'installed' });
  expect(asked).toEqual([undefined, undefined]);
  await app.as(administrator).delete('/api/admin/track-sets/open-racetrack-db');
  cuts = 100;
  const failed = await fetchSet();
  expect(failed).toMatchObject({
    state: 'failed',
    problem: expect.stringMatching(/^The download was cut off after 0\.0 MB\. Try again/),
  });
  cuts = 0;
  expect(await fetchSet()).toMatchObject({ state: 'installed', problem: null });
});

const REFUSALS: [name: string, set: string, listener: RequestListener, sentence: RegExp][] = [
  [
    'a page instead of an archive',
    'open-racetrack-db',
    (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in to the network'),
    /^The host sent text\/html instead of a ZIP archive\. .*try again\.$/,
  ],
  [
    'a commit that is gone',
    'open-racetrack-db',
    (_, response) => response.writeHead(404).end(),
    /^The host has this version of the set no longer\. Update Pitboard/,
  ],
  [
    'a host that is full',
    'open-racetrack-db',
    (_, response) => response.writeHead(429).end(),
    /in an hour\.$/,
  ],
  [
    'a host with a fault',
    'open-racetrack-db',
    (_, response) => response.writeHead(503).end(),
    /answers with an error \(503\)\. Try again later\.$/,
  ],
  [
    'an archive that is not one',
    'open-racetrack-db',
    (_, response) => response.writeHead(200, { 'content-type': 'application/zip' }).end('PK\u0003\u0004no'),
    /^What was fetched is not this set\. It is damaged, so nothing was added\./,
  ],
  [
    'a set with too few layouts',
    'whole',
    (_, response) => sendArchive(response).end(VENUE_ARCHIVE),
    /^What was fetched is not this set\. It holds 5 layouts where at least 500 belong/,
  ],
  [
    'an archive that is too large',
    'narrow',
    (_, response) => sendArchive(response).end(VENUE_ARCHIVE),
    /^The archive is larger than .* Nothing was added/,
  ],
  [
    'a way that leads elsewhere without end',
    'open-racetrack-db',
    (_, response) => response.writeHead(302, { location: '/again' }).end(),
    /leads on and on/,
  ],
  [
    'a host that cannot be reached',
    'gone',
    (_, response) => response.end(),
    /^The host of the set cannot be reached\. Look whether/,
  ],
];

test.each(REFUSALS)(
  '%s is refused in a sentence, and nothing is written',
  async (_, set, listener, sentence) => {
    answer = listener;
    expect(await fetchSet(set)).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(sentence),
      result: null,
    });
    expect(await app.db.select().from(courses)).toEqual([]);
  },
);

test('the product itself fetches neither from this computer nor without TLS', async () => {
  for (const [url, sentence] of [
    ['https://127.0.0.1/set.zip', /leads into a private network/],
    ['https://localhost/set.zip', /leads into a private network/],
    [`${host.url}/set.zip`, /not served over HTTPS/],
  ] as const) {
    const publishedSets = { allowsLoopback: false, sets: [describeTestSet(url)] };
    const strict = await startTestApp({ publishedSets });
    const owner = await insertSignedIn(strict.db, { isAdmin: true });
    await strict.as(owner).post('/api/admin/track-sets/open-racetrack-db/fetch');
    await strict.runJobs();
    const { sets } = (await strict.as(owner).get('/api/track-sets')).json<{ sets: TrackSet[] }>();
    expect(sets[0]).toMatchObject({ state: 'failed', problem: expect.stringMatching(sentence) });
  }
  expect(asked).toEqual([]);
});

test('a member asks once, one click of an administrator answers, and the member hears of it', async () => {
  answer = (_request, response) => sendArchive(response).end(VENUE_ARCHIVE);
  const ask = () => app.as(member).post('/api/track-sets/open-racetrack-db/requests');
  expect((await ask()).json()).toEqual({ asked: true });
  expect(await getSet('open-racetrack-db', member)).toMatchObject({ hasAsked: true });
  const again = await ask();
  expect(again.statusCode).toBe(429);
  expect(again.json()).toMatchObject({ message: 'You have asked for these tracks today.' });
  const [notice, ...others] = await listNotices(administrator);
  expect(others).toEqual([]);
  expect(notice).toMatchObject({
    kind: 'tracks_asked',
    link: '/admin/import-tracks',
    text: 'Ana Lima asks you to get the tracks of Open Racetrack Database.',
    wantedTrackSet: 'open-racetrack-db',
  });
  await fetchSet(notice?.wantedTrackSet);
  expect(await listNotices(member)).toMatchObject([
    {
      kind: 'tracks_fetched',
      text: 'The tracks of Open Racetrack Database are here, as you asked. Choose your file again.',
      link: '/upload',
    },
  ]);
  expect((await ask()).statusCode).toBe(409);
});

test('a member asks for three sets a day at most', async () => {
  const asker = await insertSignedIn(app.db);
  const ask = (name: string) => app.as(asker).post(`/api/track-sets/${name}/requests`);
  for (const name of ['open-racetrack-db', 'other', 'narrow']) expect((await ask(name)).statusCode).toBe(200);
  expect((await ask('whole')).statusCode).toBe(429);
});

test('a member who asks six times at once has asked once, and administrators get one notice', async () => {
  const asker = await insertSignedIn(app.db);
  const ask = () => app.as(asker).post('/api/track-sets/other/requests');
  const answers = await Promise.all(Array.from({ length: 6 }, ask));
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
    200, 429, 429, 429, 429, 429,
  ]);
  expect((await listNotices(administrator)).filter(({ kind }) => kind === 'tracks_asked')).toHaveLength(1);
});

test('a removed set takes its courses and tracks with it, but for tracks with laps', async () => {
  answer = (_request, response) => sendArchive(response).end(VENUE_ARCHIVE);
  await fetchSet();
  const origin = {
    set: 'open-racetrack-db',
    title: 'ORD',
    sourceUrl: 'https://x',
    licence: 'ODbL',
    attribution: '©',
  };
  await insertTrack(app.db, { id: 'empty', origin });
  const trackId = await insertTrack(app.db, { id: 'driven', origin });
  await insertSession(app.db, { trackId, userId: member.userId, laps: [{ lapTimeMs: 60_000 }] });
  const exported = await app.as(administrator).get('/api/admin/tracks/export');
  const tracks: unknown = expect.arrayContaining([expect.objectContaining({ id: trackId, origin })]);
  expect(exported.json()).toMatchObject({ tracks });
  const response = await app.as(administrator).delete('/api/admin/track-sets/open-racetrack-db');
  expect(response.json()).toEqual({ removedTracks: 1, keptTracks: 1, removedCourses: 2 });
  expect(await getSet()).toMatchObject({ state: 'absent' });
  expect((await app.asGuest().get('/api/tracks/driven')).json()).toMatchObject({ origin });
});

describe('who may', () => {
  test.each([
    ['POST', '/api/admin/track-sets/open-racetrack-db/fetch'],
    ['DELETE', '/api/admin/track-sets/open-racetrack-db'],
  ] as const)('%s %s is for administrators', async (method, url) => {
    expect((await app.asGuest().send(method, url)).statusCode).toBe(401);
    expect((await app.as(member).send(method, url)).statusCode).toBe(403);
    const moderator = await insertSignedIn(app.db, { role: 'moderator' });
    expect((await app.as(moderator).send(method, url)).statusCode).toBe(403);
    const unknown = url.replace('open-racetrack-db', 'no-such-set');
    expect((await app.as(administrator).send(method, unknown)).statusCode).toBe(404);
  });

  test('sets are listed for everybody, as the set-up page does, and asked for by who is signed in', async () => {
    expect((await app.asGuest().get('/api/track-sets')).json()).toMatchObject({
      sets: expect.arrayContaining([expect.objectContaining({ state: 'absent', hasAsked: false })]),
    });
    const url = '/api/track-sets/open-racetrack-db/requests';
    expect((await app.asGuest().post(url)).statusCode).toBe(401);
    expect((await app.as(member).post('/api/track-sets/no-such-set/requests')).statusCode).toBe(404);
  });
});
