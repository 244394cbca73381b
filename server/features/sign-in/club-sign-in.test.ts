import { afterAll, expect, test } from 'vitest';
import { userIdSchema } from '#contract/ids.ts';
import type { User } from '#contract/people/schemas.ts';
import { insertSession, insertTrack, signIn } from '#server/testing/builders.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { type ClubProvider, startClubProvider } from '#server/testing/club-provider.ts';
import { startTestApp, useTestApp } from '#server/testing/test-app.ts';
import { SIGN_IN_COOKIE, signInCookieName } from '#server/model/people/auth-cookie.ts';

const PUBLIC_URL = 'https://laps.example';
const app = useTestApp(async () => {
  club = await startClubProvider(`${PUBLIC_URL}/api/auth/callback`);
  return { settings: { publicUrl: PUBLIC_URL, oidc: club.settings } };
});
let club: ClubProvider;

afterAll(async () => {
  await club.close();
});

const COOKIE = signInCookieName(PUBLIC_URL);

async function signInAsMember(browser = openBrowser(app.fastify, PUBLIC_URL)) {
  const { path: address } = await browser.open('/api/login?returnTo=%2Fprofile');
  const back = new URL(await club.visit(address));
  const end = await browser.open(back.pathname + back.search);
  expect(end.path).toBe('/profile');
  const headers = { cookie: `${COOKIE}=${browser.cookies.get(COOKIE)}` };
  const user = (await app.as({ headers }).get('/api/auth/user')).json<User>();
  return { browser, headers, user, userId: userIdSchema.parse(user.id) };
}

test('mail address and names are those that the provider gives at the latest sign-in; what was chosen here stays, and its picture is not shown', async () => {
  Object.assign(club.claims, {
    given_name: 'Ana',
    family_name: 'Li',
    email: 'ana@club.example',
    email_verified: true,
    picture: 'https://club.example/ana-1.png',
  });
  const first = await signInAsMember();
  expect(first.user).toMatchObject({
    firstName: 'Ana',
    lastName: 'Li',
    email: 'ana@club.example',
    profileImageUrl: null,
  });
  const { db } = app.database;
  const trackId = await insertTrack(db);
  await insertSession(db, { trackId, userId: first.userId, laps: [{ lapTimeMs: 61_000 }] });
  const onBoard = async () => (await app.asGuest().get(`/api/laps/track/${trackId}/best`)).json()[0];
  expect(await onBoard()).toMatchObject({ userName: 'Ana Li' });

  Object.assign(club.claims, {
    family_name: 'Li-Moreau',
    email: 'ana.moreau@club.example',
    picture: 'https://club.example/ana-2.png',
  });
  const second = await signInAsMember(first.browser);
  expect(second.user).toMatchObject({
    id: first.user.id,
    firstName: 'Ana',
    lastName: 'Li-Moreau',
    email: 'ana.moreau@club.example',
    profileImageUrl: null,
  });
  expect(await onBoard()).toMatchObject({
    userName: 'Ana Li-Moreau',
    userAvatar: null,
  });

  await app.as(second).patch('/api/auth/user/preferences', { displayName: 'Annie', emailUpdates: true });
  delete club.claims['picture'];
  const third = await signInAsMember(second.browser);
  expect(third.user).toMatchObject({ displayName: 'Annie', emailUpdates: true, profileImageUrl: null });
});

test('the cookie of a sign-in lasts 30 days and never leaves https, scripts do not see it', async () => {
  const { browser } = await signInAsMember();
  expect(browser.details.get(COOKIE)).toMatchObject({
    secure: true,
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    maxAge: 30 * 24 * 60 * 60,
  });
  const { rows } = await app.database.pool.query(
    `SELECT count(*)::int AS count FROM sign_ins
     WHERE expires_at BETWEEN now() + interval '29 days 23 hours' AND now() + interval '30 days'`,
  );
  expect(rows[0].count).toBeGreaterThan(0);
});

test('a sign-in that has ended is cleaned up at the next one', async () => {
  const { userId } = await signInAsMember();
  await signIn(app.db, userId, -1_000);
  const countEnded = async () => {
    const { rows } = await app.database.pool.query(
      'SELECT count(*)::int AS count FROM sign_ins WHERE expires_at < now()',
    );
    return rows[0].count;
  };
  expect(await countEnded()).toBe(1);
  await signInAsMember();
  expect(await countEnded()).toBe(0);
});

test('signing out goes on to the provider, which ends its own sign-in and sends the browser back', async () => {
  const { headers } = await signInAsMember();
  const response = await app.as({ headers }).post('/api/logout');
  const { continueAt } = response.json();
  const address = new URL(continueAt);
  expect(address.origin + address.pathname).toBe(`${club.settings.issuer}/session/end`);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: 'pitboard',
    post_logout_redirect_uri: `${PUBLIC_URL}/`,
  });
  expect((await app.as({ headers }).get('/api/auth/user')).statusCode).toBe(401);
});

test('a sign-out leads to the provider neither for a guest nor when the provider does not answer', async () => {
  const guest = await app.asGuest().post('/api/logout');
  expect(guest.json()).toEqual({ signedOut: true, continueAt: null });

  const { userId } = await signInAsMember();
  const { cookie } = await signIn(app.db, userId);
  const headers = { cookie: cookie.replace(SIGN_IN_COOKIE, COOKIE) };
  const oidc = { ...club.settings, issuer: 'http://127.0.0.1:1' };
  const other = await startTestApp({
    settings: { publicUrl: PUBLIC_URL, oidc },
    database: app.database,
  });
  const response = await other.as({ headers }).post('/api/logout');
  expect(response.json()).toEqual({ signedOut: true, continueAt: null });
});
