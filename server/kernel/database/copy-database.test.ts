import { expect, test } from 'vitest';
import { insertSession, insertTrack, insertUser } from '#server/testing/builders.ts';
import { createTestDatabase, openTestDatabase } from '#server/testing/test-database.ts';
import { copyDatabase } from './copy-database.ts';
import { openDatabase } from './database.ts';

test('events and lap ids move to another database, where new events get numbers of their own', async () => {
  const from = await openTestDatabase();
  const to = await createTestDatabase();
  const { db } = from.database;
  const trackId = await insertTrack(db);
  await insertSession(db, { trackId, userId: await insertUser(db), laps: [{ lapTimeMs: 60_000 }] });
  await copyDatabase({ from: from.connectionString, to: to.connectionString }, () => undefined);
  const copied = openDatabase(to.connectionString);
  const read = async (database: typeof copied) => [
    (await database.pool.query('SELECT id FROM laps ORDER BY id')).rows,
    (await database.pool.query('SELECT id, kind FROM events ORDER BY id')).rows,
  ];
  expect(await read(copied)).toEqual(await read(from.database));
  await insertSession(copied.db, {
    trackId,
    userId: await insertUser(copied.db),
    laps: [{ lapTimeMs: 59_000 }],
  });
  expect((await read(copied))[1]).toHaveLength(5);
  await copied.close();
  await to.drop();
  await from.close();
});
