import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { ENDPOINTS } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { findTokenScope, TOKEN_SCOPES, type TokenScope } from '#contract/sign-in/labels.ts';
import { LAP_FILE_EXTENSIONS } from '#engine/formats/lap-file-names.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { ageSignIns, insertApiToken, insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { insertKartTrack, kartCsv } from '#server/testing/kart-uploads.ts';
import { nameOf } from '#server/testing/strangers.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
let owner: SignedIn;
let callCount = 0;

beforeAll(async () => {
  owner = await insertSignedIn(app.db, { isAdmin: true, role: 'owner' });
});

const query = (text: string, values: unknown[]) => app.database.pool.query(text, values);

function call(method: Endpoint['method'], url: string, headers: object, payload?: object) {
  callCount += 1;
  const remoteAddress = `10.9.${callCount >> 8}.${callCount & 255}`;
  return app.as({ headers, remoteAddress }).send(method, url, payload);
}

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const pathOf = (path: string) => path.replaceAll(/:\w+/g, UNKNOWN_ID);

test.each(ENDPOINTS.map((endpoint) => ({ name: nameOf(endpoint), endpoint })))(
  '$name is refused to tokens without its scope, and to those that are not valid',
  async ({ endpoint }) => {
    const scope = findTokenScope(endpoint);
    const others = TOKEN_SCOPES.filter((one) => one !== scope);
    const { headers } = await insertApiToken(app.db, owner.userId, others);
    // With the cookie of an owner as well: the token alone counts.
    for (const sent of [headers, { ...headers, ...owner.headers }])
      expect((await call(endpoint.method, pathOf(endpoint.path), sent)).statusCode).toBe(403);
    for (const authorization of [
      'Bearer pb_made-up',
      'Bearer ',
      'Basic YTpi',
      'Bearer a b',
      `Bearer ${'a'.repeat(9_000)}`,
    ])
      expect((await call(endpoint.method, pathOf(endpoint.path), { authorization })).statusCode).toBe(401);
  },
);

const scopeOf = (name: string) => {
  const endpoint = ENDPOINTS.find((one) => nameOf(one) === name);
  if (!endpoint) throw new Error(`There is no call ${name}.`);
  return findTokenScope(endpoint);
};

test('no token reads or changes an account, roles, notices, flags or other tokens', () => {
  const changing = ENDPOINTS.filter((one) => one.method !== 'GET' && findTokenScope(one) !== null);
  const allowed =
    /^(POST \/api\/(upload|analyze-gps)$|(POST|PUT) \/api\/pending-files|\w+ \/api\/(admin\/(tracks|cars|car-library|backups|parse-tracks|create-tracks)|apex|events)\b)/;
  expect(changing.map(nameOf).filter((name) => !allowed.test(name))).toEqual([]);
  for (const name of [
    'GET /api/auth/user',
    'GET /api/account/export',
    'GET /api/account/tokens',
    'GET /api/notices',
  ])
    expect([name, scopeOf(name)]).toEqual([name, null]);
  for (const name of ['DELETE /api/account', 'POST /api/account/tokens', 'PATCH /api/auth/user/preferences'])
    expect([name, scopeOf(name)]).toEqual([name, null]);
  expect(scopeOf('GET /api/laps/track/:trackId/best')).toBe('read');
  expect(scopeOf('POST /api/upload')).toBe('upload');
  expect(scopeOf('PATCH /api/admin/tracks/:trackId')).toBe('admin');
});

test('a token is shown once, kept as a hash, known by its ending and last use, and worth nothing once it is revoked', async () => {
  const ana = await insertSignedIn(app.db);
  const wish = { name: 'Van', scopes: ['read', 'read'], days: 30 };
  const { token, apiToken } = (await call('POST', '/api/account/tokens', ana.headers, wish)).json();
  expect(token).toMatch(/^pb_[\w-]{43}$/);
  expect(apiToken).toMatchObject({
    name: 'Van',
    ending: token.slice(-4),
    scopes: ['read'],
    lastUsedAt: null,
  });
  const { rows } = await query('SELECT api_tokens::text AS row FROM api_tokens WHERE id = $1', [apiToken.id]);
  expect(rows[0].row).not.toContain(token.slice(3));

  const headers = { authorization: `Bearer ${token}` };
  expect((await call('GET', '/api/user-cars', headers)).statusCode).toBe(200);
  const [listed] = (await call('GET', '/api/account/tokens', ana.headers)).json();
  expect(listed).toEqual({ ...apiToken, lastUsedAt: expect.stringMatching(/Z$/) });
  expect((await call('DELETE', `/api/account/tokens/${apiToken.id}`, ana.headers)).statusCode).toBe(200);
  expect((await call('GET', '/api/user-cars', headers)).statusCode).toBe(401);
  expect((await call('GET', '/api/account/tokens', ana.headers)).json()).toEqual([]);
});

