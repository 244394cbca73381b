import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest';
import { startClubProvider, type ClubProvider } from '#server/testing/club-provider.ts';
import { createTestBucket, TEST_S3_ENDPOINT } from '#server/testing/test-storage.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { until } from '../faults/processes.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { findFreePort } from '#server/kernel/process/free-port.ts';
import { countLaps, insertKartTrack, nextFile, send } from './drives.ts';
import { startLoadBalancer, type LoadBalancer } from './load-balancer.ts';
import { startCitusServers } from './citus-servers.ts';
import { startPostgresPair, type PostgresServer } from './postgres-pair.ts';

// Two copies of the server on one database, one object storage and one provider, behind a load balancer. In `npm run test:citus` the
// database is a Citus of three nodes.

const endpoint = TEST_S3_ENDPOINT;
const withStorage = test.skipIf(endpoint === null);

type SharedDatabase = Pick<PostgresServer, 'connectionString' | 'query'> & { remove: () => Promise<void> };

let database: SharedDatabase;
let club: ClubProvider;
let balancer: LoadBalancer;
let copies: [Pitboard, Pitboard];
let cookie: string;

beforeAll(async () => {
  if (endpoint === null) return;
  database = await startDatabase();
  const ports = [await findFreePort(), await findFreePort()] as const;
  balancer = await startLoadBalancer(ports);
  club = await startClubProvider(`${balancer.url}/api/auth/callback`);
  Object.assign(club.claims, { name: 'Ada Roth', email: 'ada@club.example', email_verified: true });
  const s3 = await createTestBucket(endpoint);
  const environment = {
    PUBLIC_URL: balancer.url,
    DATABASE_URL: database.connectionString,
    COOKIE_SECRET: 'a secret that both copies of the server know',
    OIDC_ISSUER: club.settings.issuer,
    OIDC_CLIENT_ID: club.settings.clientId,
    OIDC_CLIENT_SECRET: club.settings.clientSecret,
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_BUCKET: s3.bucket,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    DRAIN_SECONDS: '3',
  };
  // At the same moment, on an empty database; on Citus its tables are there and spread.
  const [first, second] = ports.map((port) => startPitboard({ port, environment }));
  if (!first || !second) throw new Error('There are two ports.');
  copies = await Promise.all([first, second]);
  await insertKartTrack(database);
  await until(() => balancer.readyPorts().length === 2);
  cookie = await signInAtClub();
});

beforeEach(() => {
  onTestFailed(() => console.log(copies.map((copy) => `A copy had said:\n${copy.output()}`).join('\n')));
});

afterAll(async () => {
  await Promise.all((copies ?? []).map((copy) => copy.remove()));
  await balancer?.close();
  await club?.close();
  await database?.remove();
});

async function startDatabase(): Promise<SharedDatabase> {
  const binFolder = process.env['PITBOARD_POSTGRES_BIN'];
  if (process.env['PITBOARD_TEST_CITUS'] !== undefined && binFolder !== undefined) {
    return await startCitusServers(binFolder);
  }
  const { primary, remove } = await startPostgresPair();
  return { ...primary, remove };
}

