import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { expectHealthy, findPostmaster, listProcessesOf, onLinux, until } from './processes.ts';

let dataFolder: string;
let pitboard: Pitboard | undefined;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'pitboard-faults-'));
});
afterEach(async () => void (await pitboard?.stop()));
afterAll(() => rm(dataFolder, { recursive: true, force: true }));

onLinux('a server that is killed takes its database with it, and the next start opens it', async () => {
  pitboard = await startPitboard({ dataFolder });
  await pitboard.kill();
  await until(async () => (await listProcessesOf(dataFolder)).length === 0);
  pitboard = await pitboard.restart();
  await expectHealthy(pitboard);
});

onLinux('a server and its database that are killed together start again at once', async () => {
  pitboard = await startPitboard({ dataFolder });
  const { processId } = pitboard;
  const postmaster = await findPostmaster(dataFolder);
  process.kill(processId, 'SIGKILL');
  process.kill(postmaster, 'SIGKILL');
  pitboard = await pitboard.restart();
  await expectHealthy(pitboard);
});

onLinux('a server whose database is killed has it back in a moment', async () => {
  pitboard = await startPitboard({ dataFolder });
  const { url, output } = pitboard;
  const killed = await findPostmaster(dataFolder);
  process.kill(killed, 'SIGKILL');
  await until(async () => (await findPostmaster(dataFolder).catch(() => killed)) !== killed);
  await until(async () => (await fetch(`${url}/api/ready`)).ok);
  // The server is ready again a moment before it says so.
  await until(() => output().includes('The database ended unexpectedly and was started again'));
});

onLinux('the server goes on when its terminal is gone, and still logs errors to its file', async () => {
  pitboard = await startPitboard({ dataFolder });
  const { url, processId } = pitboard;
  const readLog = () => readFile(join(dataFolder, 'pitboard.log'), 'utf8');
  const logged = (await readLog()).length;
  pitboard.closeOutput();
  for (let count = 0; count < 3; count++) {
    const before = await findPostmaster(dataFolder);
    process.kill(before, 'SIGKILL'); // the server logs an error, which goes to the terminal too
    await until(async () => (await findPostmaster(dataFolder).catch(() => before)) !== before);
    await until(async () => (await fetch(`${url}/api/ready`)).ok);
  }
  process.kill(processId, 0); // throws where it has ended
  expect((await readLog()).slice(logged).match(/The database ended unexpectedly/g)).toHaveLength(3);
  expect(await pitboard.stop()).toBe(0);
});
