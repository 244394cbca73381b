import { readdir, readFile } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Pitboard } from '../pitboard.ts';

/** Is for tests that look for processes, which are found under /proc. */
export const onLinux = test.skipIf(process.platform !== 'linux');

// A busy machine is slow, not wrong.
const PATIENCE_MS = 60_000;

/** Numbers of the processes whose command line names `folder`: those of a database in it and of the shell that guards it. */
export async function listProcessesOf(folder: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => ''); // it has ended since
    if (command.includes(folder)) found.push(Number(name));
  }
  return found;
}

/** The number of the PostgreSQL server that has its database in `dataFolder`. */
export async function findPostmaster(dataFolder: string): Promise<number> {
  const file = await readFile(`${dataFolder}/database/postmaster.pid`, 'utf8');
  return Number(file.split('\n', 1)[0]);
}

/** Waits until a folder is empty: a job may work in it for a moment. */
export async function untilEmpty(folder: string): Promise<void> {
  await until(async () => (await readdir(folder)).length === 0);
}

/** Waits until `condition` holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAtMs = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (Date.now() > giveUpAtMs) throw new Error(`Waited in vain for: ${condition.toString()}`);
    await sleep(20);
  }
}

export async function expectHealthy({ url }: Pitboard): Promise<void> {
  expect((await fetch(`${url}/api/health`)).status).toBe(200);
}
