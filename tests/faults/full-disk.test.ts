import { spawnSync } from 'node:child_process';
import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { LIBRARY } from '../library.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { call, type Client, sampleFile, signIn, upload, type SampleFile } from './client.ts';
import { until, untilEmpty } from './processes.ts';
import { expectWhole, readThings } from './stored-state.ts';

// A server on a disk of its own, in memory, that is filled to the last byte. Only root may make one.

const DISK_MEGABYTES = 400;
const SPARE_BYTES = 64 * 1024;
const CHUNK_BYTES = 1024 * 1024;

const folder = await mkdtemp(join(tmpdir(), 'pitboard-disk-'));
const canMount = process.platform === 'linux' && mount();
if (!canMount) console.log('Skipped: only root on Linux may make a small disk.');
if (canMount) spawnSync('umount', [folder]);
const onSmallDisk = test.skipIf(!canMount);

let pitboard: Pitboard | undefined;

function mount(): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', folder]).status === 0;
}

beforeEach(() => {
  if (canMount && !mount()) throw new Error('The small disk could not be mounted.');
});

afterEach(async () => {
  await pitboard?.stop();
  if (canMount) spawnSync('umount', [folder]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Leaves a little less than `spareBytes` on the disk; gives what makes room again. */
async function fillDisk(name: string, spareBytes = SPARE_BYTES): Promise<() => Promise<void>> {
  const path = join(folder, name);
  const filler = await open(path, 'w');
  try {
    for (let left = await measureRoom(); left > spareBytes; left = await measureRoom())
      await filler.write(Buffer.alloc(Math.min(left - spareBytes, CHUNK_BYTES)));
  } catch (error) {
    // PostgreSQL may have taken some of the measured space since.
    if (!String(error).includes('ENOSPC')) throw error;
  } finally {
    await filler.close();
  }
  return () => rm(path);
}

async function measureRoom(): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

const [track] = LIBRARY.filter(({ outline, startFinishLine }) => outline && startFinishLine).toSorted(
  (a, b) => (a.lengthMeters ?? Infinity) - (b.lengthMeters ?? Infinity),
);

function nextFile(seed: number, laps: number): SampleFile {
  if (!track) throw new Error('There is no track to drive on.');
  const startTimeMs = Date.UTC(2026, 4, 16, 9) + seed * 3_600_000;
  return sampleFile(`drive-${seed}.csv`, writeGenericCsv(simulateDrive(track, { seed, laps, startTimeMs })));
}

/** A server with a session on it, and who drove that. */
async function startWithSession(dataFolder: string) {
  pitboard = await startPitboard({ dataFolder });
  const { url } = pitboard;
  const client = { url, cookie: await signIn(url, 'theo.okafor') };
  expect(await upload(client, trackId, nextFile(1, 2))).toHaveProperty('sessionId');
  return client;
}

const trackId = track?.id ?? '';

async function expectReads(client: Client): Promise<void> {
  for (const path of [`/api/laps/track/${trackId}/best`, '/api/tracks', '/api/auth/user', '/api/user-cars']) {
    const { status, body } = await call(client, 'GET', path);
    expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200);
  }
}

onSmallDisk(
  'a full disk: boards are served, changes answer 503 with a sentence, and with room again everything works and is whole',
  async () => {
    const dataFolder = join(folder, 'data');
    const client = await startWithSession(dataFolder);
    const { url } = client;
    const makeRoom = await fillDisk('first');
    const isRefused = async () =>
      (await call(client, 'PATCH', '/api/auth/user/preferences', { displayName: 'Refused' })).status === 503;
    await until(isRefused);
    // The reserve of the server is taken from it as well.
    const makeMoreRoom = await fillDisk('second');

    for (let round = 0; round < 10; round++) {
      await expectReads(client);
      const outcome = await upload(client, trackId, nextFile(2 + round, 6));
      expect(outcome).toEqual({ sentence: expect.stringMatching(/disk of this server is full.*try again/) });
      for (const [method, path, body] of [
        ['POST', '/api/user-cars', { carModelId: '00000000-0000-4000-8000-000000000000' }],
        ['PATCH', '/api/auth/user/preferences', { displayName: `Name ${round}` }],
        ['POST', '/api/objects/upload', {}],
      ] as const) {
        const answer = await call(client, method, path, body);
        expect(answer).toEqual({
          status: 503,
          body: expect.objectContaining({ message: expect.stringMatching(/disk of this server is full/) }),
        });
      }
    }
    await untilEmpty(join(dataFolder, 'incoming'));

    await makeRoom();
    await makeMoreRoom();
    await until(async () => !(await isRefused()));
    expect(await upload(client, trackId, nextFile(100, 6))).toHaveProperty('sessionId');
    expect((await fetch(`${url}/api/ready`)).status).toBe(200);
    pitboard = await pitboard?.restart();
    await expectWhole(dataFolder);
    const things = [...(await readThings(dataFolder)).keys()];
    expect(things.filter((thing) => thing.startsWith('session '))).toHaveLength(2);
  },
);

onSmallDisk('a start on a full disk goes on with what was kept free for it, and serves boards', async () => {
  const dataFolder = join(folder, 'data');
  const client = await startWithSession(dataFolder);
  await pitboard?.stop();
  await fillDisk('filler');
  pitboard = await startPitboard({ dataFolder });
  await expectReads({ ...client, url: pitboard.url });
});

onSmallDisk('a start on a disk without any room says so, with the folder and what is free', async () => {
  const dataFolder = join(folder, 'data');
  const client = await startWithSession(dataFolder);
  await pitboard?.kill();
  await rm(join(dataFolder, 'reserve'));
  await fillDisk('filler', 0);
  const emptyFolder = join(folder, 'new');
  await expect(startPitboard({ dataFolder: emptyFolder })).rejects.toThrow(
    new RegExp(`The disk of ${emptyFolder} is full: 0 MB are free\\. Make room on it`),
  );
  // PostgreSQL may or may not find room to recover; nothing is said to be damaged in either case.
  try {
    pitboard = await startPitboard({ dataFolder });
    await expectReads({ ...client, url: pitboard.url });
  } catch (error) {
    expect(String(error)).toContain(`The disk of ${dataFolder} is full: 0 MB are free`);
    expect(String(error)).not.toMatch(/damaged|backup/);
  }
});
