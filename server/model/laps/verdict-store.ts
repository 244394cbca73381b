import { and, eq } from 'drizzle-orm';
import type { Database } from '#server/kernel/database/database.ts';
import { laps } from './schema.ts';

/** Holds a lap's status with its reasons, and the status without its driver's choice and a verdict. */
export type LapVerdict = Pick<
  typeof laps.$inferSelect,
  'trackId' | 'id' | 'status' | 'reasons' | 'leftOutStatus' | 'rejectedStatus'
>;

/** Stores what a moderator decided on a lap. Call it within `changeLaps`. */
export async function updateVerdict(
  tx: Database,
  { trackId, id, status, reasons, leftOutStatus, rejectedStatus }: LapVerdict,
): Promise<void> {
  await tx
    .update(laps)
    .set({ status, reasons, leftOutStatus, rejectedStatus })
    .where(and(eq(laps.trackId, trackId), eq(laps.id, id)));
}
