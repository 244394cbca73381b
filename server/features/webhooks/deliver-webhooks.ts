import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { UserId } from '#contract/ids.ts';
import type { StoredEvent } from '#server/model/events/event-kinds.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { type PostOptions, postWebhook } from './post-webhook.ts';
import { BlockedAddressError } from './public-address.ts';
import {
  findNames,
  findWaiting,
  insertDelivery,
  listListening,
  updateDelivery,
} from '#server/model/webhooks/webhook-store.ts';
import { isPublicEvent, type PublicEvent, writeMessage, writeTestMessage } from './write-message.ts';

// Pauses grow from 3 seconds: eight attempts take an hour and a half.
const ATTEMPTS_MAX = 8;

const deliverWebhookJob = defineJob({
  name: 'deliver-webhook',
  payload: z.object({ deliveryId: z.int() }),
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
  { id, format }: { id: string; format: 'pitboard' | 'discord' },
  publicUrl: string,
): Promise<void> {
  await addDelivery(tx, { webhookId: id, event: 'test', body: writeTestMessage(format, publicUrl) });
}

type DeliverDeps = { db: Database; log: FastifyBaseLogger; post: PostOptions };

export function deliverWebhooks({ db, log, post }: DeliverDeps): JobHandler {
  return handleJob(deliverWebhookJob, async ({ deliveryId }) => {
    const found = await findWaiting(db, deliveryId);
    if (!found) return;
    const { delivery, webhook } = found;
    if (!webhook.isOn && delivery.event !== 'test') {
      const lastError = 'The webhook was switched off.';
      await updateDelivery(db, deliveryId, { state: 'failed', status: null, lastError });
      return;
    }
    const body = JSON.stringify(delivery.body);
    const outcome = await attempt({ url: webhook.url, secret: webhook.secret, body }, post);
    const isLast = outcome.isFinal || delivery.attempts + 1 >= ATTEMPTS_MAX;
    const { problem, status } = outcome;
    const state = problem === null ? 'delivered' : isLast ? 'failed' : 'waiting';
    await updateDelivery(db, deliveryId, { state, status, lastError: problem });
    // The URL of a webhook is a secret of its owner, so the log has the id of the webhook.
    if (state === 'failed') log.warn({ webhookId: webhook.id, problem }, 'A webhook could not be delivered');
    // The queue retries a job that throws.
    if (state === 'waiting') throw new Error(problem ?? 'The webhook was not delivered.');
  });
}

type Outcome = { status: number | null; problem: string | null; isFinal: boolean };

async function attempt(call: Parameters<typeof postWebhook>[0], post: PostOptions): Promise<Outcome> {
  try {
    const status = await postWebhook(call, post);
    if (status >= 200 && status < 300) return { status, problem: null, isFinal: true };
    const isRedirect = status >= 300 && status < 400;
    const problem = isRedirect
      ? `It answered ${status}; redirects are not followed.`
      : `It answered ${status}.`;
    return { status, problem, isFinal: isRedirect || status === 410 };
  } catch (error) {
    const problem = explainFailure(error);
    return { status: null, problem, isFinal: error instanceof BlockedAddressError };
  }
}

const SENTENCES: Record<string, string> = {
  ENOTFOUND: 'There is no server with this name.',
  EAI_AGAIN: 'The name of the server cannot be looked up at the moment.',
  ECONNREFUSED: 'The server refuses the connection.',
};

/** Explains why a message did not arrive: a sentence for administrators for known errors, else the message of the error. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return ('code' in error && SENTENCES[String(error.code)]) || error.message;
}
