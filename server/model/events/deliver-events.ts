import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { type TrackId, trackIdSchema } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { makeNotices } from '#server/model/notices/make-notices.ts';
import { addWebhookDeliveries } from '#server/model/webhooks/add-deliveries.ts';
import type { NewEvent } from './event-kinds.ts';
import {
  deleteDelivered,
  insertEvents,
  listUndeliveredTracks,
  lockUndelivered,
  markDelivered,
} from './event-store.ts';

// The job has no key and no queue, because changes that add the same key would wait for each other.
const deliverEventsJob = defineJob({
  name: 'deliver-events',
  payload: z.object({ trackId: trackIdSchema }),
});

export const deleteOldEventsJob = defineJob({ name: 'forget-events', payload: z.object({}) });

/** Records the events of a track in the transaction of the change, and adds a job that delivers them. */
export async function recordEvents(
  tx: Database,
  trackId: TrackId,
  newEvents: readonly NewEvent[],
): Promise<void> {
  if (newEvents.length === 0) return;
  await insertEvents(tx, trackId, newEvents);
  await addJob(tx, deliverEventsJob, { trackId });
}

/** Adds jobs for events whose jobs are lost, such as after a move to another database. */
export async function addDeliveries(db: Database): Promise<void> {
  for (const trackId of await listUndeliveredTracks(db)) await addJob(db, deliverEventsJob, { trackId });
}

const EVENTS_PER_TRANSACTION = 100;

/**
 * Delivers the events of a track in their order: writes each to the log, and makes their notices and the deliveries to webhooks
 * in the transaction that marks the events as delivered. If the server is killed before the commit, the events are delivered and
 * logged again.
 */
export function deliverEvents({
  db,
  log,
  publicUrl,
}: {
  db: Database;
  log: FastifyBaseLogger;
  publicUrl: string;
}): JobHandler {
  return handleJob(deliverEventsJob, async ({ trackId }) => {
    let deliveredCount: number;
    do {
      deliveredCount = await db.transaction(async (tx) => {
        const events = await lockUndelivered(tx, trackId, EVENTS_PER_TRANSACTION);
        for (const { createdAt: _createdAt, ...event } of events) log.info({ event }, 'Event');
        if (events.length === 0) return 0;
        await makeNotices(tx, events);
        await addWebhookDeliveries(tx, events, publicUrl);
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

// The notices of an event are kept as long.
const DELIVERED_KEPT_DAYS = 90;

export function deleteOldEvents(db: Database): JobHandler {
  return handleJob(deleteOldEventsJob, () => deleteDelivered(db, DELIVERED_KEPT_DAYS));
}
