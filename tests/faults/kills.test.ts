import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFailed } from 'vitest';
import { seededRandom } from '#engine/simulation/random.ts';
import { LIBRARY } from '../library.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { changeSomething, importSomething, uploadDrive, type Changer } from './changes.ts';
import { signIn, upload, type UploadOutcome } from './client.ts';
import { openLedger } from './ledger.ts';
import { findPostmaster, listProcessesOf, onLinux, until } from './processes.ts';
import { expectWhole, readThings } from './stored-state.ts';

// Drivers upload lap files and change whatever can be changed, and an administrator imports, while the server, its database or
// both are killed. FAULT_ROUNDS makes it longer: each round is one kill of each kind. FAULT_SEED repeats or varies it.

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2);
const SEED = Number(process.env['FAULT_SEED'] ?? 1);
const DRIVERS = ['theo.okafor', 'priya.venkat', 'jonas.weidner'];
const ADMINISTRATOR = 'mara.lindqvist';
const CHANGES_BEFORE_KILL = 6;
// The kill comes at a random moment within this time after them; most changes take less.
const KILL_WITHIN_MS = 250;

// The server takes a while to time such a file.
const LAPS_OF_A_LONG_FILE = 20;

// All in a minute from one address, which may not make many more calls of the kind.
const SENT_AGAIN_PER_DRIVER_MAX = 20;

const random = seededRandom(SEED);
const ledger = openLedger();
const [track] = LIBRARY.filter(({ outline, startFinishLine }) => outline && startFinishLine).toSorted(
  (a, b) => (a.lengthMeters ?? Infinity) - (b.lengthMeters ?? Infinity),
);

let pitboard: Pitboard;
let drivers: Changer[];
let administrator: Changer;

beforeAll(async () => {
  pitboard = await startPitboard();
  const background = '#c03020';
  const picture = sharp({ create: { width: 640, height: 480, channels: 3, background } });
  const photo = new Blob([new Uint8Array(await picture.jpeg().toBuffer())]);
  const open = async (account: string, seed: number): Promise<Changer> => {
    if (!track) throw new Error('There is no track to drive on.');
    const client = { url: pitboard.url, cookie: await signIn(pitboard.url, account) };
    const own = { sessions: new Map(), cars: new Map(), unanswered: [] };
    return { client, account, track, ledger, random: seededRandom(SEED + seed), photo, ...own };
  };
  drivers = await Promise.all(DRIVERS.map(open));
  administrator = await open(ADMINISTRATOR, DRIVERS.length);
});

afterAll(async () => {
  console.log(
    `${ledger.counts.acknowledged} changes were acknowledged, ${ledger.counts.unknown} went unanswered.`,
  );
  await pitboard.remove();
});

/** Lets everybody change things, and calls `kill` in the middle of it. */
async function changeUntil(kill: () => Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const repeat = async (changer: Changer, change: (changer: Changer) => Promise<void>) => {
    while (!over.signal.aborted) await change(changer);
  };
  const acknowledgedBefore = ledger.counts.acknowledged;
  const work = [
    ...drivers.map((driver) => repeat(driver, changeSomething)),
    repeat(administrator, importSomething),
  ];
  await until(() => ledger.counts.acknowledged >= acknowledgedBefore + CHANGES_BEFORE_KILL);
  await sleep(random.uniform() * KILL_WITHIN_MS);
  over.abort();
  await kill();
  await Promise.all(work);
}

/** Everything that must be true of the data, whenever the server has just started. */
async function expectNothingLost(): Promise<void> {
  onTestFailed(() => console.log(`The server had said:\n${pitboard.output()}`));
  expect(ledger.settle(await readThings(pitboard.dataFolder))).toEqual([]);
  await expectWhole(pitboard.dataFolder);
}

for (let round = 1; round <= ROUNDS; round++) {
  onLinux(
    `the server is killed during changes: nothing acknowledged is lost, nothing is half there (${round})`,
    async () => {
      await changeUntil(() => pitboard.kill());
      await until(async () => (await listProcessesOf(pitboard.dataFolder)).length === 0);
      pitboard = await pitboard.restart();
      await expectNothingLost();
    },
  );

  onLinux(`server and database are killed together during changes (${round})`, async () => {
    const postmaster = await findPostmaster(pitboard.dataFolder);
    await changeUntil(async () => {
      process.kill(postmaster, 'SIGKILL');
      await pitboard.kill();
    });
    pitboard = await pitboard.restart();
    await expectNothingLost();
  });

  onLinux(`the database is killed during changes: the server goes on by itself (${round})`, async () => {
    const { dataFolder, url } = pitboard;
    const postmaster = await findPostmaster(dataFolder);
    await changeUntil(async () => {
      process.kill(postmaster, 'SIGKILL');
      await until(async () => (await findPostmaster(dataFolder).catch(() => postmaster)) !== postmaster);
    });
    await until(async () => (await fetch(`${url}/api/ready`)).ok);
    expect(ledger.settle(await readThings(dataFolder))).toEqual([]);
    // The next start sweeps what the cut left on the disk.
    pitboard = await pitboard.restart();
    await expectNothingLost();
  });
}

onLinux('a file whose upload was cut off can be uploaded again', async () => {
  const uploads = drivers.map((driver) => uploadDrive(driver, LAPS_OF_A_LONG_FILE));
  await until(async () => (await readdir(join(pitboard.dataFolder, 'incoming'))).length > 0);
  await pitboard.kill();
  await Promise.all(uploads);
  pitboard = await pitboard.restart();
  const outcomes: UploadOutcome[] = [];
  for (const { client, track, unanswered } of drivers)
    for (const file of unanswered.slice(-SENT_AGAIN_PER_DRIVER_MAX))
      outcomes.push(await upload(client, track.id, file));
  expect(outcomes.length).toBeGreaterThan(0);
  // The file is there already if only the answer was cut off.
  const others = outcomes.filter((outcome) => !('sessionId' in outcome) && !isAlreadyThere(outcome));
  expect(others).toEqual([]);
});

function isAlreadyThere(outcome: UploadOutcome): boolean {
  return 'sentence' in outcome && /^This file (has already been|was already) uploaded/.test(outcome.sentence);
}
