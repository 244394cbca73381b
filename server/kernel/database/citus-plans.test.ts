import { escapeLiteral, type PoolClient } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { insertTrack, insertUserCar } from '#server/testing/builders.ts';
import { insertKartUpload, type KartUpload } from '#server/testing/kart-upload.ts';
import { insertKartTrack, kartCsv } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { useTestDatabase } from '#server/testing/test-database.ts';

// How Citus answers calls: how many shards of the tables that are spread by track each of their statements asks.

const IS_CITUS = process.env['PITBOARD_TEST_CITUS'] !== undefined;

type Statement = { text: string; values: unknown[] };

describe.skipIf(!IS_CITUS)('on Citus', () => {
  const opened = useTestDatabase();
  const app = useTestApp(() => {
    opened.database.pool.on('connect', (client) => recordStatements(client, (one) => statements.push(one)));
    return { database: opened.database };
  });
  let upload: KartUpload;
  let statements: Statement[] = [];

  beforeAll(async () => {
    const trackId = await insertKartTrack(app.db);
    await insertTrack(app.db);
    upload = await insertKartUpload(app, trackId);
    await insertUserCar(app.db, { userId: upload.userId });
    await app.runJobs();
  });

  /** The shards that each statement of `call` asks, of those that ask any. */
  async function countShards(call: () => Promise<unknown>): Promise<[text: string, shards: number][]> {
    statements = [];
    await call();
    const called = statements.filter(({ text }) => /^\s*(select|insert|update|delete|with)\b/i.test(text));
    const counted: [string, number][] = [];
    for (const { text, values } of called) {
      const { rows } = await app.database.pool.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (COSTS OFF) ${text.replaceAll(/\$(\d+)/g, (_, number) => writeLiteral(values[number - 1]))}`,
      );
      const counts = rows.flatMap((row) => /Task Count: (\d+)/.exec(row['QUERY PLAN'])?.[1] ?? []);
      if (counts.length > 0) counted.push([text, Math.max(...counts.map(Number))]);
    }
    return counted;
  }

  const get = (url: string) => async () => {
    const response = await app.as(upload).get(url);
    expect([url, response.statusCode]).toEqual([url, 200]);
  };

  test.each([
    ['a board', () => get(`/api/laps/track/${upload.trackId}/best?limit=10`)],
    [
      'a board with a filter',
      () => get(`/api/laps/track/${upload.trackId}/best?limit=10&tire=rcomp&make=Audi`),
    ],
    ['a summary', () => get(`/api/laps/track/${upload.trackId}/summary`)],
    ['the options of filters', () => get(`/api/laps/track/${upload.trackId}/filter-options`)],
    ['the sectors of the record', () => get(`/api/laps/track/${upload.trackId}/record-sectors`)],
    ['the history of the record', () => get(`/api/laps/track/${upload.trackId}/record-history`)],
    ['a lap', () => get(upload.url)],
    ['the trace of a lap', () => get(`${upload.url}/trace`)],
    ['a comparison', () => get(`${upload.url}/comparison?with=${upload.nextLap.id}`)],
    ['the laps of a driver', () => get(`/api/tracks/${upload.trackId}/drivers/${upload.userId}/laps`)],
  ])('%s asks one shard', async (_name, call) => {
    const counted = await countShards(call());
    expect(counted.length).toBeGreaterThan(0);
    expect(counted.filter(([, shards]) => shards > 1)).toEqual([]);
  });

  test('an upload asks one shard, and so do its events', async () => {
    const driven = await countShards(async () => {
      const response = await app.as(upload).uploadLaps(upload.trackId, kartCsv());
      expect(response.json().results).toMatchObject([{ success: true }]);
    });
    expect(driven.filter(([, shards]) => shards > 1)).toEqual([]);
    expect(driven.some(([text]) => /insert into "laps"/i.test(text))).toBe(true);
  });

  // These calls read bests and sessions of one driver, or all tracks, by an index of every shard.
  test.each([
    ['the bests of a driver by car', 2, () => get(`/api/laps/user/${upload.userId}/by-car`)],
    ['the bests of a driver by track', 2, () => get(`/api/laps/user/${upload.userId}/by-track`)],
    ['the laps of a driver', 1, () => get(`/api/laps/user/${upload.userId}/total-count`)],
    ['the tracks', 4, () => get('/api/tracks')],
    ['the own sessions', 2, () => get(`/api/sessions/user/${upload.userId}`)],
  ])('%s asks all shards at most %i times', async (_name, most, call) => {
    const counted = await countShards(call());
    expect(counted.filter(([, shards]) => shards > 1).length).toBeLessThanOrEqual(most);
  });
});

// With parameters instead, Citus explains no statement that changes rows in several steps.
function writeLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Date) return escapeLiteral(value.toISOString());
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`;
  if (Array.isArray(value)) return escapeLiteral(`{${value.map((one) => JSON.stringify(one)).join()}}`);
  return escapeLiteral(typeof value === 'string' ? value : JSON.stringify(value));
}

function recordStatements(client: PoolClient, record: (statement: Statement) => void): void {
  const query: (...parameters: unknown[]) => unknown = client.query.bind(client);
  const recording = (...parameters: unknown[]): unknown => {
    const [given, values] = parameters;
    if (typeof given === 'object' && given !== null && 'text' in given && typeof given.text === 'string') {
      const own = 'values' in given && Array.isArray(given.values) ? given.values : values;
      if (!given.text.startsWith('EXPLAIN'))
        record({ text: given.text, values: Array.isArray(own) ? own : [] });
    }
    return query(...parameters);
  };
  Object.assign(client, { query: recording });
}
