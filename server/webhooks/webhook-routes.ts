import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { webhookEndpoints } from '#contract/webhooks.ts';
import { WEBHOOKS_MAX } from '#contract/webhook-labels.ts';
import { insertAuditEntry } from '#server/audit/audit-store.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { addTestDelivery } from './deliver-webhooks.ts';
import {
  countWebhooks,
  findWebhook,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  setWebhookOn,
} from './webhook-store.ts';

const LIMIT = { callsPerMinute: 60 };
const DELIVERIES_SHOWN = 50;
const SECRET_BYTES = 32;

const noSuchWebhook = () => new AppError('not_found', 'There is no such webhook.');

/** Administrators say where other programs hear of events, and see what came of it. */
export function mountWebhookRoutes(
  app: FastifyInstance,
  { database: { db }, settings }: { database: OpenDatabase; settings: { publicUrl: string } },
): void {
  serve(app, webhookEndpoints.list, async () => ({
    webhooks: await listWebhooks(db, WEBHOOKS_MAX),
    deliveries: await listDeliveries(db, DELIVERIES_SHOWN),
  }));

  serve(
    app,
    webhookEndpoints.create,
    async ({ viewer, body }) => {
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      return await db.transaction(async (tx) => {
        if ((await countWebhooks(tx)) >= WEBHOOKS_MAX)
          throw new AppError('conflict', `There can be ${WEBHOOKS_MAX} webhooks. Remove one first.`);
        const events = [...new Set(body.events)];
        const webhook = await insertWebhook(tx, { ...body, events, secret, createdBy: viewer.id });
        const entry = { userId: viewer.id, action: 'add-webhook' as const, subject: webhook.id, counts: {} };
        await insertAuditEntry(tx, entry);
        return { ...webhook, secret };
      });
    },
    LIMIT,
  );

  serve(app, webhookEndpoints.change, async ({ params: { webhookId }, body: { isOn } }) => {
    const webhook = await setWebhookOn(db, webhookId, isOn);
    if (!webhook) throw noSuchWebhook();
    return webhook;
  });

  serve(app, webhookEndpoints.remove, async ({ viewer, params: { webhookId } }) => {
    await db.transaction(async (tx) => {
      if (!(await removeWebhook(tx, webhookId))) throw noSuchWebhook();
      const entry = { userId: viewer.id, action: 'remove-webhook' as const, subject: webhookId, counts: {} };
      await insertAuditEntry(tx, entry);
    });
    return { removed: true as const };
  });

  serve(
    app,
    webhookEndpoints.test,
    async ({ params: { webhookId } }) => {
      const webhook = await findWebhook(db, webhookId);
      if (!webhook) throw noSuchWebhook();
      await addTestDelivery(db, webhook, settings.publicUrl);
      return { started: true as const };
    },
    LIMIT,
  );
}
