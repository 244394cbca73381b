import { and, arrayContains, arrayOverlaps, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { TrackId, UserId, WebhookDeliveryId, WebhookId } from '#contract/ids.ts';
import type { Webhook, WebhookDelivery } from '#contract/webhooks/schemas.ts';
import type { WebhookEvent } from '#contract/webhooks/labels.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { readAs } from '#server/kernel/database/query-rows.ts';
import { PERSON_NAME } from '#server/model/people/driver-name.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { webhookDeliveries, webhooks } from './schema.ts';

type StoredWebhook = typeof webhooks.$inferSelect;

function toAnswer({ id, url, events, format, isOn, createdAt }: StoredWebhook): Webhook {
  return { id, url, events, format, isOn, createdAt: createdAt.toISOString() };
}

export async function listWebhooks(db: Database, limit: number): Promise<Webhook[]> {
  const rows = await db
    .select()
    .from(webhooks)
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id))
    .limit(limit);
  return rows.map(toAnswer);
}

export async function countWebhooks(db: Database): Promise<number> {
  return await db.$count(webhooks);
}

export async function insertWebhook(db: Database, webhook: typeof webhooks.$inferInsert): Promise<Webhook> {
  const [row] = await db.insert(webhooks).values(webhook).returning();
  if (!row) throw new Error('The webhook was not inserted.');
  return toAnswer(row);
}

export async function findWebhook(db: Database, id: WebhookId): Promise<StoredWebhook | undefined> {
  const [row] = await db.select().from(webhooks).where(eq(webhooks.id, id));
  return row;
}

export async function setWebhookOn(db: Database, id: WebhookId, isOn: boolean): Promise<Webhook | undefined> {
  const [row] = await db.update(webhooks).set({ isOn }).where(eq(webhooks.id, id)).returning();
  return row && toAnswer(row);
}

export async function deleteWebhook(db: Database, id: WebhookId): Promise<Webhook | undefined> {
  const [row] = await db.delete(webhooks).where(eq(webhooks.id, id)).returning();
  return row && toAnswer(row);
}

/** Lists the webhooks that are on and want this kind of event. */
export async function listListening(db: Database, event: WebhookEvent): Promise<StoredWebhook[]> {
  return await db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.isOn, true), arrayContains(webhooks.events, [event])))
    .orderBy(asc(webhooks.id));
}

/** Inserts a delivery and returns its id; undefined where the webhook has a delivery of the event. */
export async function insertDelivery(
  tx: Database,
  delivery: typeof webhookDeliveries.$inferInsert,
): Promise<WebhookDeliveryId | undefined> {
  const [row] = await tx
    .insert(webhookDeliveries)
    .values(delivery)
    .onConflictDoNothing()
    .returning({ id: webhookDeliveries.id });
  return row?.id;
}

export async function findWaiting(db: Database, id: WebhookDeliveryId) {
  const [row] = await db
    .select({ delivery: webhookDeliveries, webhook: webhooks })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.state, 'waiting')));
  return row;
}

type Attempt = Pick<WebhookDelivery, 'state' | 'status' | 'lastError'>;

export async function updateDelivery(db: Database, id: WebhookDeliveryId, attempt: Attempt): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ ...attempt, attempts: sql`${webhookDeliveries.attempts} + 1` })
    .where(eq(webhookDeliveries.id, id));
}

export async function listDeliveries(db: Database, limit: number): Promise<WebhookDelivery[]> {
  const rows = await db.select().from(webhookDeliveries).orderBy(desc(webhookDeliveries.id)).limit(limit);
  return rows.map(({ id, webhookId, event, state, attempts, status, lastError, createdAt }) => ({
    id,
    webhookId,
    event,
    state,
    attempts,
    status,
    lastError,
    createdAt: createdAt.toISOString(),
  }));
}

export async function deleteOldDeliveries(db: Database, days: number): Promise<void> {
  await db
    .delete(webhookDeliveries)
    .where(lt(webhookDeliveries.createdAt, sql`now() - ${days}::int * interval '1 day'`));
}

/** Deletes the deliveries that name any of these users; those that wait are never sent. */
export async function deleteDeliveriesAbout(tx: Database, userIds: readonly UserId[]): Promise<void> {
  await tx.delete(webhookDeliveries).where(arrayOverlaps(webhookDeliveries.userIds, [...userIds]));
}

/** Finds the names for a message: that of the track, and those of drivers by their ids, as on boards. */
export async function findNames(
  db: Database,
  trackId: TrackId,
  userIds: readonly UserId[],
): Promise<{ track: string; users: Map<string, string> }> {
  const [track] = await db.select({ name: tracks.name }).from(tracks).where(eq(tracks.id, trackId));
  const rows = await db
    .select({ id: users.id, name: readAs(z.string().nullable(), sql.raw(PERSON_NAME)) })
    .from(users)
    .where(inArray(users.id, [...userIds]));
  return {
    track: track?.name ?? 'a track',
    users: new Map(rows.map(({ id, name }) => [id, name ?? 'A driver'])),
  };
}

/** Marks all waiting deliveries as failed, with the reason. */
export async function giveUpDeliveries(tx: Database, lastError: string): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ state: 'failed', lastError })
    .where(eq(webhookDeliveries.state, 'waiting'));
}
