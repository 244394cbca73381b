import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { type Track, trackSchema } from '#contract/tracks/schemas.ts';
import { simulateDrive, type SimulatedDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { type SampleFile, sampleFile, signIn, upload } from '../tests/faults/client.ts';
import { type Pitboard, startPitboard } from '../tests/pitboard.ts';

// This measures what an upload costs beyond the engine's own work, and what everybody else notices of ten uploads at
// once. The server is the built one in a process of its own (`npm run build` first); boards are asked for from a thread
// of their own.

const FILE_BYTES = 5_000_000;
const WARM_UPS = 4;
const RUNS = 15;
const UPLOADERS = 10;
const UPLOADS_EACH = 4;
const PROBES = { connections: 4, pauseMs: 5 };
const DRIVERS = ['theo.okafor', 'priya.venkat', 'jonas.weidner'];
// Boards of other tracks do not change.
const OTHER_TRACKS = 3;

const libraryTrackSchema = trackSchema.omit({ status: true, timeZone: true });
type LibraryTrack = z.infer<typeof libraryTrackSchema>;

export async function run(): Promise<void> {
  const [track, ...others] = await chooseTracks();
  if (!track) throw new Error('There is no track to drive on.');
  const nextFile = fileMaker(track);
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-bench-'));
  const loopDelayFile = join(folder, 'loop-delay.json');
  const pitboard = await startPitboard({
    environment: {
      LOOP_DELAY_FILE: loopDelayFile,
      NODE_OPTIONS: `--import=${pathToFileURL(join(projectFolder, 'bench', 'report-loop-delay.mjs')).href}`,
      LOG_LEVEL: 'error',
    },
  });
  try {
    const cookies = await Promise.all(DRIVERS.map((account) => signIn(pitboard.url, account)));
    const send = async (file: SampleFile, index = 0): Promise<void> => {
      const outcome = await upload(
        { url: pitboard.url, cookie: cookies[index % cookies.length] ?? '' },
        track.id,
        file,
      );
      if (!('sessionId' in outcome)) throw new Error(`An upload failed: ${JSON.stringify(outcome)}`);
    };
    await compareWithEngine(track, nextFile, send);
    const urls = [track, ...others].map(({ id }) => `${pitboard.url}/api/laps/track/${id}/best?limit=50`);
    await measureOthers(pitboard, loopDelayFile, { urls, nextFile, send });
  } finally {
    await pitboard.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

async function chooseTracks(): Promise<LibraryTrack[]> {
  const text = await readFile(join(projectFolder, 'data', 'tracks.json'), 'utf8');
  return z
    .array(libraryTrackSchema)
    .parse(JSON.parse(text))
    .filter(({ outline, startFinishLine }) => outline !== null && startFinishLine !== null)
    .slice(0, 1 + OTHER_TRACKS);
}

/** Gives files of five megabytes, each driven a little beside the others, for no two uploads may be the same recording. */
function fileMaker(track: LibraryTrack): () => SampleFile {
  const startTimeMs = Date.UTC(2026, 4, 16, 9);
  const short = writeGenericCsv(simulateDrive(track, { seed: 1, laps: 2, startTimeMs }));
  const laps = Math.round((2 * FILE_BYTES) / short.length);
  const drive = simulateDrive(track, { seed: 1, laps, startTimeMs });
  let number = 0;
  return () => {
    number += 1;
    return sampleFile(`drive-${number}.csv`, writeGenericCsv(shifted(drive, number)));
  };
}

// Each file lies a few centimetres to the north, and another hour later.
const STEP_DEGREES = 0.000_000_3;
const STEP_MS = 3_600_000 * 24;

function shifted({ fixes, ...truth }: SimulatedDrive, number: number): SimulatedDrive {
  return {
    ...truth,
    fixes: fixes.map((fix) => ({
      ...fix,
      lat: fix.lat + number * STEP_DEGREES,
      timeMs: fix.timeMs + number * STEP_MS,
    })),
  };
}

async function compareWithEngine(
  track: LibraryTrack,
  nextFile: () => SampleFile,
  send: (file: SampleFile) => Promise<void>,
): Promise<void> {
  const driven: Track = { ...track, status: 'official', timeZone: 'UTC' };
  const byEngine: number[] = [];
  const endToEnd: number[] = [];
  let byteCount = 0;
  // Both run in turns, so that other work on the machine slows both.
  for (let turn = 0; turn < WARM_UPS + RUNS; turn++) {
    const file = nextFile();
    byteCount = file.content.length;
    const bytes = Buffer.from(file.content);
    let startMs = performance.now();
    timeLaps(openLapFile(bytes), driven);
    const engineMs = performance.now() - startMs;
    startMs = performance.now();
    await send(file);
    if (turn < WARM_UPS) continue;
    byEngine.push(engineMs);
    endToEnd.push(performance.now() - startMs);
  }
  const [engineMs, uploadMs] = [share(byEngine, 0.5), share(endToEnd, 0.5)];
  console.log(`A lap file of ${(byteCount / 1e6).toFixed(1)} MB, medians of ${RUNS}:\n`);
  console.log('| work | ms | of the engine |\n| --- | ---: | ---: |');
  console.log(`| the engine alone | ${engineMs.toFixed(0)} | 1.0 |`);
  console.log(`| an upload, end to end | ${uploadMs.toFixed(0)} | ${(uploadMs / engineMs).toFixed(2)} |`);
}

const loopDelaySchema = z.object({ p99Ms: z.number(), longestMs: z.number() });

async function measureOthers(
  pitboard: Pitboard,
  loopDelayFile: string,
  load: {
    urls: string[];
    nextFile: () => SampleFile;
    send: (file: SampleFile, index: number) => Promise<void>;
  },
): Promise<void> {
  const readLoopDelay = async () => {
    process.kill(pitboard.processId, 'SIGUSR2');
    await wait(200);
    return loopDelaySchema.parse(JSON.parse(await readFile(loopDelayFile, 'utf8')));
  };
  const files = Array.from({ length: UPLOADERS }, () => Array.from({ length: UPLOADS_EACH }, load.nextFile));
  const probe = async (during: () => Promise<unknown>) => {
    await readLoopDelay();
    const worker = new Worker(new URL('./probe-boards.mjs', import.meta.url), {
      workerData: { urls: load.urls, ...PROBES },
    });
    const answered = once(worker, 'message');
    await during();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
    worker.postMessage('end');
    const [timesMs] = z.tuple([z.array(z.number())]).parse(await answered);
    return { timesMs, loopDelay: await readLoopDelay() };
  };
  console.log(
    `\n| boards, asked for by ${PROBES.connections} at once | answers | median ms | p99 ms | p99 of the loop's delay | longest |`,
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
  const cases = {
    'with nothing else to do': () => wait(3_000),
    [`while ${UPLOADERS} upload ${FILE_BYTES / 1e6} MB each`]: () =>
      Promise.all(
        files.map(async (own, index) => {
          for (const file of own) await load.send(file, index);
        }),
      ),
  };
  for (const [name, during] of Object.entries(cases)) {
    const { timesMs, loopDelay } = await probe(during);
    const figures = [share(timesMs, 0.5), share(timesMs, 0.99), loopDelay.p99Ms, loopDelay.longestMs];
    console.log(`| ${name} | ${timesMs.length} | ${figures.map((ms) => ms.toFixed(1)).join(' | ')} |`);
  }
}

function share(timesMs: number[], part: number): number {
  return timesMs.toSorted((a, b) => a - b)[Math.floor(timesMs.length * part)] ?? Number.NaN;
}
