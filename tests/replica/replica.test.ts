import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest';
import { signIn } from '../faults/client.ts';
import { until } from '../faults/processes.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { countLaps, insertKartTrack, nextFile, send, type Sent } from './drives.ts';
import { startForwarder, type Forwarder } from './forwarder.ts';
import { startPostgresPair, type PostgresPair } from './postgres-pair.ts';

// One server on a primary with a streaming replica, both real. The tests build on each other: the last one kills the primary.

let pair: PostgresPair;
let forwarder: Forwarder;
let pitboard: Pitboard;
let cookies: { theo: string; priya: string; jonas: string };

beforeAll(async () => {
  pair = await startPostgresPair();
  forwarder = await startForwarder(pair.primary.port);
  pitboard = await startPitboard({
    environment: {
      DATABASE_URL: pair.primary.connectionString.replace(/:\d+\//, `:${forwarder.port}/`),
      DATABASE_REPLICA_URL: pair.replica.connectionString,
      COOKIE_SECRET: 'a secret that only the tests of replicas know',
      DRAIN_SECONDS: '0',
    },
  });
  await insertKartTrack(pair.primary);
  const { url } = pitboard;
  cookies = {
    theo: await signIn(url, 'theo.okafor'),
    priya: await signIn(url, 'priya.venkat'),
    jonas: await signIn(url, 'jonas.weidner'),
  };
});

beforeEach(() => {
  onTestFailed(() => console.log(`The server had said:\n${pitboard.output()}`));
});

afterAll(async () => {
  await pitboard?.remove();
  await forwarder?.close();
  await pair?.remove();
});

/** Waits until the replica shows everything that the primary has acknowledged. */
async function untilReplayed(): Promise<void> {
  const [now] = await pair.primary.query<{ position: string }>(
    'SELECT pg_current_wal_lsn()::text AS position',
  );
  await until(async () => {
    const [row] = await pair.replica.query<{ isThere: boolean }>(
      'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS "isThere"',
      [now?.position],
    );
    return row?.isThere === true;
  });
}

async function uploadFor(cookie: string): Promise<void> {
  expect(await send(pitboard.url, cookie, nextFile())).toHaveProperty('sessionId');
}

test('while the replica lags, guests read what it knows, and drivers what they just did', async () => {
  const { url } = pitboard;
  await uploadFor(cookies.theo);
  await untilReplayed();
  const before = await countLaps(url);
  expect(before).toBeGreaterThan(0);

  await pair.replica.query('SELECT pg_wal_replay_pause()');
  await uploadFor(cookies.theo);
  const after = await countLaps(url, cookies.theo);
  expect(after).toBeGreaterThan(before);
  expect(await countLaps(url)).toBe(before);
  // Signed in, and without a change since the replica stood still.
  expect(await countLaps(url, cookies.jonas)).toBe(before);
  // The same driver on another device.
  expect(await countLaps(url, await signIn(url, 'theo.okafor'))).toBe(after);

  await pair.replica.query('SELECT pg_wal_replay_resume()');
  await until(async () => (await countLaps(url)) === after);
  expect(await countLaps(url, cookies.theo)).toBe(after);
});

test('what a driver has seen of others does not vanish again while the replica catches up', async () => {
  const { url } = pitboard;
  await untilReplayed();
  const before = await countLaps(url);
  await pair.replica.query('SELECT pg_wal_replay_pause()');
  await uploadFor(cookies.theo);
  await uploadFor(cookies.priya);
  const seen = await countLaps(url, cookies.theo);
  expect(await countLaps(url)).toBe(before);

  await pair.replica.query('SELECT pg_wal_replay_resume()');
  const counts: number[] = [];
  await until(async () => {
    counts.push(await countLaps(url, cookies.theo));
    return (await countLaps(url)) === seen;
  });
  expect(new Set(counts)).toEqual(new Set([seen]));
});

test('without its replica the server reads from the primary, and from the replica when that is back', async () => {
  const { url } = pitboard;
  // The only synchronous replica is about to go: no commit may wait for it.
  await pair.setSynchronous(false);
  await pair.replica.kill();
  const before = await countLaps(url);
  await uploadFor(cookies.priya);
  expect(await countLaps(url)).toBeGreaterThan(before);
  expect(pitboard.output()).toContain('The replica cannot be used; reads go to the primary');

  await pair.replica.start();
  await untilReplayed();
  await pair.replica.query('SELECT pg_wal_replay_pause()');
  await uploadFor(cookies.priya);
  const known = await countLaps(url, cookies.priya);
  await until(async () => (await countLaps(url)) < known);
  await pair.replica.query('SELECT pg_wal_replay_resume()');
  await pair.setSynchronous(true);
});

test('the primary is killed under load and the replica promoted: nothing acknowledged is lost, and all goes on by itself', async () => {
  const { url } = pitboard;
  const acknowledged: string[] = [];
  const failures: Sent[] = [];
  const over = new AbortController();
  const drive = async (cookie: string): Promise<void> => {
    while (!over.signal.aborted) {
      const sent = await send(url, cookie, nextFile());
      if ('sessionId' in sent) acknowledged.push(sent.sessionId);
      else failures.push(sent);
    }
  };
  const statuses = new Set<number>();
  const read = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const response = await fetch(`${url}/api/tracks`, { headers: { cookie: cookies.theo } });
      statuses.add(response.status);
      await response.text();
    }
  };
  const load = [...Object.values(cookies).map(drive), read()];
  await until(() => acknowledged.length >= 8);

  await pair.primary.kill();
  const countBefore = acknowledged.length;
  await until(() => failures.length >= 3);
  await pair.replica.query('SELECT pg_promote()');
  // Connections to a server that is no primary yet would be refused; this one is by now.
  forwarder.moveTo(pair.replica.port);
  await until(() => acknowledged.length >= countBefore + 8);
  over.abort();
  await Promise.all(load);

  const rows = await pair.replica.query<{ id: string }>(
    'SELECT id FROM sessions WHERE EXISTS (SELECT FROM laps WHERE session_id = sessions.id)',
  );
  const stored = new Set(rows.map(({ id }) => id));
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  // Each failure is an answer that says so, and none is a bug.
  expect(failures.filter((sent) => !isAway(sent))).toEqual([]);
  expect([...statuses].filter((status) => ![200, 503].includes(status))).toEqual([]);
  expect((await fetch(`${url}/api/ready`)).status).toBe(200);
  console.log(`${acknowledged.length} uploads acknowledged, ${failures.length} refused around the failover.`);
});

function isAway(sent: Sent): boolean {
  return 'status' in sent && /database does not answer/.test(sent.body);
}
