import { randomBytes } from 'node:crypto';
import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { type Webhook, webhookEndpoints } from '#contract/webhooks/schemas.ts';
import { WEBHOOKS_MAX } from '#contract/webhooks/labels.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { AuditDetails } from '#server/kernel/http/endpoint-hooks.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { type AddressRules, BLOCKED_SENTENCE, isBlockedHost } from '#server/kernel/http/public-address.ts';
import { addTestDelivery } from '#server/model/webhooks/add-deliveries.ts';
import {
  countWebhooks,
  findWebhook,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  deleteWebhook,
  setWebhookOn,
} from '#server/model/webhooks/webhook-store.ts';

const DELIVERIES_SHOWN = 50;
const SECRET_BYTES = 32;

/** Refuses a URL that no delivery can reach. Each delivery resolves the host again. @throws AppError */
function checkAddress(url: string, rules: AddressRules): void {
  if (!isBlockedHost(new URL(url).hostname, rules)) return;
  throw new AppError('invalid_input', BLOCKED_SENTENCE, { fields: { url: BLOCKED_SENTENCE } });
}

const describeState = (isOn: boolean | null) => (isOn === null ? null : isOn ? 'on' : 'off');

/** Describes a change of a webhook by the host of its URL: the rest of the URL may be a secret. */
function describeChange({ id, url }: Webhook, before: boolean | null, after: boolean | null): AuditDetails {
  return { subject: id, changes: { [new URL(url).host]: [describeState(before), describeState(after)] } };
}

export function mountWebhookRoutes(app: FastifyInstance, { database: { db }, settings }: Services): void {
  serve(app, webhookEndpoints.list, async () => ({
    webhooks: await listWebhooks(db, WEBHOOKS_MAX),
    deliveries: await listDeliveries(db, DELIVERIES_SHOWN),
  }));

  serve(app, webhookEndpoints.create, async ({ viewer, body, audit }) => {
    checkAddress(body.url, { allowsLoopback: settings.webhookLoopback });
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    return await db.transaction(async (tx) => {
      if ((await countWebhooks(tx)) >= WEBHOOKS_MAX)
        throw new AppError('conflict', `There can be ${WEBHOOKS_MAX} webhooks. Remove one first.`);
      const events = [...new Set(body.events)];
      const webhook = await insertWebhook(tx, { ...body, events, secret, createdBy: viewer.id });
      await audit(tx, describeChange(webhook, null, webhook.isOn));
      return { ...webhook, secret };
    });
  });

  serve(app, webhookEndpoints.change, async ({ params: { webhookId }, body: { isOn }, audit }) =>
    db.transaction(async (tx) => {
      const before = found(await findWebhook(tx, webhookId), webhookEndpoints.change);
      const webhook = found(await setWebhookOn(tx, webhookId, isOn), webhookEndpoints.change);
      if (before.isOn !== isOn) await audit(tx, describeChange(webhook, before.isOn, isOn));
      return webhook;
    }),
  );

  serve(app, webhookEndpoints.remove, async ({ params: { webhookId }, audit }) => {
    await db.transaction(async (tx) => {
      const webhook = found(await deleteWebhook(tx, webhookId), webhookEndpoints.remove);
      await audit(tx, describeChange(webhook, webhook.isOn, null));
    });
    return { removed: true as const };
  });

  serve(app, webhookEndpoints.test, async ({ params: { webhookId } }) => {
    const webhook = found(await findWebhook(db, webhookId), webhookEndpoints.test);
    await addTestDelivery(db, webhook, settings.publicUrl);
    return { started: true as const };
  });
}
