import { expect, test } from 'vitest';
import { z } from 'zod';
import { startClubProvider } from '#server/testing/club-provider.ts';
import { startPitboard } from '../pitboard.ts';
import { findFreePort } from '#server/kernel/process/free-port.ts';
import { call, cookiesOf } from './client.ts';
import { openDatabaseElsewhere, openObjectStorage } from './elsewhere.ts';

const addressSchema = z.object({ uploadURL: z.url() });

test('no secret ever comes into a log, not even of the finest level: neither of the settings nor of anybody signed in', async () => {
  const database = await openDatabaseElsewhere();
  const storage = await openObjectStorage('laps');
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const club = await startClubProvider(`${url}/api/auth/callback`);
  Object.assign(club.claims, { name: 'Ana Li', email: 'ana@private.example', email_verified: true });
  const databaseUrl = database.url.replace(/^(postgres(?:ql)?:\/\/)([^:@/]*)@/, '$1$2:a-database-password@');
  const environment = {
    LOG_LEVEL: 'trace',
    DRAIN_SECONDS: '0',
    DATABASE_URL: databaseUrl,
    COOKIE_SECRET: 'a secret of cookies that is long enough',
    OIDC_ISSUER: club.settings.issuer,
    OIDC_CLIENT_ID: club.settings.clientId,
    OIDC_CLIENT_SECRET: club.settings.clientSecret,
    S3_ENDPOINT: storage.url,
    S3_REGION: 'here',
    S3_BUCKET: 'laps',
    S3_ACCESS_KEY_ID: 'a-storage-key-id',
    S3_SECRET_ACCESS_KEY: 'a-storage-secret-key',
  };
  const pitboard = await startPitboard({ port, environment });
  const login = await fetch(`${url}/api/login`, { redirect: 'manual' });
  const attempt = cookiesOf(login);
  const back = await club.visit(login.headers.get('location') ?? '');
  const signedIn = await fetch(back, { redirect: 'manual', headers: { cookie: attempt } });
  const cookie = cookiesOf(signedIn);
  const client = { url, cookie };
  expect((await call(client, 'GET', '/api/auth/user')).status).toBe(200);
  const given = await call(client, 'POST', '/api/objects/upload');
  await call(client, 'PATCH', '/api/auth/user/preferences', { displayName: 7 });
  await call(client, 'GET', `/api/none?token=a-token-in-a-query`);
  // Errors tell of their causes, with all that these carry.
  await database.stop();
  await call(client, 'GET', '/api/user-cars');
  storage.mood = 500;
  await call(client, 'POST', '/api/objects/upload');
  await fetch(back, { redirect: 'manual', headers: { cookie: attempt } });
  await pitboard.stop();

  const log = pitboard.output();
  const code = new URL(back).searchParams.get('code') ?? '';
  const signature = new URL(addressSchema.parse(given.body).uploadURL).searchParams.get('X-Amz-Signature');
  expect(log.split('\n').length).toBeGreaterThan(20);
  expect(code.length).toBeGreaterThan(10);
  for (const pair of [...cookie.split('; '), ...attempt.split('; ')])
    expect(log).not.toContain(pair.slice(pair.indexOf('=') + 1));
  for (const secret of [code, signature, 'a-token-in-a-query', 'a-database-password', 'ana@private.example'])
    expect(log).not.toContain(secret);
  for (const name of ['COOKIE_SECRET', 'OIDC_CLIENT_SECRET', 'S3_SECRET_ACCESS_KEY'] as const)
    expect(log).not.toContain(environment[name]);

  await pitboard.remove();
  await Promise.all([club.close(), storage.close(), database.remove()]);
});
