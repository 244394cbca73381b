import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest';
import { z } from 'zod';
import { simulateDrive } from '#engine/simulated/drive.ts';
import { writeGenericCsv } from '#engine/simulated/write-generic-csv.ts';
import { trackSchema } from '#contract/tracks.ts';
import { projectFolder } from '#server/project-folder.ts';
import { startPitboard, type Pitboard } from '../e2e/pitboard.ts';
import { sampleFile, signIn, upload, type SampleFile, type UploadOutcome } from './client.ts';
import { findPostmaster, listProcessesOf, until } from './processes.ts';

// Drivers upload lap files one after the other while the server, its database or both are killed. FAULT_ROUNDS makes it
// longer: each round is one kill of each kind.

type LibraryTrack = z.infer<typeof libraryTrackSchema>;

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2);
const DRIVERS = ['theo.okafor', 'priya.venkat', 'jonas.weidner'];
const UPLOADS_BEFORE_KILL = 4;
// A kill comes this long after the last acknowledgement that is waited for: anywhere in the next uploads.
const KILL_DELAYS_MS = [0, 7, 15, 24, 40, 60];

const libraryTrackSchema = trackSchema.omit({ status: true, timeZone: true });

let track: LibraryTrack;
let pitboard: Pitboard;
let seed = 0;
const acknowledged: { sessionId: string; file: SampleFile }[] = [];
const unacknowledged: SampleFile[] = [];

beforeAll(async () => {
  track = await findShortTrack();
  pitboard = await startPitboard();
});

beforeEach(() => {
  onTestFailed(() => console.log(`The server had said:\n${pitboard.output()}`));
});

afterAll(() => pitboard.remove());

async function findShortTrack(): Promise<LibraryTrack> {
  const text = await readFile(join(projectFolder, 'data', 'tracks.json'), 'utf8');
  const tracks = z
    .array(libraryTrackSchema)
    .parse(JSON.parse(text))
    .filter(({ outline, startFinishLine }) => outline !== null && startFinishLine !== null);
  const [shortest] = tracks.toSorted((a, b) => (a.lengthMeters ?? Infinity) - (b.lengthMeters ?? Infinity));
  if (shortest === undefined) throw new Error('There is no track to drive on.');
  return shortest;
}

function nextFile(): SampleFile {
  seed += 1;
  const startTimeMs = Date.UTC(2026, 4, 16, 9) + seed * 3_600_000;
  return sampleFile(
    `drive-${seed}.csv`,
    writeGenericCsv(simulateDrive(track, { seed, laps: 2, startTimeMs })),
  );
}

/** Uploads one file after the other until the server goes away or `isOver`. */
async function drive(cookie: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const file = nextFile();
    const outcome = await upload(pitboard.url, cookie, track.id, file);
    if ('sessionId' in outcome) acknowledged.push({ sessionId: outcome.sessionId, file });
    else unacknowledged.push(file);
    if ('isUnanswered' in outcome) return;
  }
}

/** Lets all drivers upload, and calls `kill` in the middle of it. */
async function uploadUntil(kill: () => Promise<unknown>, delayMs: number): Promise<void> {
  const cookies = await Promise.all(DRIVERS.map((account) => signIn(pitboard.url, account)));
  let isOver = false;
  const countBefore = acknowledged.length;
  const drives = cookies.map((cookie) => drive(cookie, () => isOver));
  await until(() => acknowledged.length >= countBefore + UPLOADS_BEFORE_KILL);
  await sleep(delayMs);
  await kill();
  isOver = true;
  await Promise.all(drives);
}

/** Everything that must be true of the data, whenever the server has just started. */
async function expectWhole(): Promise<void> {
  const { dataFolder } = pitboard;
  const running = z
    .object({ connectionString: z.string() })
    .parse(JSON.parse(await readFile(join(dataFolder, 'running.json'), 'utf8')));
  const client = new Client(running);
  await client.connect();
  try {
    const { rows: sessions } = await client.query<{ id: string; sha256: string; key: string; laps: number }>(`
      SELECT sessions.id, lap_files.sha256, lap_files.storage_key AS key,
             (SELECT count(*)::int FROM laps WHERE laps.session_id = sessions.id) AS laps
      FROM lap_files LEFT JOIN sessions ON sessions.lap_file_sha256 = lap_files.sha256`);
    const stored = new Map(sessions.map((session) => [session.id, session.sha256]));
    const lost = acknowledged.filter(({ sessionId, file }) => stored.get(sessionId) !== file.sha256);
    expect(lost.map(({ file }) => file.name)).toEqual([]);
    expect(sessions.filter(({ id, laps }) => id === null || laps === 0)).toEqual([]);
    for (const { key, sha256 } of sessions) {
      const bytes = await readFile(join(dataFolder, 'files', key));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    }
    const keys = new Set(sessions.map(({ key }) => key));
    await until(async () => (await listFiles(join(dataFolder, 'files'))).every((file) => keys.has(file)));
    expect(await readdir(join(dataFolder, 'incoming'))).toEqual([]);
  } finally {
    await client.end();
  }
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

// Processes are found under /proc.
const onLinux = test.skipIf(process.platform !== 'linux');

for (let round = 0; round < ROUNDS; round++) {
  const delayMs = (kind: number): number => KILL_DELAYS_MS[(round * 3 + kind) % KILL_DELAYS_MS.length] ?? 0;

  onLinux(
    `the server is killed during uploads: nothing is lost, nothing is half there (${round + 1})`,
    async () => {
      await uploadUntil(() => pitboard.kill(), delayMs(0));
      await until(async () => (await listProcessesOf(pitboard.dataFolder)).length === 0);
      pitboard = await pitboard.restart();
      await expectWhole();
    },
  );

  onLinux(`server and database are killed together during uploads (${round + 1})`, async () => {
    const postmaster = await findPostmaster(pitboard.dataFolder);
    await uploadUntil(async () => {
      process.kill(postmaster, 'SIGKILL');
      await pitboard.kill();
    }, delayMs(1));
    pitboard = await pitboard.restart();
    await expectWhole();
  });

  onLinux(`the database is killed during uploads: the server goes on by itself (${round + 1})`, async () => {
    const { dataFolder, url } = pitboard;
    const postmaster = await findPostmaster(dataFolder);
    await uploadUntil(async () => {
      process.kill(postmaster, 'SIGKILL');
      await until(async () => (await findPostmaster(dataFolder).catch(() => postmaster)) !== postmaster);
    }, delayMs(2));
    await until(async () => (await fetch(`${url}/api/ready`)).ok);
    pitboard = await pitboard.restart();
    await expectWhole();
  });
}

onLinux('a file whose upload was cut off can be uploaded again', async () => {
  const cookie = await signIn(pitboard.url, DRIVERS[0] ?? '');
  const outcomes: UploadOutcome[] = [];
  for (const file of unacknowledged) outcomes.push(await upload(pitboard.url, cookie, track.id, file));
  expect(unacknowledged.length).toBeGreaterThan(0);
  // Where only the answer was cut off, the file is there already.
  const others = outcomes.filter((outcome) => !('sessionId' in outcome) && !isAlreadyThere(outcome));
  expect(others).toEqual([]);
});

function isAlreadyThere(outcome: UploadOutcome): boolean {
  return 'sentence' in outcome && /^This file (has already been|was already) uploaded/.test(outcome.sentence);
}
