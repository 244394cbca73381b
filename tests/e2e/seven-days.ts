import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type APIRequestContext } from '@playwright/test';
import { Client } from 'pg';
import { z } from 'zod';
import type { Pitboard } from '../pitboard.ts';

// A driver who deletes the account is gone after seven days: tests move the clock.

const runningSchema = z.object({ connectionString: z.string() });
const userSchema = z.object({
  displayName: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
});

/**
 * Deletes the account of who is signed in, if anybody is; it is only hidden until the seven days have passed. Returns the first and last
 * name of who has left; null where the server deleted no account.
 */
export async function leave(calls: APIRequestContext, url: string): Promise<string | null> {
  const answer = await calls.get(`${url}/api/auth/user`);
  if (!answer.ok()) return null;
  const { displayName, firstName, lastName } = userSchema.parse(await answer.json());
  const fullName = [firstName, lastName].filter(Boolean).join(' ');
  const deletion = await calls.delete(`${url}/api/account`, {
    headers: { origin: url },
    data: { name: displayName ?? (fullName || 'User') },
  });
  return deletion.ok() ? fullName : null;
}

/** Lets the seven days of all drivers who leave pass, and waits until the server has deleted them. */
export async function passSevenDays({ dataFolder }: Pitboard): Promise<void> {
  const running: unknown = JSON.parse(await readFile(join(dataFolder, 'running.json'), 'utf8'));
  const client = new Client({ connectionString: runningSchema.parse(running).connectionString });
  await client.connect();
  try {
    await client.query(`UPDATE users SET deletion_due_at = now() WHERE deletion_due_at IS NOT NULL`);
    await client.query(`SELECT graphile_worker.add_job('delete-due-people')`);
    const countLeft = async () =>
      (await client.query('SELECT FROM users WHERE deletion_due_at IS NOT NULL')).rowCount;
    await expect.poll(countLeft, { timeout: 20_000, intervals: [50] }).toBe(0);
  } finally {
    await client.end();
  }
}
