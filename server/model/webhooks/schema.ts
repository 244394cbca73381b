import { bigint, boolean, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { EventId, TrackId, UserId, WebhookDeliveryId, WebhookId } from '#contract/ids.ts';
import { instant } from '#server/kernel/database/columns.ts';
import type { DELIVERY_STATES, WebhookEvent, WebhookFormat } from '#contract/webhooks/labels.ts';
import { users } from '#server/model/people/schema.ts';

/** Holds the addresses of other programs to which the server posts events. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid('id').primaryKey().$type<WebhookId>().defaultRandom(),
    url: text('url').notNull(),
    events: text('events').array().$type<WebhookEvent[]>().notNull(),
    format: text('format').$type<WebhookFormat>().notNull(),
    /** Signs each message, so it is stored as plain text. */
    secret: text('secret').notNull(),
    isOn: boolean('is_on').notNull().default(true),
    createdBy: uuid('created_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [index('webhooks_created_by_index').on(table.createdBy)],
);

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: bigint('id', { mode: 'number' })
      .primaryKey()
      .$type<WebhookDeliveryId>()
      .generatedByDefaultAsIdentity(),
    webhookId: uuid('webhook_id')
      .$type<WebhookId>()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    event: text('event').$type<WebhookEvent | 'test'>().notNull(),
    /** The track of the event; null for a test. */
    trackId: text('track_id').$type<TrackId>(),
    eventId: bigint('event_id', { mode: 'number' }).$type<EventId>(),
    /** The users whom the message names or may name; it is deleted with each of them. */
    userIds: uuid('user_ids').array().$type<UserId[]>().notNull().default([]),
    body: jsonb('body').notNull(),
    state: text('state').$type<(typeof DELIVERY_STATES)[number]>().notNull().default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    status: integer('status'),
    lastError: text('last_error'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('webhook_deliveries_event_key').on(table.webhookId, table.trackId, table.eventId),
    index('webhook_deliveries_created_index').on(table.createdAt),
  ],
);
