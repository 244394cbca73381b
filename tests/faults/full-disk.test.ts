import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { LIBRARY } from '../library.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { call, sampleFile, signIn, upload, type SampleFile } from './client.ts';
import { until } from './processes.ts';
import { expectWhole, readThings } from './stored-state.ts';

// A server on a disk of its own, in memory, that is filled to the last byte. Only root may make one.

const DISK_MEGABYTES = 400;
const SPARE_BYTES = 64 * 1024;

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
  if (canMount) mount();
});

afterEach(async () => {
  await pitboard?.stop();
  if (canMount) spawnSync('umount', [folder]);
  await rm(folder, { recursive: true, force: true });
});

/** Leaves a little less than `SPARE_BYTES` on the disk; gives what makes room again. */
async function fillDisk(): Promise<() => Promise<void>> {
  const { bavail, bsize } = await statfs(folder);
  const filler = join(folder, 'filler');
  await writeFile(filler, Buffer.alloc(bavail * bsize - SPARE_BYTES));
  return () => rm(filler);
}

const [track] = LIBRARY.filter(({ outline, startFinishLine }) => outline && startFinishLine).toSorted(
  (a, b) => (a.lengthMeters ?? Infinity) - (b.lengthMeters ?? Infinity),
);

function nextFile(seed: number, laps: number): SampleFile {
  if (!track) throw new Error('There is no track to drive on.');
  const startTimeMs = Date.UTC(2026, 4, 16, 9) + seed * 3_600_000;
  return sampleFile(`drive-${seed}.csv`, writeGenericCsv(simulateDrive(track, { seed, laps, startTimeMs })));
}

onSmallDisk(
  'a full disk: uploads and changes fail with a sentence, boards are served, and with room again everything works and is whole',
  async () => {
    const dataFolder = join(folder, 'data');
    pitboard = await startPitboard({ dataFolder });
    const { url } = pitboard;
    const client = { url, cookie: await signIn(url, 'theo.okafor') };
    const trackId = track?.id ?? '';
    const first = await upload(client, trackId, nextFile(1, 2));
    expect(first).toHaveProperty('sessionId');
    const makeRoom = await fillDisk();

    let failures = 0;
    for (let seed = 2; seed < 8; seed++) {
      const outcome = await upload(client, trackId, nextFile(seed, 6));
      if ('sessionId' in outcome) continue; // it still fitted
      failures += 1;
      if ('sentence' in outcome) expect(outcome.sentence).toMatch(/[Pp]lease try again/);
    }
    expect(failures).toBeGreaterThan(0);
    for (let count = 0; count < 20; count++) {
      const { status, body } = await call(client, 'PATCH', '/api/auth/user/preferences', {
        displayName: `Name ${count}`,
      });
      expect([200, 500, 503], JSON.stringify(body)).toContain(status);
    }
    expect(await readdir(join(dataFolder, 'incoming'))).toEqual([]);

    await makeRoom();
    await until(async () => (await fetch(`${url}/api/ready`)).ok);
    await until(async () => 'sessionId' in (await upload(client, trackId, nextFile(100 + failures++, 6))));
    expect((await call(client, 'GET', `/api/laps/track/${trackId}/best`)).status).toBe(200);
    pitboard = await pitboard.restart();
    await expectWhole(dataFolder);
    expect([...(await readThings(dataFolder)).keys()].some((thing) => thing.startsWith('session '))).toBe(
      true,
    );
  },
);
