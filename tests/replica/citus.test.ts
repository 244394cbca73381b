import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openDatabase, type OpenDatabase } from '#server/kernel/database/database.ts';
import { insertSignedIn } from '#server/testing/builders.ts';
import { inDatabase, runOn } from '#server/testing/citus-nodes.ts';
import { insertKartTrack, kartCsv } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { until } from '../faults/processes.ts';
import { type CitusServers, startCitusServers } from './citus-servers.ts';
import type { PostgresServer } from './postgres-pair.ts';

// A Citus whose nodes are killed and added while it is used. Part of `npm run test:citus`.

const binFolder = process.env['PITBOARD_POSTGRES_BIN'];
const onCitus = test.skipIf(process.env['PITBOARD_TEST_CITUS'] === undefined || binFolder === undefined);

let citus: CitusServers;
let database: OpenDatabase;

// The app closes before its database does.
afterAll(async () => {
  await database.close();
  await citus.remove();
});
const app = useTestApp(async () => {
  citus = await startCitusServers(binFolder ?? '');
  database = openDatabase(citus.connectionString);
  return { database };
});

/** A new track whose rows lie at this node. */
async function insertTrackAt({ port }: PostgresServer): Promise<string> {
  for (;;) {
    const id = await insertKartTrack(database.db);
    const { rows } = await database.pool.query<{ nodeport: number }>(
      "SELECT nodeport FROM citus_shards WHERE shardid = get_shard_id_for_distribution_column('tracks', $1::text)",
      [id],
    );
    if (rows[0]?.nodeport === port) return id;
  }
}

type Answer = { call: string; status: number; body: string };

// The server takes 120 uploads a minute of each driver, so drivers who take turns at this pace stay below on any machine.
const DRIVER_COUNT = 6;
const PAUSE_MS = 100;

/** Uploads to a track and reads its board, again and again. */
async function useTrack(trackId: string) {
  const drivers = await Promise.all(Array.from({ length: DRIVER_COUNT }, () => insertSignedIn(database.db)));
  let uploads = 0;
  const over = new AbortController();
  const answers: Answer[] = [];
  const sessionIds: string[] = [];
  const upload = async (): Promise<void> => {
    const driver = drivers[uploads++ % drivers.length];
    const headers = {
      ...driver?.headers,
      'x-forwarded-for': `10.1.${answers.length % 250}.${sessionIds.length % 250}`,
    };
    const response = await app.as({ headers }).uploadLaps(trackId, kartCsv());
    const { statusCode: status, body } = response;
    const result: unknown = status === 200 ? response.json().results[0] : null;
    const sessionId = readText(result, 'sessionId');
    if (sessionId) sessionIds.push(sessionId);
    const failed = readText(result, 'error');
    answers.push({ call: 'upload', status: status === 200 && failed ? 503 : status, body: failed ?? body });
    await sleep(PAUSE_MS);
  };
  const read = async (): Promise<void> => {
    const { statusCode: status, body } = await app.asGuest().get(`/api/laps/track/${trackId}/best?limit=10`);
    answers.push({ call: 'board', status, body });
  };
  const repeat = async (act: () => Promise<void>): Promise<void> => {
    while (!over.signal.aborted) await act();
  };
  const load = [repeat(upload), repeat(read)];
  return {
    answers,
    sessionIds,
    /** Waits until this many more uploads were acknowledged. */
    untilUploaded: async (count: number) => {
      const known = sessionIds.length;
      await until(() => sessionIds.length >= known + count);
    },
    end: async () => {
      over.abort();
      await Promise.all(load);
    },
  };
}

function readText(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null || !(name in value)) return undefined;
  const found: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}

const failuresIn = (answers: readonly Answer[]) => answers.filter(({ status }) => status !== 200);

/** Lists the acknowledged sessions that are not in the database with their laps. */
async function findLost(sessionIds: readonly string[]): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT DISTINCT sessions.id FROM sessions
     JOIN laps ON laps.track_id = sessions.track_id AND laps.session_id = sessions.id
     WHERE sessions.id = ANY($1::uuid[])`,
    [sessionIds],
  );
  const found = new Set(rows.map(({ id }) => id));
  return sessionIds.filter((id) => !found.has(id));
}

onCitus('a worker that is killed under load takes only its own tracks away, and loses nothing', async () => {
  const [, kept, killed] = citus.servers;
  if (!kept || !killed) throw new Error('There are two workers.');
  const here = await useTrack(await insertTrackAt(kept));
  const there = await useTrack(await insertTrackAt(killed));
  await here.untilUploaded(2);
  await there.untilUploaded(2);
  await killed.kill();
  await here.untilUploaded(3);
  await until(() => there.answers.some(({ call, status }) => call === 'board' && status === 503));
  await killed.start();
  await there.untilUploaded(2);
  await Promise.all([here.end(), there.end()]);
  expect(failuresIn(here.answers)).toEqual([]);
  const refused = failuresIn(there.answers);
  expect([...new Set(refused.map(({ status }) => status))]).toEqual([503]);
  for (const { body } of refused) expect(body).toContain('The database does not answer just now.');
  // Commits what was prepared when the node died; Citus does so every minute by itself.
  await database.pool.query('SELECT recover_prepared_transactions()');
  expect(await findLost([...here.sessionIds, ...there.sessionIds])).toEqual([]);
  console.log(
    `${here.answers.length} calls of a track at the other node went on, ${refused.length} of ${there.answers.length} of its own were refused with 503; ` +
      `${here.sessionIds.length + there.sessionIds.length} uploads acknowledged.`,
  );
});

onCitus('a node is added and shards move to it under load, without a failed call', async () => {
  const uses = await Promise.all(
    citus.servers.slice(1).map(async (server) => await useTrack(await insertTrackAt(server))),
  );
  for (const use of uses) await use.untilUploaded(1);
  const added = await citus.startNode('worker-3');
  await runOn(added.connectionString, 'CREATE DATABASE pitboard');
  await runOn(inDatabase(added.connectionString, 'pitboard'), 'CREATE EXTENSION citus');
  await runOn(citus.connectionString, `SELECT citus_add_node('127.0.0.1', ${added.port})`);
  await runOn(citus.connectionString, 'SELECT citus_rebalance_start()');
  await runOn(citus.connectionString, 'SELECT citus_rebalance_wait()');
  for (const use of uses) await use.untilUploaded(2);
  await Promise.all(uses.map((use) => use.end()));
  const { rows } = await database.pool.query<{ port: number; shards: number }>(
    `SELECT nodeport AS port, count(*)::int AS shards FROM citus_shards
     WHERE table_name = 'laps'::regclass GROUP BY nodeport ORDER BY shards`,
  );
  expect(rows.map(({ shards }) => shards)).toEqual([2, 2, 2]);
  expect(uses.flatMap(({ answers }) => failuresIn(answers))).toEqual([]);
  expect(await findLost(uses.flatMap(({ sessionIds }) => sessionIds))).toEqual([]);
  const calls = uses.flatMap(({ answers }) => answers).length;
  console.log(`${calls} calls while a node was added and a third of all shards moved to it.`);
});
