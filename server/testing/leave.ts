import type { LightMyRequestResponse } from 'fastify';
import { eq, sql } from 'drizzle-orm';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { deleteOldCallCounts } from '#server/kernel/rate-limits/call-count-store.ts';
import { deleteDuePeopleJob } from '#server/model/people/delete-people.ts';
import { findDeletion } from '#server/model/people/deletion-store.ts';
import { users } from '#server/model/people/schema.ts';
import type { SignedIn } from './builders.ts';
import type { TestApp } from './test-app.ts';

/** Sends the call with which a driver deletes the account, with the right name. */
export async function leave(app: TestApp, { userId, headers }: SignedIn): Promise<LightMyRequestResponse> {
  const deletion = await findDeletion(app.db, userId);
  return await app.as({ headers }).send('DELETE', '/api/account', { name: deletion?.name ?? '' });
}

/** Lets the seven days of all drivers who leave pass. */
export async function passSevenDays(app: TestApp): Promise<void> {
  await app.db
    .update(users)
    .set({ deletionDueAt: sql`deletion_due_at - interval '7 days'` })
    .where(sql`${users.deletionDueAt} IS NOT NULL`);
  // The counts of calls are pruned every hour.
  await app.database.pool.query("UPDATE call_counts SET ends_at = ends_at - interval '7 days'");
  await deleteOldCallCounts(app.database.pool);
  await addJob(app.db, deleteDuePeopleJob, {});
  await app.runJobs();
}

/** Deletes the account of a driver for good, as after the seven days. */
export async function deleteForGood(app: TestApp, driver: SignedIn): Promise<void> {
  const response = await leave(app, driver);
  if (response.statusCode !== 200) throw new Error(`The account was not deleted: ${response.body}`);
  await passSevenDays(app);
  const left = await app.db.$count(users, eq(users.id, driver.userId));
  if (left > 0) throw new Error('The account was not deleted.');
}
