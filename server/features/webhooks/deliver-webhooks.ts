import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#server/kernel/database/database.ts';
import { handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import { type PostOptions, postWebhook } from './post-webhook.ts';
import { BlockedAddressError } from '#server/kernel/http/public-address.ts';
import { ATTEMPTS_MAX, deliverWebhookJob } from '#server/model/webhooks/add-deliveries.ts';
import { findWaiting, updateDelivery } from '#server/model/webhooks/webhook-store.ts';

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
