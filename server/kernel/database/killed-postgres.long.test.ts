import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { openDatabase } from './database.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { readPostmasterFile } from './postgres-cluster.ts';

const PATIENCE_MS = 60_000;

let parent: string;
let folder: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'pitboard-postgres-'));
  folder = join(parent, 'database');
});

afterEach(() => rm(parent, { recursive: true, force: true }));

/** A process with a database in which it writes all the time. */
type Writer = {
  process: ChildProcess;
  /** Everything that it printed so far: 'ready', 'restarted' and the numbers of acknowledged rows. */
  lines: string[];
  postmasterId: number;
  /** The shell between the two. */
  guardId: number;
};

async function startWriter(): Promise<Writer> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(projectFolder, 'server/testing/postgres-writer.ts'), folder],
    { cwd: projectFolder, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  await until(() => acknowledged(lines).length >= 20);
  const postmaster = await readPostmasterFile(folder);
  if (postmaster === null) throw new Error('PostgreSQL is not running.');
  const guardId = await parentOf(postmaster.processId);
  return { process: child, lines, postmasterId: postmaster.processId, guardId };
}

function acknowledged(lines: readonly string[]): number[] {
  return lines.map(Number).filter((number) => number > 0);
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAtMs = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (Date.now() > giveUpAtMs) throw new Error(`Waited in vain for: ${condition.toString()}`);
    await sleep(20);
  }
}

async function parentOf(processId: number): Promise<number> {
  const text = await readFile(`/proc/${processId}/stat`, 'utf8');
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
}

/** The processes that work inside the database's folder: PostgreSQL's, all of them. */
async function listPostgresProcesses(): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir('/proc')) {
    const command = /^\d+$/.test(name) ? await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '') : '';
    if (command.includes(folder) && !command.includes('postgres-writer')) found.push(`${name} ${command}`);
  }
  return found;
}

async function readWritten(): Promise<Set<number>> {
  const postgres = await startEmbeddedPostgres({ folder });
  const database = openDatabase(postgres.connectionString);
  const { rows } = await database.pool.query<{ number: string }>('SELECT number FROM written');
  await database.close();
  await postgres.stop();
  return new Set(rows.map(({ number }) => Number(number)));
}

async function expectNothingLost(writer: Writer): Promise<void> {
  const written = await readWritten();
  expect(acknowledged(writer.lines).filter((number) => !written.has(number))).toEqual([]);
}

function kill(...processIds: (number | undefined)[]): void {
  for (const processId of processIds) if (processId !== undefined) process.kill(processId, 'SIGKILL');
}

// The processes are found under /proc.
const onLinux = test.skipIf(process.platform !== 'linux');

onLinux('when the process is killed, PostgreSQL ends too and nothing acknowledged is lost', async () => {
  const writer = await startWriter();
  kill(writer.process.pid);
  await once(writer.process, 'exit');
  await until(async () => (await listPostgresProcesses()).length === 0);
  await expectNothingLost(writer);
});

onLinux(
  'when the process and the shell that watches it are killed, PostgreSQL ends all the same',
  async () => {
    const writer = await startWriter();
    kill(writer.guardId, writer.process.pid);
    await until(async () => (await listPostgresProcesses()).length === 0);
    await expectNothingLost(writer);
  },
);

onLinux('when the process and PostgreSQL are killed together, the database opens again at once', async () => {
  const writer = await startWriter();
  kill(writer.process.pid, writer.postmasterId);
  await expectNothingLost(writer);
  await until(async () => (await listPostgresProcesses()).length === 0);
});

onLinux('when PostgreSQL alone is killed, it is started again and writing goes on', async () => {
  const writer = await startWriter();
  kill(writer.postmasterId);
  await until(() => writer.lines.includes('restarted'));
  const count = writer.lines.length;
  await until(() => acknowledged(writer.lines.slice(count)).length > 20);
  kill(writer.process.pid);
  await expectNothingLost(writer);
});

onLinux('when the shell that watches it is killed, PostgreSQL is started again under a new one', async () => {
  const writer = await startWriter();
  kill(writer.guardId);
  await until(() => writer.lines.includes('restarted'));
  kill(writer.process.pid);
  await until(async () => (await listPostgresProcesses()).length === 0);
  await expectNothingLost(writer);
});
