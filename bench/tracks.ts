import { once } from 'node:events';
import { IncomingMessage, request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { z } from 'zod';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { listedOutline } from '#server/model/tracks/thin-outline.ts';
import { openBoardDatabase } from './board-database.ts';
import { compareWithConstant, openBenchApp, findPort } from './serving.ts';

// This measures how fast the list of all tracks is answered when there are thousands: as it was, and after an entry was
// added somewhere.

const TRACKS = 5_000;
const RUNS = 31;
const NS_PER_MS = 1e6;

export async function run(): Promise<void> {
  const { database, close } = await openBoardDatabase();
  try {
    await insertTracks(database);
    await measureAnswers(database);
    await compareWithConstant(database, { path: '/api/tracks', name: 'a list' });
  } finally {
    await close();
  }
}

/** Returns tracks with outlines as long as those of real circuits, each a little different. */
async function insertTracks({ pool }: OpenDatabase): Promise<void> {
  const outlines = Array.from({ length: 50 }, (_, index) => JSON.stringify(listedOutline(circuit(index))));
  await pool.query(
    `INSERT INTO tracks (id, name, location, configuration, country, length_meters, status, radius_meters, center_lat, center_lon,
       start_finish_line, sectors, thin_outline, time_zone, entry_count)
     SELECT 'track-' || n, 'Track ' || n, 'Town ' || n % 700, 'Layout ' || n % 3, 'Germany', 3000 + n % 2000, 'official', 900,
       50 + n / 1000.0, 8, '{"a":{"lat":50.12345,"lon":8.12345},"b":{"lat":50.12355,"lon":8.12335},"bearingDeg":90}', '[]',
       ($1::text[])[1 + n % 50]::jsonb, 'Europe/Berlin', n % 40
     FROM generate_series(1, ${TRACKS}) AS n`,
    [outlines],
  );
  await pool.query('VACUUM ANALYZE tracks');
}

function circuit(shape: number): [number, number][] {
  return Array.from({ length: 401 }, (_, index) => {
    const angle = ((index % 400) / 200) * Math.PI;
    const radius = 0.008 + 0.002 * Math.sin((2 + (shape % 5)) * angle) + 0.001 * Math.sin(9 * angle + shape);
    return [50 + radius * Math.sin(angle), 8 + 1.5 * radius * Math.cos(angle)];
  });
}

async function measureAnswers(database: OpenDatabase): Promise<void> {
  const { app, close } = await openBenchApp(database);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const ask = () => get(findPort(app), '/api/tracks');
  await ask();
  const unchanged = await measure(ask);
  const changed = await measure(ask, () =>
    database.pool.query(`UPDATE tracks SET entry_count = entry_count + 1 WHERE id = 'track-1'`),
  );
  console.log(`The list of ${TRACKS} tracks, in milliseconds:\n`);
  console.log('| answer | median | 95th percentile | longest hold of the event loop |');
  console.log('| --- | ---: | ---: | ---: |');
  console.log(`| nothing has changed | ${unchanged} |\n| an entry was added before each | ${changed} |`);
  await close();
}

/** Asks as browsers do, and leaves the answer compressed: taking it apart is not the server's work. */
async function get(port: number, path: string): Promise<void> {
  const call = request({ host: '127.0.0.1', port, path, headers: { 'accept-encoding': 'gzip' } }).end();
  const [response] = z.tuple([z.instanceof(IncomingMessage)]).parse(await once(call, 'response'));
  response.resume();
  await once(response, 'end');
}

async function measure(ask: () => Promise<unknown>, before?: () => Promise<unknown>): Promise<string> {
  const timesMs: number[] = [];
  const loopDelay = monitorEventLoopDelay({ resolution: 1 });
  for (let i = 0; i < RUNS; i++) {
    await before?.();
    loopDelay.enable();
    const startMs = performance.now();
    await ask();
    timesMs.push(performance.now() - startMs);
    loopDelay.disable();
  }
  timesMs.sort((a, b) => a - b);
  const at = (share: number) => timesMs[Math.floor(RUNS * share)] ?? Number.NaN;
  return [at(0.5), at(0.95), loopDelay.max / NS_PER_MS].map((ms) => ms.toFixed(1)).join(' | ');
}
