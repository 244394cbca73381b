import { z } from 'zod';
import { webhookDeliveryIdSchema, webhookIdSchema } from '#contract/ids.ts';
import { endpoint, NOT_RECENT } from '#contract/endpoint.ts';
import { LIMITS } from '#contract/limits.ts';
import { momentSchema } from '#contract/values.ts';
import { DELIVERY_STATES, WEBHOOK_EVENTS, WEBHOOK_FORMATS, WEBHOOKS_MAX } from './labels.ts';

const webhookSchema = z.object({
  id: webhookIdSchema,
  url: z.string().meta({ examples: ['https://hooks.example.org/pitboard'] }),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  format: z.enum(WEBHOOK_FORMATS),
  isOn: z.boolean(),
  createdAt: momentSchema,
});

export type Webhook = z.infer<typeof webhookSchema>;

const deliverySchema = z.object({
  id: webhookDeliveryIdSchema,
  webhookId: webhookIdSchema,
  event: z.enum([...WEBHOOK_EVENTS, 'test']),
  state: z.enum(DELIVERY_STATES).meta({ description: '`waiting`: not tried yet, or tried again later.' }),
  attempts: z.int().nonnegative(),
  status: z.int().nullable().meta({ description: 'The HTTP status of the last answer; null without one.' }),
  lastError: z.string().nullable(),
  createdAt: momentSchema,
});

export type WebhookDelivery = z.infer<typeof deliverySchema>;

const params = z.object({ webhookId: webhookIdSchema });
const NO_SUCH_WEBHOOK = { not_found: 'There is no such webhook.' };

export const webhookEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/webhooks',
    access: 'admin',
    summary: 'All webhooks, oldest first, and the last 50 deliveries, latest first.',
    response: z.object({ webhooks: z.array(webhookSchema), deliveries: z.array(deliverySchema) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/admin/webhooks',
    access: 'admin',
    limit: 60,
    audit: 'add-webhook',
    recentSignIn: 'Sign in again to add a webhook.',
    summary: `Adds a webhook. There can be ${WEBHOOKS_MAX} of them.`,
    body: z.object({
      url: z
        .url({ protocol: /^https?$/, error: 'Enter an address that starts with https:// or http://.' })
        .max(LIMITS.urlCharactersMax)
        .regex(/^[^:]+:\/\/[^/?#\\@]+(?:[/?#\\]|$)/, 'Leave out the user name.')
        .meta({ examples: ['https://hooks.example.org/pitboard'] }),
      events: z
        .array(z.enum(WEBHOOK_EVENTS))
        .min(1, 'Choose at least one kind of event.')
        .max(WEBHOOK_EVENTS.length),
      format: z.enum(WEBHOOK_FORMATS),
    }),
    response: webhookSchema.extend({
      secret: z.string().meta({ description: 'Signs the requests; shown only once.' }),
    }),
    errors: {
      conflict: 'There are as many webhooks as there can be.',
      ...NOT_RECENT,
    },
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/admin/webhooks/:webhookId',
    access: 'admin',
    audit: 'change-webhook',
    recentSignIn: 'Sign in again to switch a webhook on or off.',
    summary: 'Switches a webhook on or off. Pending deliveries of a disabled webhook are not sent.',
    params,
    body: z.object({ isOn: z.boolean() }),
    response: webhookSchema,
    errors: { ...NO_SUCH_WEBHOOK, ...NOT_RECENT },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/admin/webhooks/:webhookId',
    access: 'admin',
    audit: 'remove-webhook',
    recentSignIn: 'Sign in again to remove a webhook.',
    summary: 'Removes a webhook with its log.',
    params,
    response: z.object({ removed: z.literal(true) }),
    errors: { ...NO_SUCH_WEBHOOK, ...NOT_RECENT },
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/admin/webhooks/:webhookId/test',
    access: 'admin',
    limit: 60,
    summary: 'Sends a test message in the background; the log shows the result.',
    params,
    response: z.object({ started: z.literal(true) }),
    errors: NO_SUCH_WEBHOOK,
  }),
};
