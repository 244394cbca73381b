import type { Pool } from 'pg';
import { z } from 'zod';
import { type RaceEventId, raceEventIdSchema, type TrackId, trackIdSchema } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';

const trackIdRow = z.object({ id: trackIdSchema });

/** Lists every track, those with more entries first. */
export async function listTrackIds(pool: Pool): Promise<TrackId[]> {
  const rows = await queryRows(pool, trackIdRow, {
    name: 'list-track-ids',
    text: `SELECT id FROM tracks ORDER BY entry_count DESC, id LIMIT ${LIMITS.tracksMax}`,
  });
  return rows.map(({ id }) => id);
}

const EVENTS_MAX = 5_000;

const eventIdRow = z.object({ id: raceEventIdSchema });

/** Lists the events that everybody sees, the latest first. */
export async function listEventIds(pool: Pool): Promise<RaceEventId[]> {
  const rows = await queryRows(pool, eventIdRow, {
    name: 'list-event-ids',
    text: `SELECT id FROM race_events WHERE state <> 'draft' ORDER BY first_day DESC, id LIMIT ${EVENTS_MAX}`,
  });
  return rows.map(({ id }) => id);
}
