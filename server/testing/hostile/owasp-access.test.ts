import { beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/api.ts';
import { hashToken, SIGN_IN_COOKIE } from '#server/model/people/auth-cookie.ts';
import { openBrowser } from '../browser.ts';
import {
  insertSavedComparison,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUserCar,
} from '../builders.ts';
import { insertStrangers, nameOf, NEW_TRACK, OWNER_EMAIL, type Strangers } from '../strangers.ts';
import { kartCsv } from '../kart-uploads.ts';
import { useTestApp } from '../test-app.ts';

// The risks of the OWASP API Security Top 10 of 2023 that are about who may do what; owasp-operation.test.ts has the others.
// server/testing/hostile/hostile-calls.test.ts asks every call in every wrong way; what is here looks at what the calls do together.

const PUBLIC_URL = 'http://localhost:4200';

const app = useTestApp({ settings: { publicUrl: PUBLIC_URL }, callsAreBlind: true });
let strangers: Strangers;

beforeAll(async () => {
  strangers = await insertStrangers(app);
});

/** All that is kept, but what calls count and remember by themselves. */
async function contentOfTables(): Promise<string> {
  const tables = ['users', 'user_cars', 'sessions', 'laps', 'lap_files', 'session_bests', 'tracks'];
  const { rows } = await app.database.pool.query(
    tables.map((table) => `SELECT '${table}' AS name, t::text FROM ${table} AS t`).join(' UNION ALL ') +
      ' ORDER BY 1, 2',
  );
  return JSON.stringify(rows);
}

/**
 * Flags, appeals and decisions are of laps of others, once each: server/flags tests who may do what to which lap, and lap-videos.test.ts
 * who puts a video in step. Those who run the club change entries and runs of all drivers. Courses and sets
 * of tracks have no owner.
 */
const isOfLapsOrSets = ({ path }: { path: string }): boolean =>
  /\/laps\/:lapId\/|\/(?:courses|track-sets|lap-videos|events)\/:/.test(path);

/** Tells the calls that this server refuses to everybody, as it has no accounts of its own, or that need the right name. */
const isRefusedHere = ({ method, path }: { method: string; path: string }): boolean =>
  /^\/api\/(auth|account)(\/|$)(?!tokens)/.test(path) &&
  path !== '/api/auth/user/preferences' &&
  method !== 'GET';

const needsMailServer = ({ path }: { path: string }): boolean => path === '/api/admin/mail/settings/test';

describe('API1, broken object level authorisation', () => {
  test('the ids of another driver change nothing, wherever a path, a body or a form takes one', async () => {
    const { visitor, administrator, trackId, carId, waitingImage, pathOfOwners, bodyOf } = strangers;
    const before = await contentOfTables();
    for (const endpoint of ENDPOINTS) {
      if (endpoint.method === 'GET' || !endpoint.params || endpoint.access !== 'signed_in') continue;
      if (isOfLapsOrSets(endpoint)) continue;
      const body = await bodyOf(endpoint, visitor);
      for (const who of [visitor, administrator])
        expect(
          (await app.as(who).send(endpoint.method, pathOfOwners(endpoint), body)).statusCode,
          nameOf(endpoint),
        ).toBe(403);
      expect((await app.as(null).send(endpoint.method, pathOfOwners(endpoint), body)).statusCode).toBe(401);
    }
    const avatar = await app.as(visitor).put('/api/user/avatar', { avatarURL: waitingImage });
    expect(avatar.statusCode).toBe(403);
    const ownCar = await insertUserCar(app.db, { userId: visitor.userId });
    const photo = await app.as(visitor).put(`/api/cars/${ownCar}/photo`, { photoURL: waitingImage });
    expect(photo.statusCode).toBe(403);
    await app.database.pool.query('DELETE FROM user_cars WHERE id = $1', [ownCar]);
    expect((await app.as(visitor).uploadLaps(trackId, kartCsv(), { userCarId: carId })).statusCode).toBe(403);
    expect(await contentOfTables()).toBe(before);
  });
});

describe('API2, broken authentication', () => {
  test('a cookie from before a sign-in is worth nothing after it, and cookies are out of reach of scripts and other sites', async () => {
    const planted = 'planted-by-somebody-else-who-waits-for-a-sign-in';
    const browser = openBrowser(app.fastify, PUBLIC_URL, new Map([[SIGN_IN_COOKIE, planted]]));
    const choice = await browser.open('/api/login?returnTo=/');
    await browser.open(choice.path, { account: 'theo.okafor' });
    const token = browser.cookies.get(SIGN_IN_COOKIE) ?? '';
    expect(token).not.toBe(planted);
    expect(Buffer.from(token, 'base64url').length).toBeGreaterThanOrEqual(16); // 128 bits cannot be guessed
    expect(browser.details.get(SIGN_IN_COOKIE)).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    const who = async (cookie: string) => (await app.asGuest().get('/api/auth/user', { cookie })).statusCode;
    expect(await who(`${SIGN_IN_COOKIE}=${planted}`)).toBe(401);
    expect(await who(`${SIGN_IN_COOKIE}=${hashToken(token)}`)).toBe(401); // what a stolen table says
    expect(await who(`${SIGN_IN_COOKIE}=${token.slice(0, -1)}`)).toBe(401);
    expect(await who(`${SIGN_IN_COOKIE}=${token}`)).toBe(200);

    const headers = { cookie: `${SIGN_IN_COOKIE}=${token}`, origin: PUBLIC_URL };
    expect((await app.as({ headers }).post('/api/logout')).statusCode).toBe(200);
    expect(await who(`${SIGN_IN_COOKIE}=${token}`)).toBe(401);
  });
});

describe('API3, broken object property level authorisation', () => {
  const FORBIDDEN = {
    id: '00000000-0000-4000-8000-000000000001',
    userId: '00000000-0000-4000-8000-000000000001',
    isAdmin: true,
    is_admin: true,
    role: 'owner',
    email: 'admin@pitboard.example',
    emailVerified: true,
    subject: 'somebody-else',
    status: 'valid',
    lapTimeMs: 1,
    bestLapTimeMs: 1,
    entryCount: 9_999,
    boardVersion: 9_999,
    retiredAt: null,
    photoKey: 'x',
  };

  test('fields that a body does not have are not taken, in any call', async () => {
    const { administrator, carId, sessionId, comparisonId, pathOfOwners, bodyOf } = strangers;
    const withBody = ENDPOINTS.filter(
      (endpoint) =>
        endpoint.body && !isOfLapsOrSets(endpoint) && !isRefusedHere(endpoint) && !needsMailServer(endpoint),
    );
    const clubOwner = await insertSignedIn(app.db, { role: 'owner' });
    const mine = await insertSignedIn(app.db, { email: 'me@elsewhere.example' });
    const myCar = await insertUserCar(app.db, { userId: mine.userId });
    const laps = [{ lapTimeMs: 60_000 }];
    const mySession = await insertSession(app.db, {
      trackId: await insertTrack(app.db),
      userId: mine.userId,
      laps,
    });
    const myComparison = await insertSavedComparison(app.db, mine.userId);
    for (const endpoint of withBody) {
      const isAdministration = ['moderator', 'admin'].includes(endpoint.access);
      const who = endpoint.access === 'owner' ? clubOwner : isAdministration ? administrator : mine;
      const url = pathOfOwners(endpoint)
        .replace(carId, myCar)
        .replace(sessionId, mySession)
        .replace(comparisonId, myComparison);
      // Fields that the call does take are another matter: the status of a track is for administrators to say.
      const surplus = Object.entries(FORBIDDEN).filter(([name]) => !(name in (endpoint.body?.shape ?? {})));
      const payload = { ...Object.fromEntries(surplus), ...(await bodyOf(endpoint, who)) };
      expect((await app.as(who).send(endpoint.method, url, payload)).statusCode, nameOf(endpoint)).toBe(200);
      for (const way of ['"__proto__":{"isAdmin":true}', '"constructor":{"prototype":{"isAdmin":true}}']) {
        const json = { 'content-type': 'application/json' };
        const hostile = await app.as(who).send(endpoint.method, url, `{${way}}`, json);
        expect(hostile.statusCode, nameOf(endpoint)).toBe(400);
      }
    }
    const { tracks, ...others } = { tracks: [{ ...NEW_TRACK, ...FORBIDDEN, ...NEW_TRACK, name: 'Other' }] };
    const created = await app.as(administrator).post('/api/admin/create-tracks', { tracks, ...others });
    expect(created.json()[0].trackId ?? null).not.toBe(FORBIDDEN.id);

    const { rows } = await app.database.pool.query(
      'SELECT id, role, email, email_verified, issuer, subject FROM users WHERE id = $1',
      [mine.userId],
    );
    const expected = {
      id: mine.userId,
      role: 'member',
      email: 'me@elsewhere.example',
      email_verified: false,
    };
    expect(rows).toEqual([{ ...expected, issuer: 'local', subject: mine.userId }]);
    const made = await app.database.pool.query(
      `SELECT max(entry_count) AS entries, max(board_version) < 9999 AS "hasOwnVersion" FROM tracks`,
    );
    expect(made.rows).toEqual([{ entries: 1, hasOwnVersion: true }]);
  });

  test('a form says nothing about who drove, or how fast', async () => {
    const { owner, trackId } = strangers;
    const mine = await insertSignedIn(app.db);
    const claims = {
      userId: owner.userId,
      lapTimeMs: '1',
      status: 'valid',
      isAdmin: 'true',
      sessionDate: '1999',
    };
    const { sessionId: id, bestLapTimeMs } = (
      await app.as(mine).uploadLaps(trackId, kartCsv(), claims)
    ).json().results[0];
    expect(bestLapTimeMs).toBeGreaterThan(10_000);
    const { rows } = await app.database.pool.query('SELECT user_id FROM sessions WHERE id = $1', [id]);
    expect(rows).toEqual([{ user_id: mine.userId }]);
  });

  test('no answer gives anybody the e-mail address of somebody else, nor how they sign in', async () => {
    const { owner, visitor, administrator, trackId, pathOfOwners } = strangers;
    await app.as(owner).delete('/api/user/avatar');
    const pages = ['/', '/leaderboards', `/track/${trackId}`, `/profile/${owner.userId}`, '/profile/Owner'];
    for (const who of [null, visitor, administrator]) {
      for (const endpoint of ENDPOINTS.filter(({ method }) => method === 'GET')) {
        const response = await app.as(who).get(pathOfOwners(endpoint));
        expect(response.body, nameOf(endpoint)).not.toContain(OWNER_EMAIL);
        expect(response.body, nameOf(endpoint)).not.toMatch(
          /"(email|subject|issuer|tokenSha256)":"[^"]*private/,
        );
        expect(JSON.stringify(response.headers)).not.toContain(OWNER_EMAIL);
      }
      for (const url of pages) expect((await app.as(who).get(url)).body, url).not.toContain(OWNER_EMAIL);
    }
    expect((await app.as(owner).get('/api/auth/user')).body).toContain(OWNER_EMAIL);
  });
});

