import { generateKeyPairSync, sign } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { User } from '#contract/people/schemas.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { useHttpServer } from '#server/testing/http-server.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { SIGN_IN_COOKIE } from '#server/model/people/auth-cookie.ts';

// A provider whose every answer the tests choose: a wrong answer must not sign anybody in.

const PUBLIC_URL = 'http://localhost:4200';
const ADMINISTRATOR = 'admin@pitboard.example';
const ownKeys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const otherKeys = generateKeyPairSync('rsa', { modulusLength: 2_048 });

const provider = useHttpServer((request, response) => {
  const answers: Record<string, () => [number, object]> = {
    '/.well-known/openid-configuration': () => [200, metadata()],
    '/token': () => [tokenStatus, tokenStatus === 200 ? tokens() : { error: 'invalid_grant' }],
    '/keys': () => [200, { keys: [{ ...ownKeys.publicKey.export({ format: 'jwk' }), alg: 'RS256' }] }],
    '/userinfo': () => [200, userInfo],
  };
  const [status, body] = answers[request.url ?? '']?.() ?? [404, {}];
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
const app = useTestApp(() => {
  const client = { clientId: 'pitboard', clientSecret: 'secret', scopes: 'openid email', name: 'Liar' };
  return { settings: { publicUrl: PUBLIC_URL, oidc: { issuer: provider.url, ...client } } };
});
/** The tests change what differs from a right ID token, the user info, and the status for a code. */
let claims: Record<string, unknown>;
let userInfo: Record<string, unknown>;
let tokenStatus: number;
let signingKey = ownKeys.privateKey;
let nonce = '';

beforeEach(() => {
  claims = {};
  userInfo = { sub: 'member' };
  tokenStatus = 200;
  signingKey = ownKeys.privateKey;
});

function metadata(): object {
  return {
    issuer: provider.url,
    authorization_endpoint: `${provider.url}/authorize`,
    token_endpoint: `${provider.url}/token`,
    userinfo_endpoint: `${provider.url}/userinfo`,
    jwks_uri: `${provider.url}/keys`,
    id_token_signing_alg_values_supported: ['RS256'],
  };
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function tokens(): object {
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const right = {
    iss: provider.url,
    sub: 'member',
    aud: 'pitboard',
    iat: nowSeconds,
    exp: nowSeconds + 60,
    nonce,
  };
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ ...right, ...claims })}`;
  const signature = sign('sha256', Buffer.from(signed), signingKey).toString('base64url');
  return { access_token: 'token', token_type: 'Bearer', id_token: `${signed}.${signature}` };
}

/** Goes to the provider and comes back with what it sends along; gives where that ends, and who is signed in. */
async function signIn(back: Record<string, string> = {}): Promise<{ path: string; user: User | null }> {
  const browser = openBrowser(app.fastify, PUBLIC_URL);
  const address = new URL((await browser.open('/api/login?returnTo=%2Fupload')).path);
  expect(address.origin).toBe(provider.url);
  nonce = address.searchParams.get('nonce') ?? '';
  const state = address.searchParams.get('state') ?? '';
  const query = new URLSearchParams({ code: 'code', state, ...back });
  const { path } = await browser.open(`/api/auth/callback?${query.toString()}`);
  const cookie = browser.cookies.get(SIGN_IN_COOKIE);
  const headers = { cookie: `${SIGN_IN_COOKIE}=${cookie ?? ''}` };
  const response = await app.as({ headers }).get('/api/auth/user');
  return { path, user: response.statusCode === 200 ? response.json<User>() : null };
}

test('a provider that tells the truth signs its member in', async () => {
  const { path, user } = await signIn();
  expect(path).toBe('/upload');
  expect(user).toMatchObject({ isAdmin: false });
});

test.each([
  ['another issuer', { iss: 'http://elsewhere.example' }],
  ['another nonce', { nonce: 'of another sign-in' }],
  ['no nonce', { nonce: undefined }],
  ['another client', { aud: 'somebody else' }],
  ['a time that is over', { exp: 1_700_000_000 }],
  ['no subject', { sub: undefined }],
])('an ID token with %s is refused', async (_what, wrong) => {
  claims = wrong;
  const { path, user } = await signIn();
  expect(path).toBe('/login?error=failed&returnTo=%2Fupload');
  expect(user).toBeNull();
});

test('an ID token with a foreign signature is refused', async () => {
  signingKey = otherKeys.privateKey;
  expect(await signIn()).toEqual({ path: '/login?error=failed&returnTo=%2Fupload', user: null });
});

test('user information about another user is refused', async () => {
  userInfo = { sub: 'another member', email: ADMINISTRATOR, email_verified: true };
  expect((await signIn()).user).toBeNull();
});

test('a code that the provider does not know is refused', async () => {
  tokenStatus = 400;
  expect(await signIn()).toMatchObject({ path: '/login?error=failed&returnTo=%2Fupload', user: null });
});

test('another state, or another issuer in the callback, is refused', async () => {
  expect((await signIn({ state: 'of another sign-in' })).user).toBeNull();
  expect((await signIn({ iss: 'http://elsewhere.example' })).user).toBeNull();
});

test('the login page shows what the provider answers instead of a code', async () => {
  expect(await signIn({ error: 'access_denied' })).toMatchObject({
    path: '/login?error=cancelled&returnTo=%2Fupload',
    user: null,
  });
  expect((await signIn({ error: 'server_error' })).path).toBe('/login?error=failed&returnTo=%2Fupload');
});

test('a mail address on the list of administrators administers only when the provider has verified it', async () => {
  for (const [verified, isAdmin] of [
    [undefined, false],
    [false, false],
    ['false', false],
    ['yes', false],
    [true, true],
  ] as const) {
    userInfo = { sub: 'member', email: ADMINISTRATOR, email_verified: verified };
    expect((await signIn()).user, `verified: ${verified}`).toMatchObject({ email: ADMINISTRATOR, isAdmin });
  }
});

test('a mail address counts as verified only where the same answer of the provider says so', async () => {
  // The ID token vouches for one address, and the user information gives another one.
  claims = { email: 'member@club.example', email_verified: true };
  userInfo = { sub: 'member', email: ADMINISTRATOR };
  expect((await signIn()).user).toMatchObject({ email: ADMINISTRATOR, isAdmin: false });

  // The other way round: only 'verified' comes with the user information.
  claims = { email: ADMINISTRATOR };
  userInfo = { sub: 'member', email_verified: true };
  expect((await signIn()).user).toMatchObject({ email: ADMINISTRATOR, isAdmin: false });

  claims = { email: ADMINISTRATOR, email_verified: true };
  userInfo = { sub: 'member', name: 'Ana Li' };
  expect((await signIn()).user).toMatchObject({ email: ADMINISTRATOR, isAdmin: true });
});

test('user information without a subject, or about another one, is refused', async () => {
  claims = { email: ADMINISTRATOR, email_verified: true };
  for (const answer of [{ name: 'Ana Li' }, { sub: 'another member', name: 'Ana Li' }]) {
    userInfo = answer;
    expect((await signIn()).user).toBeNull();
  }
});
