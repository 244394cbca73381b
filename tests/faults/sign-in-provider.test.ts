import { createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startClubProvider } from '#server/testing/club-provider.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { findFreePort } from '#server/kernel/process/free-port.ts';
import { call, cookiesOf } from './client.ts';

// A sign-in provider goes away and comes back.

let pitboard: Pitboard | undefined;
afterEach(async () => pitboard?.remove());

async function start(environment: Record<string, string>, port: number): Promise<Pitboard> {
  pitboard = await startPitboard({ environment, port });
  return pitboard;
}

test('a sign-in provider that is down, or takes calls and never answers: the server starts, and the login page says so', async () => {
  const port = await findFreePort();
  const club = await startClubProvider(`http://localhost:${port}/api/auth/callback`);
  const { issuer, clientId, clientSecret } = club.settings;
  const providerPort = Number(new URL(issuer).port);
  await club.close();
  const environment = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  const { url } = await start(environment, port);
  const login = async () => {
    const response = await fetch(`${url}/api/login?returnTo=/upload`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });
    return response.headers.get('location') ?? '';
  };
  expect(await login()).toBe('/login?error=unavailable&returnTo=%2Fupload');
  expect((await fetch(`${url}/api/tracks`)).status).toBe(200);

  const waiting = new Set<Socket>();
  const silent = createServer((socket) => void waiting.add(socket)).listen(providerPort, '127.0.0.1');
  expect(await login()).toBe('/login?error=unavailable&returnTo=%2Fupload');
  expect(waiting.size).toBe(1);
  for (const socket of waiting) socket.destroy();
  silent.close();
});

test('a sign-in provider that comes back, from before the start or in the middle of a sign-in: people sign in again, without a restart', async () => {
  const port = await findFreePort();
  const redirectUri = `http://localhost:${port}/api/auth/callback`;
  const first = await startClubProvider(redirectUri);
  const { issuer, clientId, clientSecret } = first.settings;
  const providerPort = Number(new URL(issuer).port);
  await first.close();
  const environment = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  const { url } = await start(environment, port);
  const begin = async () => {
    const response = await fetch(`${url}/api/login`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });
    return { address: response.headers.get('location') ?? '', cookie: cookiesOf(response) };
  };
  expect((await begin()).address).toBe('/login?error=unavailable');
  for (let times = 0; times < 2; times++) {
    const club = await startClubProvider(redirectUri, providerPort);
    const { address, cookie } = await begin();
    const signedIn = await finish(await club.visit(address), cookie);
    expect((await call({ url, cookie: cookiesOf(signedIn) }, 'GET', '/api/auth/user')).status).toBe(200);
    const other = await begin();
    const back = await club.visit(other.address);
    await club.close();
    const refused = await finish(back, other.cookie);
    expect(refused.headers.get('location')).toBe('/login?error=unavailable');
  }
});

const finish = (back: string, cookie: string) => fetch(back, { redirect: 'manual', headers: { cookie } });
