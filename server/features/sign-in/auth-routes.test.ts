import { expect, test } from 'vitest';
import type { User } from '#contract/people/schemas.ts';
import { openBrowser, type TestBrowser } from '#server/testing/browser.ts';
import { startTestApp, useTestApp } from '#server/testing/test-app.ts';
import { ATTEMPT_COOKIE } from './sign-in-attempt.ts';
import { cookieOptions, hashToken, SIGN_IN_COOKIE } from '#server/model/people/auth-cookie.ts';

const PUBLIC_URL = 'http://localhost:4200';
const app = useTestApp({ settings: { publicUrl: PUBLIC_URL } });

async function signInAs(account: string, returnTo = '/', browser = openBrowser(app.fastify, PUBLIC_URL)) {
  const choice = await browser.open(`/api/login?returnTo=${encodeURIComponent(returnTo)}`);
  const end = await browser.open(choice.path, { account });
  return { browser, choice, end };
}

async function askWhoIAm({ cookies }: TestBrowser) {
  const cookie = `${SIGN_IN_COOKIE}=${cookies.get(SIGN_IN_COOKIE)}`;
  return await app.asGuest().get('/api/auth/user', { cookie });
}

test('somebody signs in with a local account, comes back to where they were, and is known from then on', async () => {
  const { browser, choice, end } = await signInAs('theo.okafor', '/upload?step=2');
  expect(choice.status).toBe(200);
  expect(choice.body).toContain('local use');
  expect(end.path).toBe('/upload?step=2');

  const user = (await askWhoIAm(browser)).json<User>();
  expect(user).toMatchObject({
    firstName: 'Theo',
    lastName: 'Okafor',
    displayName: null,
    email: 'theo.okafor@pitboard.example',
    isAdmin: false,
  });
});

test('the local administrator administers, without anything being set', async () => {
  const { browser, choice } = await signInAs('mara.lindqvist');
  expect(choice.body).toContain('Administrator');
  expect((await askWhoIAm(browser)).json<User>().isAdmin).toBe(true);
});

test('a second sign-in is the same driver, keeps the display name, and ends the first sign-in of that browser', async () => {
  const first = await signInAs('priya.venkat');
  const tokenBefore = first.browser.cookies.get(SIGN_IN_COOKIE);
  const before = (await askWhoIAm(first.browser)).json<User>();
  const headers = { cookie: `${SIGN_IN_COOKIE}=${tokenBefore}` };
  const payload = { displayName: 'Pri' };
  await app.as({ headers }).patch('/api/auth/user/preferences', payload);

  const { browser } = await signInAs('priya.venkat', '/', first.browser);
  expect((await askWhoIAm(browser)).json<User>()).toMatchObject({ id: before.id, displayName: 'Pri' });
  expect(browser.cookies.get(SIGN_IN_COOKIE)).not.toBe(tokenBefore);
  expect((await app.as({ headers }).get('/api/auth/user')).statusCode).toBe(401);
});

test('the cookie of a sign-in is out of reach for scripts and other sites, and only its hash is kept', async () => {
  const { browser } = await signInAs('theo.okafor');
  expect(browser.details.get(SIGN_IN_COOKIE)).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  const token = browser.cookies.get(SIGN_IN_COOKIE) ?? '';
  const { rows } = await app.database.pool.query('SELECT token_sha256 FROM sign_ins');
  expect(rows.map((row) => row.token_sha256)).not.toContain(token);
  expect(rows.map((row) => row.token_sha256)).toContain(hashToken(token));
});

test('cookies travel over https only, except on this machine', () => {
  expect(cookieOptions('https://laps.example', 1000).secure).toBe(true);
  expect(cookieOptions('http://laps.example', 1000).secure).toBe(true);
  expect(cookieOptions('http://localhost:3000', 1000).secure).toBe(false);
});

test('an attempt cannot be finished in another browser, twice, or with another state', async () => {
  const victim = openBrowser(app.fastify, PUBLIC_URL);
  const elsewhere = await victim.open('/api/auth/callback?code=stolen&state=stolen');
  expect(elsewhere.path).toBe('/login?error=expired');

  await victim.open('/api/login?returnTo=%2Fupload');
  const otherState = await victim.open('/api/auth/callback?code=stolen&state=stolen');
  expect(otherState.path).toBe('/login?error=failed&returnTo=%2Fupload');
  expect(victim.cookies.has(SIGN_IN_COOKIE)).toBe(false);
  const again = await victim.open('/api/auth/callback?code=stolen&state=stolen');
  expect(again.path).toBe('/login?error=expired');
});

