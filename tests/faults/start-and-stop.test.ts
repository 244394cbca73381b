import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { startPitboard, type Pitboard } from '../e2e/pitboard.ts';
import { findPostmaster, listProcessesOf, until } from './processes.ts';

// Processes are found under /proc.
const onLinux = test.skipIf(process.platform !== 'linux');

let pitboard: Pitboard | undefined;

afterEach(() => pitboard?.remove());

async function expectHealthy({ url }: Pitboard): Promise<void> {
  expect((await fetch(`${url}/api/health`)).status).toBe(200);
}

onLinux('a stopped server leaves no process, exits well and starts again on its data', async () => {
  pitboard = await startPitboard();
  expect(await pitboard.stop()).toBe(0);
  expect(await listProcessesOf(pitboard.dataFolder)).toEqual([]);
  expect(await readdir(pitboard.dataFolder)).not.toContain('running.json');
  pitboard = await pitboard.restart();
  await expectHealthy(pitboard);
});

onLinux('a server that is killed takes its database with it, and the next start opens it', async () => {
  pitboard = await startPitboard();
  const { dataFolder } = pitboard;
  await pitboard.kill();
  await until(async () => (await listProcessesOf(dataFolder)).length === 0);
  pitboard = await pitboard.restart();
  await expectHealthy(pitboard);
});

onLinux('a server and its database that are killed together start again at once', async () => {
  pitboard = await startPitboard();
  const { dataFolder, processId } = pitboard;
  const postmaster = await findPostmaster(dataFolder);
  process.kill(processId, 'SIGKILL');
  process.kill(postmaster, 'SIGKILL');
  pitboard = await pitboard.restart();
  await expectHealthy(pitboard);
});

onLinux('a server whose database is killed has it back in a moment', async () => {
  pitboard = await startPitboard();
  const { dataFolder, url } = pitboard;
  process.kill(await findPostmaster(dataFolder), 'SIGKILL');
  await until(async () => !(await fetch(`${url}/api/health`)).ok);
  await until(async () => (await fetch(`${url}/api/health`)).ok);
  expect(pitboard.output()).toContain('The database ended unexpectedly and was started again');
});

test('a second start on the same folder is refused in one sentence and leaves the first alone', async () => {
  pitboard = await startPitboard();
  const { dataFolder, processId, url } = pitboard;
  await expect(startPitboard({ dataFolder })).rejects.toThrow(
    `Pitboard is already running on ${dataFolder}: process ${processId} at ${url}. Stop it first, or name another folder in PITBOARD_DATA.\n`,
  );
  await expectHealthy(pitboard);
});

test('a port that is taken is told in one sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(startPitboard({ port })).rejects.toThrow(
    `Port ${port} is in use by another program. Choose another port, for example PORT=${port + 1} npm start.\n`,
  );
  other.close();
});
