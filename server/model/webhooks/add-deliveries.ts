import { z } from 'zod';
import { type UserId, webhookDeliveryIdSchema, type WebhookId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { defineJob } from '#server/kernel/jobs/job.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import type { StoredEvent } from '#server/model/events/event-kinds.ts';
import { findNames, insertDelivery, listListening } from './webhook-store.ts';
import { isPublicEvent, type PublicEvent, writeMessage, writeTestMessage } from './write-message.ts';

// Pauses grow from 3 seconds: eight attempts take an hour and a half.
export const ATTEMPTS_MAX = 8;

export const deliverWebhookJob = defineJob({
  name: 'deliver-webhook',
  payload: z.object({ deliveryId: webhookDeliveryIdSchema }),
  attemptsMax: ATTEMPTS_MAX,
});

/** Adds one delivery of each event for each webhook that wants it; they start when the transaction is committed. */
export async function addWebhookDeliveries(
  tx: Database,
  events: readonly StoredEvent[],
  publicUrl: string,
): Promise<void> {
  for (const event of events.filter(isPublicEvent)) {
    const listening = await listListening(tx, event.kind);
    if (listening.length === 0) continue;
    const { userId, otherUserId } = event;
    const userIds = otherUserId === null ? [userId] : [userId, otherUserId];
    const names = await nameAll(tx, event, userIds);
    for (const webhook of listening) {
      const body = writeMessage(event, { ...names, publicUrl }, webhook.format);
      const { kind, trackId, id: eventId } = event;
      await addDelivery(tx, { webhookId: webhook.id, event: kind, trackId, eventId, userIds, body });
    }
  }
}

async function nameAll(tx: Database, { trackId, userId, otherUserId }: PublicEvent, userIds: UserId[]) {
  const names = await findNames(tx, trackId, userIds);
  return {
    track: names.track,
    driver: names.users.get(userId) ?? 'A driver',
    otherDriver: otherUserId === null ? null : (names.users.get(otherUserId) ?? 'A driver'),
  };
}

async function addDelivery(tx: Database, delivery: Parameters<typeof insertDelivery>[1]): Promise<void> {
  const deliveryId = await insertDelivery(tx, delivery);
  if (deliveryId !== undefined) await addJob(tx, deliverWebhookJob, { deliveryId });
}

/** Sends a test message to a webhook, even to a disabled one. */
export async function addTestDelivery(
  tx: Database,
  { id, format }: { id: WebhookId; format: 'pitboard' | 'discord' },
  publicUrl: string,
): Promise<void> {
  await addDelivery(tx, { webhookId: id, event: 'test', body: writeTestMessage(format, publicUrl) });
}
