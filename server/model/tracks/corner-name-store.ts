import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { TrackId } from '#contract/ids.ts';
import type { CornerName } from '#engine/comparison/name-corners.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { cornerNames } from './schema.ts';

const namesSchema = z.array(z.object({ name: z.string(), lat: z.number(), lon: z.number() }));

export async function listCornerNames(db: Database, trackId: TrackId): Promise<CornerName[]> {
  const [row] = await db
    .select({ names: cornerNames.names })
    .from(cornerNames)
    .where(eq(cornerNames.trackId, trackId));
  return row ? namesSchema.parse(row.names) : [];
}

export async function storeCornerNames(db: Database, trackId: TrackId, names: CornerName[]): Promise<void> {
  await db
    .insert(cornerNames)
    .values({ trackId, names })
    .onConflictDoUpdate({ target: cornerNames.trackId, set: { names } });
}
