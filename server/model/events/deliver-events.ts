import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { Database } from '#server/kernel/database/database.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import type { NewEvent, StoredEvent } from './event-kinds.ts';
import {
  deleteDelivered,
  insertEvents,
  listUndeliveredTracks,
  lockUndelivered,
  markDelivered,
} from './event-store.ts';

// Without key and queue: changes that add the same one would wait for each other.
const deliverEventsJob = defineJob({
  name: 'deliver-events',
  payload: z.object({ trackId: z.string() }),
});

export const deleteOldEventsJob = defineJob({ name: 'forget-events', payload: z.object({}) });

/** Records what happened on a track, in the transaction that changes it, and has it delivered afterwards. */
export async function recordEvents(
  tx: Database,
  trackId: string,
  newEvents: readonly NewEvent[],
): Promise<void> {
  if (newEvents.length === 0) return;
  await insertEvents(tx, trackId, newEvents);
  await addJob(tx, deliverEventsJob, { trackId });
}

/** Adds jobs for events whose jobs are lost, as after a move to another database. */
export async function addDeliveries(db: Database): Promise<void> {
  for (const trackId of await listUndeliveredTracks(db)) await addJob(db, deliverEventsJob, { trackId });
}

const EVENTS_PER_TRANSACTION = 100;

/**
 * Delivers events in the order in which they happened on their track, each as a line in the log and to `deliver`, whose changes are
 * made in the transaction that marks them. An event whose server is killed before that is delivered again,
 * and has its line again where the transaction is.
 */
export function deliverEvents({
  db,
  log,
  deliver,
}: {
  db: Database;
  log: FastifyBaseLogger;
  deliver: (tx: Database, events: readonly StoredEvent[]) => Promise<void>;
}): JobHandler {
  return handleJob(deliverEventsJob, async ({ trackId }) => {
    let deliveredCount: number;
    do {
      deliveredCount = await db.transaction(async (tx) => {
        const events = await lockUndelivered(tx, trackId, EVENTS_PER_TRANSACTION);
        for (const { createdAt: _createdAt, ...event } of events) log.info({ event }, 'Event');
        if (events.length === 0) return 0;
        await deliver(tx, events);
        await markDelivered(
          tx,
          trackId,
          events.map(({ id }) => id),
        );
        return events.length;
      });
    } while (deliveredCount === EVENTS_PER_TRANSACTION);
  });
}

// The notices that were made of them go with them.
const DELIVERED_KEPT_DAYS = 90;

export function deleteOldEvents(db: Database): JobHandler {
  return handleJob(deleteOldEventsJob, () => deleteDelivered(db, DELIVERED_KEPT_DAYS));
}