/** Signs in the way a browser does; the steps come to both copies in turn. */
async function signInAtClub(): Promise<string> {
  const begun = await fetch(`${balancer.url}/api/login?returnTo=/`, { redirect: 'manual' });
  const back = await club.visit(begun.headers.get('location') ?? '');
  const done = await fetch(back, { redirect: 'manual', headers: { cookie: cookiesOf(begun) } });
  expect(done.headers.get('location')).toBe('/');
  return cookiesOf(done);
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

withStorage('copies that start at the same moment bring the tables up to date once', async () => {
  const files = await readdir(join(projectFolder, 'server', 'kernel', 'database', 'migrations'));
  const rows = await database.query('SELECT FROM drizzle.__drizzle_migrations');
  expect(rows.length).toBe(files.filter((name) => name.endsWith('.sql')).length);
  const tracks = await database.query<{ count: number }>(
    "SELECT count(DISTINCT name || coalesce(configuration, '') || coalesce(location, ''))::int AS count FROM tracks",
  );
  expect(tracks[0]?.count).toBeGreaterThan(10);
});

withStorage('a sign-in holds at every copy, and ends at every copy', async () => {
  const other = await signInAtClub();
  const statusesOf = (cookie: string): Promise<number[]> =>
    Promise.all(
      copies.map(async ({ url }) => (await fetch(`${url}/api/auth/user`, { headers: { cookie } })).status),
    );
  expect(await statusesOf(other)).toEqual([200, 200]);
  const headers = { cookie: other, origin: balancer.url };
  expect((await fetch(`${copies[0].url}/api/logout`, { method: 'POST', headers })).status).toBe(200);
  expect(await statusesOf(other)).toEqual([401, 401]);
});

withStorage('what was uploaded at one copy is on the board of the other at once', async () => {
  let known = await countLaps(copies[1].url);
  for (let round = 0; round < 6; round++) {
    const [here, there] = round % 2 === 0 ? copies : [copies[1], copies[0]];
    expect(await send(here.url, cookie, nextFile(), balancer.url)).toHaveProperty('sessionId');
    const counted = await countLaps(there.url);
    expect(counted).toBeGreaterThan(known);
    expect(await countLaps(here.url)).toBe(counted);
    known = counted;
  }
});

const beginSignIn = async ({ url }: Pitboard): Promise<Response> =>
  fetch(`${url}/api/login`, { redirect: 'manual', headers: { 'x-forwarded-for': '203.0.113.9' } });

withStorage('copies count the calls of an address together', async () => {
  const limit = Number((await beginSignIn(copies[0])).headers.get('x-ratelimit-limit'));
  for (let count = 1; count < limit; count++) {
    expect((await beginSignIn(copies[count % 2 === 0 ? 0 : 1])).status).toBe(302);
  }
  expect([(await beginSignIn(copies[0])).status, (await beginSignIn(copies[1])).status]).toEqual([429, 429]);
});

withStorage('every copy is started again under load without a single failed request', async () => {
  const over = new AbortController();
  const failures: string[] = [];
  let requests = 0;
  const ask = async (path: string, init: RequestInit = {}): Promise<void> => {
    requests += 1;
    try {
      const response = await fetch(`${balancer.url}${path}`, init);
      const text = await response.text();
      if (!response.ok) failures.push(`${path}: ${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      failures.push(`${path}: ${String(error)}`);
    }
  };
  const repeat = async (act: () => Promise<void>): Promise<void> => {
    while (!over.signal.aborted) await act();
  };
  let acknowledged = 0;
  const upload = async (): Promise<void> => {
    requests += 1;
    const before = await countLaps(balancer.url);
    const sent = await send(balancer.url, cookie, nextFile());
    if ('sessionId' in sent) acknowledged += 1;
    else failures.push(JSON.stringify(sent));
    if ((await countLaps(balancer.url)) <= before) failures.push('a board without the new laps');
  };
  const preferences = JSON.stringify({ emailUpdates: true });
  const json = { cookie, origin: balancer.url, 'content-type': 'application/json' };
  const load = [
    repeat(() => ask('/api/tracks')),
    repeat(() => ask('/api/laps/track/kart-track/best?limit=10', { headers: { cookie } })),
    repeat(() => ask('/')),
    repeat(() => ask('/api/auth/user/preferences', { method: 'PATCH', headers: json, body: preferences })),
    repeat(upload),
  ];
  for (const index of [0, 1] as const) {
    const countBefore = acknowledged;
    await until(() => acknowledged >= countBefore + 2);
    copies[index] = await copies[index].restart();
    await until(() => balancer.readyPorts().length === 2);
  }
  const countBefore = acknowledged;
  await until(() => acknowledged >= countBefore + 2);
  over.abort();
  await Promise.all(load);
  expect(failures).toEqual([]);
  expect(Math.min(...balancer.counts.values())).toBeGreaterThan(0);
  console.log(`${requests} requests and ${acknowledged} uploads while both copies were started again.`);
});
