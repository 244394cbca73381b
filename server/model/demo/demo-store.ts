import { ne } from 'drizzle-orm';
import type { Database } from '#server/kernel/database/database.ts';
import { sessions } from '#server/model/laps/schema.ts';
import { demoCommunity } from './schema.ts';

export type DemoRow = typeof demoCommunity.$inferSelect;

/** Finds the state of the demo community; undefined where there never was one. */
export async function findDemo(db: Database): Promise<DemoRow | undefined> {
  const [row] = await db.select().from(demoCommunity);
  return row;
}

/** Finds the state of the demo community and locks it until the end of the transaction, so that a removal waits. */
export async function findDemoForShare(tx: Database): Promise<DemoRow | undefined> {
  const [row] = await tx.select().from(demoCommunity).for('share');
  return row;
}

/** Begins a demo community if the database has no laps. */
export async function beginDemo(db: Database, beganAt: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const [driven] = await tx.select({ id: sessions.id }).from(sessions).limit(1);
    if (driven) return;
    await tx.insert(demoCommunity).values({ state: 'preparing', beganAt }).onConflictDoNothing();
  });
}

/** Marks the demo community as ready; returns false where it was removed meanwhile. */
export async function finishDemo(db: Database): Promise<boolean> {
  return await setState(db, 'ready');
}

/** Stops the preparation and every later start of the community; returns false where there is none to remove. */
export async function markDemoRemoved(db: Database): Promise<boolean> {
  return await setState(db, 'removed');
}

async function setState(db: Database, state: DemoRow['state']): Promise<boolean> {
  const rows = await db
    .update(demoCommunity)
    .set({ state })
    .where(ne(demoCommunity.state, 'removed'))
    .returning({ state: demoCommunity.state });
  return rows.length > 0;
}
