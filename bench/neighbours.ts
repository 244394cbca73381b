import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { z } from 'zod';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { call, type Client, sampleFile, type SampleFile, signIn } from '../tests/faults/client.ts';
import { LIBRARY } from '../tests/library.ts';
import { type Pitboard, startPitboard } from '../tests/pitboard.ts';

// This measures what one driver's large files and images cost another driver, who has a small file analysed and a photo
// set meanwhile. The server is the built one in a process of its own (`npm run build` first).

const LARGE_FILE_BYTES = 17_000_000;
const SMALL_FILE_BYTES = 2_000_000;
const ANALYSES_AT_ONCE = 8;
const AVATARS_AT_ONCE = 10;
const AVATAR_SIDE_PIXELS = 7_900; // The image has 62 million pixels.
const RUNS = 9;
const WAIT_RATIO_MAX = 3;
const RSS_MEGABYTES_MAX = 700;

export async function run(): Promise<void> {
  const pitboard = await startPitboard({ environment: { LOG_LEVEL: 'error' } });
  try {
    const [greedy, neighbour] = await Promise.all(
      ['priya.venkat', 'jonas.weidner'].map(async (account) => ({
        url: pitboard.url,
        cookie: await signIn(pitboard.url, account),
      })),
    );
    if (!greedy || !neighbour) throw new Error('A driver is not signed in.');
    const rows = [await measureFiles(greedy, neighbour), await measurePhotos(greedy, neighbour)];
    console.log(`Medians of ${RUNS}, in milliseconds:\n`);
    console.log('| the neighbour | alone | during the load | times |\n| --- | ---: | ---: | ---: |');
    for (const { what, idleMs, loadedMs } of rows) {
      const ratio = loadedMs / idleMs;
      const verdict = ratio <= WAIT_RATIO_MAX ? '' : `, over the goal of ${WAIT_RATIO_MAX}`;
      console.log(
        `| ${what} | ${idleMs.toFixed(0)} | ${loadedMs.toFixed(0)} | ${ratio.toFixed(1)}${verdict} |`,
      );
    }
    const peak = await readPeakMegabytes(pitboard);
    console.log(`\nThe server needed at most ${peak} MB of memory (goal: ${RSS_MEGABYTES_MAX} MB).`);
  } finally {
    await pitboard.remove();
  }
}

type Row = { what: string; idleMs: number; loadedMs: number };

async function measureFiles(greedy: Client, neighbour: Client): Promise<Row> {
  const [large, small] = [lapFile(1, LARGE_FILE_BYTES), lapFile(2, SMALL_FILE_BYTES)];
  const measure = () => timed(() => analyze(neighbour, small));
  const load = () => analyze(greedy, large);
  return { what: 'has a lap file of 2 MB analysed', ...(await compare(measure, load, ANALYSES_AT_ONCE)) };
}

async function measurePhotos(greedy: Client, neighbour: Client): Promise<Row> {
  const [large, photo] = await Promise.all([
    jpeg(AVATAR_SIDE_PIXELS, AVATAR_SIDE_PIXELS),
    jpeg(4_000, 3_000),
  ]);
  const measure = () => timed(() => setAvatar(neighbour, photo));
  // Images may be changed so often a minute; then the load waits.
  const load = () => setAvatar(greedy, large).catch(() => wait(1_000));
  return { what: 'sets a photo of 12 megapixels', ...(await compare(measure, load, AVATARS_AT_ONCE)) };
}

/** Times `measure` alone, then while `load` is called by so many at once all the time. */
async function compare(measure: () => Promise<number>, load: () => Promise<void>, atOnce: number) {
  await measure();
  const idleMs = await median(measure);
  const over = new AbortController();
  const loading = Array.from({ length: atOnce }, async () => {
    while (!over.signal.aborted) await load();
  });
  await wait(1_000);
  const loadedMs = await median(measure);
  over.abort();
  await Promise.all(loading);
  return { idleMs, loadedMs };
}

async function median(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < RUNS; count++) times.push(await measure());
  return times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

async function analyze(client: Client, file: SampleFile): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([file.content]), file.name);
  expectStatus(await call(client, 'POST', '/api/analyze-gps', form), 200);
}

async function setAvatar(client: Client, image: Buffer): Promise<void> {
  const { status, body } = await call(client, 'POST', '/api/objects/upload');
  expectStatus({ status, body }, 200);
  const { uploadURL } = z.object({ uploadURL: z.string() }).parse(body);
  expectStatus(await call(client, 'PUT', uploadURL, new Blob([new Uint8Array(image)])), 200);
  expectStatus(await call(client, 'PUT', '/api/user/avatar', { avatarURL: uploadURL }), 200);
}

function expectStatus({ status, body }: { status: number; body: unknown }, expected: number): void {
  if (status !== expected) throw new Error(`A call was answered with ${status}: ${JSON.stringify(body)}`);
}

function lapFile(seed: number, byteCount: number): SampleFile {
  const track = LIBRARY.find(({ outline, startFinishLine }) => outline && startFinishLine);
  if (!track) throw new Error('There is no track to drive on.');
  const drive = (laps: number) =>
    writeGenericCsv(simulateDrive(track, { seed, laps, startTimeMs: Date.UTC(2026, 4, 16, 9) }));
  return sampleFile(`drive-${seed}.csv`, drive(Math.round((2 * byteCount) / drive(2).length)));
}

/** Makes an image with noise, so that it is as large as a photo and as slow to decode. */
async function jpeg(width: number, height: number): Promise<Buffer> {
  return await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .jpeg({ quality: 80 })
    .toBuffer();
}

async function readPeakMegabytes({ processId }: Pitboard): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
