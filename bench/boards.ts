import type { OpenDatabase } from '#server/db/database.ts';
import { listBoard } from '#server/laps/board-store.ts';
import { BUSY_TRACK, openBoardDatabase } from './board-database.ts';
import { compareWithConstant } from './serving.ts';

// How fast the boards of a busy track are: made by the database, and served again while nothing has changed. What is
// served is set against the same server answering the same bytes from a constant, so that the figures are ratios.

const QUERY_RUNS = 31;

const QUERIES = [
  { name: 'page of 50', filter: {} },
  { name: 'page of 50, one race class', filter: { raceClass: 'GT' } },
  { name: 'page of 50, one tyre category', filter: { tire: 'rcomp' as const } },
  { name: 'page of 50, one make and tyre', filter: { make: 'Make 3', tire: 'rcomp' as const } },
  { name: 'page of 50, last month', filter: { timePeriod: '1-month' as const } },
];

export async function run(): Promise<void> {
  const { database, close } = await openBoardDatabase();
  try {
    console.log('Made by the database, of 57,000 laps by 2,500 drivers on one track:\n');
    console.log('| board | ms (median) |\n| --- | ---: |');
    for (const { name, filter } of QUERIES) {
      const page = { limit: 50, offset: 0, ownUserId: null };
      const medianMs = await median(() => listBoard(database.pool, BUSY_TRACK, filter, page));
      console.log(`| ${name} | ${medianMs.toFixed(1)} |`);
    }
    await measureServing(database);
  } finally {
    await close();
  }
}

async function median(task: () => Promise<unknown>): Promise<number> {
  const timesMs: number[] = [];
  for (let i = 0; i < QUERY_RUNS; i++) {
    const startMs = performance.now();
    await task();
    timesMs.push(performance.now() - startMs);
  }
  return timesMs.toSorted((a, b) => a - b)[Math.floor(QUERY_RUNS / 2)] ?? Number.NaN;
}

async function measureServing(database: OpenDatabase): Promise<void> {
  const path = `/api/laps/track/${BUSY_TRACK}/best?limit=50`;
  await compareWithConstant(database, { path, name: 'a board' });
}