describe('API5, broken function level authorisation', () => {
  test('a driver is refused in every call of administrators, whatever the method and the spelling', async () => {
    const { visitor, pathOfOwners } = strangers;
    const levels = ['moderator', 'admin', 'owner'];
    const calls = ENDPOINTS.filter(({ access }) => levels.includes(access));
    expect(calls.length).toBeGreaterThan(8);
    expect(
      ENDPOINTS.filter(({ path, access }) => /admin|apex/.test(path) && !levels.includes(access)),
    ).toEqual([]);
    for (const endpoint of calls) {
      const url = pathOfOwners(endpoint);
      for (const spelling of [url, `${url}/`, `${url}?isAdmin=true`])
        expect((await app.as(visitor).send(endpoint.method, spelling)).statusCode, spelling).toBe(403);
      for (const spelling of [
        url.toUpperCase(),
        url.replace('/api/', '/api//'),
        url.replace('/api/', '/api/./'),
      ])
        expect([403, 404], spelling).toContain(
          (await app.as(visitor).send(endpoint.method, spelling)).statusCode,
        );
      const isRead = ENDPOINTS.some(
        ({ method, path, access }) => method === 'GET' && path === endpoint.path && access === 'public',
      );
      if (isRead) continue;
      const tunnelled = await app.as(visitor).get(url, { 'x-http-method-override': endpoint.method });
      expect([403, 404]).toContain(tunnelled.statusCode);
    }
  });
});
