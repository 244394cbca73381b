import { sql } from 'drizzle-orm';
import { pruneDeletedSessions } from '#server/model/laps/prune-deleted-sessions.ts';
import { deletedSessions } from '#server/model/laps/schema.ts';
import type { TestApp } from './test-app.ts';

/** Lets the minute pass in which deleted sessions can be restored. */
export async function passMinute({ db, storage }: Pick<TestApp, 'db' | 'storage'>): Promise<void> {
  await db.update(deletedSessions).set({ deletedAt: sql`now() - interval '66 seconds'` });
  await pruneDeletedSessions({ db, storage });
}
