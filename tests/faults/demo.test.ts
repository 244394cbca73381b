import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { demoStatusSchema, type DemoStatus } from '#contract/demo/schemas.ts';
import { findRunningServer } from '#server/kernel/files/data-folder.ts';
import { planSeason } from '#server/features/demo/season.ts';
import { type Pitboard, startPitboard } from '../pitboard.ts';

const PATIENCE_MS = 240_000;
const POLL_MS = 100;

let pitboard: Pitboard;

beforeAll(async () => {
  pitboard = await startPitboard({ environment: { PITBOARD_DEMO: 'on' } });
});
afterAll(() => pitboard.remove());

async function askStatus(): Promise<DemoStatus> {
  return demoStatusSchema.parse(await (await fetch(`${pitboard.url}/api/demo`)).json());
}

async function untilStatus(isReached: (status: DemoStatus) => boolean): Promise<DemoStatus> {
  for (let status = await askStatus(); ; status = await askStatus()) {
    if (isReached(status)) return status;
    await sleep(POLL_MS);
  }
}

async function countSessions(): Promise<number> {
  const running = await findRunningServer(pitboard.dataFolder);
  const client = new Client({ connectionString: running?.connectionString ?? '' });
  await client.connect();
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM sessions');
  await client.end();
  return rows[0]?.count ?? 0;
}

async function countDrivenTracks(): Promise<number> {
  const answer = await (await fetch(`${pitboard.url}/api/tracks`)).json();
  const tracks = z.array(z.object({ entryCount: z.int() })).parse(answer);
  return tracks.filter(({ entryCount }) => entryCount > 0).length;
}

test(
  'a first start brings a demo community that outlives being killed in the middle, and nothing once it was removed',
  async () => {
    const planned = planSeason(new Date()).flatMap(({ sessions }) => sessions).length;

    const underWay = await untilStatus(({ driversDone }) => driversDone >= 3);
    expect(underWay.state).toBe('preparing');
    expect(await (await fetch(pitboard.url)).text()).toMatch(
      /Preparing the demo community… \d+ of 60 drivers/,
    );
    await pitboard.kill();
    pitboard = await pitboard.restart();
    await untilStatus(({ state }) => state === 'ready');
    expect(await countSessions()).toBe(planned);
    expect(await countDrivenTracks()).toBe(20);
    expect(await (await fetch(pitboard.url)).text()).toContain(
      'You are looking at a demo community: invented drivers, simulated laps.',
    );

    pitboard = await pitboard.restart();
    expect((await askStatus()).state).toBe('ready');
    expect(await countSessions()).toBe(planned);

    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['dist/server/commands/demo-command.js', 'remove'],
      {
        env: { ...process.env, PITBOARD_DATA: pitboard.dataFolder },
      },
    );
    expect(stdout).toBe(
      `The demo community is gone: 60 drivers with ${planned} sessions. It will not come back.\n`,
    );
    expect((await askStatus()).state).toBe('none');
    pitboard = await pitboard.restart();
    expect((await askStatus()).state).toBe('none');
    expect(await countSessions()).toBe(0);
    expect(await countDrivenTracks()).toBe(0);
    expect(await (await fetch(pitboard.url)).text()).not.toContain('aria-label="Demo"');
  },
  PATIENCE_MS,
);
