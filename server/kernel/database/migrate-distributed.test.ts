import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { createCitusDatabase, runOn } from '#server/testing/citus-nodes.ts';
import { dropDatabase } from '#server/testing/test-database.ts';
import { distribute } from './distribute.ts';
import { DISTRIBUTION, findSpread } from './distribution.ts';
import { migrate } from './migrate.ts';

// The start of a new version on a database that `npm run distribute` has spread over nodes.

const onCitus = test.skipIf(process.env['PITBOARD_TEST_CITUS'] === undefined);
// Earlier versions could not be distributed.
const FIRST_DISTRIBUTED = '0034_keys_across_nodes';
const SHARD_COUNT = 4;
const INSERT_TRACK =
  "INSERT INTO tracks (id, name, status, radius_meters, center_lat, center_lon, sectors, time_zone) VALUES ('ring', 'Ring', 'official', 900, 51, 1, '[]', 'UTC')";

const journalSchema = z.looseObject({
  entries: z.array(z.looseObject({ tag: z.string(), when: z.number(), idx: z.number() })),
});

let folder: string;
let name: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pitboard-migrations-'));
  name = `test_${randomBytes(6).toString('hex')}`;
  await cp(join(projectFolder, 'server', 'kernel', 'database', 'migrations'), folder, { recursive: true });
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await dropDatabase(inject('testServers'), name);
});

type Journal = z.infer<typeof journalSchema>;

async function changeJournal(change: (journal: Journal) => Journal['entries']): Promise<void> {
  const path = join(folder, 'meta', '_journal.json');
  const journal = journalSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  await writeFile(path, JSON.stringify({ ...journal, entries: change(journal) }));
}

function listSpread(database: string) {
  return runOn(
    database,
    `SELECT logicalrelid::text AS name, partmethod AS method, repmodel AS model FROM pg_dist_partition
     WHERE partmethod <> 'n' OR repmodel = 't' ORDER BY 1`,
  );
}

onCitus('a database that was distributed by an earlier version is brought up to date', async () => {
  const database = await createCitusDatabase(inject('testServers'), name);
  await changeJournal(({ entries }) =>
    entries.slice(0, 1 + entries.findIndex(({ tag }) => tag === FIRST_DISTRIBUTED)),
  );
  await migrate(database, folder);
  await runOn(database, INSERT_TRACK);
  await runOn(database, "INSERT INTO users (issuer, subject) VALUES ('test', '1')");
  expect((await distribute(database, SHARD_COUNT)).tables).toContain('laps');
  for (const table of ['tracks', 'users']) {
    // The rows are where they were spread to, and no longer on the coordinator too.
    const rows = await runOn(
      database,
      `SELECT count(*)::int, pg_relation_size('${table}')::int AS left FROM ${table}`,
    );
    expect(rows).toEqual([{ count: 1, left: 0 }]);
  }
  await migrate(database);
  expect(await distribute(database, SHARD_COUNT)).toEqual({ tables: [], droppedKeys: [] });
  const spread = (await listSpread(database)).map((row) => String(row['name']));
  const due = Object.keys(DISTRIBUTION).filter((table) => findSpread(table) !== 'coordinator');
  expect(spread.toSorted()).toEqual(due.toSorted());
});

onCitus('a new version adds columns to spread tables, and tables that refer to them', async () => {
  const database = await createCitusDatabase(inject('testServers'), name);
  // This table and a column of laps seem to be new: they are made after the others were spread.
  await migrate(database, folder);
  await runOn(database, 'DROP TABLE corner_names');
  await distribute(database, SHARD_COUNT);
  await writeFile(
    join(folder, '9999_new.sql'),
    `CREATE TABLE "corner_names" (
       "track_id" text NOT NULL, "number" integer NOT NULL, "user_id" uuid,
       CONSTRAINT "corner_names_pkey" PRIMARY KEY ("track_id", "number"));
     --> statement-breakpoint
     ALTER TABLE "corner_names" ADD CONSTRAINT "new_track_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade;
     --> statement-breakpoint
     ALTER TABLE "corner_names" ADD CONSTRAINT "new_user_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade;
     --> statement-breakpoint
     ALTER TABLE "laps" ADD COLUMN "new_column" integer DEFAULT 7 NOT NULL;
     --> statement-breakpoint
     CREATE INDEX "laps_new_index" ON "laps" ("track_id", "new_column");`,
  );
  await changeJournal(({ entries }) => {
    const last = entries.at(-1);
    if (!last) throw new Error('There are migrations.');
    return [...entries, { ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_new' }];
  });
  await migrate(database, folder);
  await migrate(database, folder);
  expect(await listSpread(database)).toContainEqual({ name: 'corner_names', method: 'h', model: 's' });
  await runOn(database, INSERT_TRACK);
  await runOn(database, "INSERT INTO corner_names (track_id, number) VALUES ('ring', 1)");
  await expect(
    runOn(database, "INSERT INTO corner_names (track_id, number) VALUES ('none', 1)"),
  ).rejects.toThrow('foreign key');
  expect(await runOn(database, 'SELECT new_column FROM laps')).toEqual([]);
});