test('tokens end at their time, are twenty at most, and administer for administrators only', async () => {
  const ana = await insertSignedIn(app.db);
  const { id, headers } = await insertApiToken(app.db, ana.userId);
  await query("UPDATE api_tokens SET expires_at = now() - interval '1 second' WHERE id = $1", [id]);
  expect((await call('GET', '/api/user-cars', headers)).statusCode).toBe(401);
  const make = (wish: object) =>
    call('POST', '/api/account/tokens', ana.headers, { name: 'Van', scopes: ['read'], days: 7, ...wish });
  for (const wrong of [
    { name: ' ' },
    { scopes: [] },
    { scopes: ['all'] },
    { days: 10_000 },
    { name: 'a\u0000' },
  ])
    expect((await make(wrong)).statusCode).toBe(400);
  expect((await make({ scopes: ['admin'] })).statusCode).toBe(403);
  for (let count = 0; count < 20; count += 1) await insertApiToken(app.db, ana.userId);
  expect((await make({})).statusCode).toBe(409);

  const admin = (scopes: TokenScope[]) => insertApiToken(app.db, owner.userId, scopes);
  expect((await call('GET', '/api/admin/tracks', (await admin(['admin'])).headers)).statusCode).toBe(200);
  const { headers: formerly } = await insertApiToken(app.db, ana.userId, ['admin']);
  expect((await call('GET', '/api/admin/tracks', formerly)).statusCode).toBe(403);
});

test('no more than twenty tokens are made at once', async () => {
  const driver = await insertSignedIn(app.db);
  const body = { name: 'Van', scopes: ['read'], days: 7 };
  const made = await Promise.all(
    Array.from({ length: 25 }, () => app.as(driver).post('/api/account/tokens', body)),
  );
  expect(made.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20);
  expect(made.filter(({ statusCode }) => statusCode === 409)).toHaveLength(5);
});

test('making a token asks for a sign-in of the last 15 minutes; listing and revoking do not', async () => {
  const ana = await insertSignedIn(app.db);
  const { id } = await insertApiToken(app.db, ana.userId);
  await ageSignIns(app.db, ana.userId);
  const wish = { name: 'Van', scopes: ['read'], days: 7 };
  const refused = await call('POST', '/api/account/tokens', ana.headers, wish);
  expect([refused.statusCode, refused.json().error]).toEqual([403, 'confirmation_needed']);
  expect((await call('GET', '/api/account/tokens', ana.headers)).json()).toHaveLength(1);
  expect((await call('DELETE', `/api/account/tokens/${id}`, ana.headers)).statusCode).toBe(200);
});

test('a token may make 120 calls a minute', async () => {
  const { id, headers } = await insertApiToken(app.db, owner.userId);
  const key = `token ${id}`;
  await query("INSERT INTO call_counts VALUES ($1, 119, now() + interval '1 minute')", [key]);
  expect((await call('GET', '/api/user-cars', headers)).statusCode).toBe(200);
  expect((await call('GET', '/api/user-cars', headers)).statusCode).toBe(429);
});

test('a token uploads a file in parts, and never one of another driver', async () => {
  const driver = await insertSignedIn(app.db);
  const trackId = await insertKartTrack(app.db);
  const { content } = kartCsv();
  const bytes = Buffer.concat([Buffer.from(content), Buffer.alloc(2 * LIMITS.pendingPartBytesMin, '\n')]);
  const { headers } = await insertApiToken(app.db, driver.userId, ['upload']);
  const begun = await call('POST', '/api/pending-files', headers, {
    fileName: 'laps.csv',
    byteCount: bytes.length,
  });
  const { fileToken } = begun.json();
  const url = `/api/pending-files/${fileToken}`;
  const half = Math.floor(bytes.length / 2);
  for (const [offset, part] of [
    [0, bytes.subarray(0, half)],
    [half, bytes.subarray(half)],
  ] as const) {
    const type = { 'content-type': 'application/octet-stream' };
    expect((await call('PUT', `${url}?offset=${offset}`, { ...headers, ...type }, part)).statusCode).toBe(
      200,
    );
  }
  expect((await call('GET', url, headers)).json()).toMatchObject({ receivedBytes: bytes.length });
  const other = await insertApiToken(app.db, owner.userId, ['upload']);
  expect((await call('GET', url, other.headers)).statusCode).toBe(403);
  const uploaded = await app.as({ headers }).uploadLaps(trackId, fileToken);
  expect(uploaded.json()).toMatchObject({ results: [{ success: true }] });
});

test('the upload script of the documentation uploads every lap file of a folder', async () => {
  const script = join(projectFolder, 'docs/guides/upload.sh');
  const written = await readFile(script, 'utf8');
  const endings = [...written.matchAll(/\*(\.[a-z]+)(?= \||\))/g)].map(([, ending]) => ending);
  expect(new Set(endings)).toEqual(new Set(LAP_FILE_EXTENSIONS));
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-script-'));
  const trackId = await insertKartTrack(app.db);
  const driver = await insertSignedIn(app.db);
  await writeFile(join(folder, 'LAPS.CSV'), kartCsv().content);
  await writeFile(join(folder, 'photo.jpg'), 'no lap file');
  const { headers } = await insertApiToken(app.db, driver.userId, ['upload']);
  const url = await app.fastify.listen({ host: '127.0.0.1', port: 0 });
  const environment = {
    ...process.env,
    PITBOARD_URL: url,
    PITBOARD_TOKEN: headers.authorization.slice('Bearer '.length),
    TRACK_ID: trackId,
  };
  const { stdout } = await promisify(execFile)('sh', [script], {
    cwd: folder,
    env: environment,
  });
  expect(stdout).toContain('"success":true');
  const { rows } = await query('SELECT count(*)::int AS count FROM sessions WHERE user_id = $1', [
    driver.userId,
  ]);
  expect(rows).toEqual([{ count: 1 }]);
  await rm(folder, { recursive: true });
});