test('an attempt is none where its cookie holds what was signed for another one', async () => {
  for (const value of ['no JSON', '{"id":"x","accounts":[]}']) {
    const cookies = new Map([[ATTEMPT_COOKIE, encodeURIComponent(app.fastify.signCookie(value))]]);
    const browser = openBrowser(app.fastify, PUBLIC_URL, cookies);
    const end = await browser.open('/api/auth/callback?code=any&state=any');
    expect(end.path, value).toBe('/login?error=expired');
  }
});

test('a cancelled sign-in returns to the login page, which keeps the target page', async () => {
  const { end, browser } = await signInAs('', '/upload');
  expect(end.path).toBe('/login?error=cancelled&returnTo=%2Fupload');
  expect(browser.cookies.has(SIGN_IN_COOKIE)).toBe(false);
});

test('a sign-in never leads to another site', async () => {
  const { end } = await signInAs('theo.okafor', '//elsewhere.example/');
  expect(end.path).toBe('/');
});

test('signing out ends the sign-in on the server', async () => {
  const { browser } = await signInAs('jonas.weidner');
  const headers = { cookie: cookieHeader(browser) };
  const response = await app.as({ headers }).post('/api/logout');
  expect(response.json()).toEqual({ signedOut: true, continueAt: null });
  expect(response.cookies.find(({ name }) => name === SIGN_IN_COOKIE)?.value).toBe('');
  expect((await app.as({ headers }).get('/api/auth/user')).statusCode).toBe(401);
});

test('signing out leaves no cookie behind, not even of the local provider', async () => {
  const { browser } = await signInAs('jonas.weidner');
  // The cookies of the steps of a sign-in have paths of their own, and mean nothing once it is over.
  const before = [...browser.cookies.keys()].filter((name) => !name.startsWith('_interaction'));
  expect(before).toContain('pitboard_local_provider');
  const headers = { cookie: cookieHeader(browser) };
  const response = await app.as({ headers }).post('/api/logout');
  const cleared = response.cookies.filter(({ value, path }) => value === '' && path === '/');
  expect(cleared.map(({ name }) => name)).toEqual(expect.arrayContaining(before));
});

test('going back to the choice of accounts after it is over leads to the login page, and from there where they wanted', async () => {
  for (const account of ['', 'theo.okafor']) {
    const { browser, choice } = await signInAs(account, '/upload?step=2');
    const back = await browser.open(choice.path);
    expect(back.path).toBe('/login?returnTo=%2Fupload%3Fstep%3D2');
    const again = await browser.open(choice.path, { account: 'theo.okafor' });
    expect(again.path).toBe('/login?error=expired&returnTo=%2Fupload%3Fstep%3D2');
  }
});

test('another site cannot sign anybody out', async () => {
  const { browser } = await signInAs('jonas.weidner');
  const headers = { cookie: cookieHeader(browser), origin: 'https://elsewhere.example' };
  const response = await app.as({ headers }).post('/api/logout');
  expect(response.statusCode).toBe(403);
  expect((await askWhoIAm(browser)).statusCode).toBe(200);
});

test('a browser that comes by another name of this machine goes to the public one first, once', async () => {
  const headers = { host: '127.0.0.1:4200' };
  const first = await app.as({ headers }).get('/api/login?returnTo=/upload');
  expect(first.headers.location).toBe(`${PUBLIC_URL}/api/login?returnTo=%2Fupload&moved=1`);
  const second = await app.as({ headers }).get('/api/login?returnTo=/upload&moved=1');
  expect(second.headers.location).toContain(`${PUBLIC_URL}/oidc/auth?`);
});

test('local accounts are worth nothing once another provider signs people in', async () => {
  const { browser } = await signInAs('mara.lindqvist');
  const oidc = {
    issuer: 'http://localhost:1/none',
    clientId: 'a',
    clientSecret: 'b',
    scopes: 'openid',
    name: 'Club',
  };
  const other = await startTestApp({ settings: { oidc }, database: app.database });
  const headers = { cookie: cookieHeader(browser) };
  expect((await other.as({ headers }).get('/api/auth/user')).statusCode).toBe(401);
  expect((await other.asGuest().get('/api/auth/provider')).json()).toEqual({ name: 'Club', isLocal: false });

  const down = await other.asGuest().get('/api/login');
  expect(down.statusCode).toBe(503);
  expect(down.json()).toMatchObject({ error: 'unavailable' });
  const forPeople = await other.asGuest().get('/api/login', { accept: 'text/html' });
  expect(forPeople.headers.location).toBe('/login?error=unavailable');
});

function cookieHeader({ cookies }: TestBrowser): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
