import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { Database } from '#server/kernel/database/database.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import type { NewEvent } from './event-kinds.ts';
import {
  forgetDelivered,
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

export const forgetEventsJob = defineJob({ name: 'forget-events', payload: z.object({}) });

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
 * Delivers events in the order in which they happened on their track: so far, each is a line in the log. One whose server is
 * killed before it is marked is delivered again.
 */
export function deliverEvents({ db, log }: { db: Database; log: FastifyBaseLogger }): JobHandler {
  return handleJob(deliverEventsJob, async ({ trackId }) => {
    let deliveredCount: number;
    do {
      deliveredCount = await db.transaction(async (tx) => {
        const events = await lockUndelivered(tx, trackId, EVENTS_PER_TRANSACTION);
        for (const { createdAt: _createdAt, ...event } of events) log.info({ event }, 'Event');
        if (events.length > 0)
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

// Long enough to look into what went wrong with a delivery.
const DELIVERED_KEPT_DAYS = 30;

export function forgetEvents(db: Database): JobHandler {
  return handleJob(forgetEventsJob, () => forgetDelivered(db, DELIVERED_KEPT_DAYS));
}
