import { expect, test } from 'vitest';
import { projectFolder } from './install.mjs';
import { findBreaches, readSources } from './structure.ts';

const RULES = [
  'Nothing checks this claim',
  'Make the schema of a row once',
  'RANKING_STATUS_LIST',
  'PERSON_NAME',
];

function breachesOf(sources: ReadonlyMap<string, string>): string[] {
  return findBreaches(sources).filter((breach) => RULES.some((rule) => breach.includes(rule)));
}

test.each([
  'const { rows } = await pool.query<Row>(TEXT);',
  'const { rows } = await tx.execute<Row>(sql`SELECT 1`);',
  'const total = sql<number>`count(*)`;',
  'const [row] = await queryRows(pool, z.object({ count: z.int() }), { text });',
  "const text = `SELECT id FROM laps WHERE status IN ('valid', 'warning')`;",
  'const text = `SELECT coalesce(users.display_name, users.full_name) FROM users`;',
  'const name = sql`coalesce(${users.displayName}, ${users.fullName})`;',
])('a store may not write %s', (text) => {
  expect(breachesOf(new Map([['server/model/laps/lap-store.ts', text]]))).toHaveLength(1);
});

test('the rows of all queries of the server are parsed, and rules in SQL are written once', () => {
  const sources = readSources(projectFolder);
  expect(sources.size).toBeGreaterThan(500);
  expect(breachesOf(sources)).toEqual([]);
});
