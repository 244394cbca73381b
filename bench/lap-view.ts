import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { trackSchema } from '#contract/tracks/schemas.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { TRACES_PREFIX } from '#server/model/laps/trace-storage.ts';
import { sampleFile, signIn, upload } from '../tests/faults/client.ts';
import { startPitboard } from '../tests/pitboard.ts';

// This measures first and later looks at laps of files of 5 MB. The server is the built one in a process of its own
// (`npm run build` first), with its embedded PostgreSQL and files on disk.

const RECEIVER = { rateHz: 25, noiseMeters: 0.05, driftMeters: 0.5, coordinateDecimals: 7 };
const FILE_BYTES = 5_000_000;
const LOOKS = 20;
const LENGTH_MIN_METERS = 5_000;

const tracksSchema = z.array(trackSchema.omit({ status: true, timeZone: true }));
type LibraryTrack = z.infer<typeof tracksSchema>[number];
const boardSchema = z.array(z.object({ lapId: z.string() }));

export async function run(): Promise<void> {
  const track = await chooseTrack();
  const pitboard = await startPitboard({ environment: { LOG_LEVEL: 'error' } });
  try {
    for (const [index, account] of ['theo.okafor', 'priya.venkat'].entries()) {
      const cookie = await signIn(pitboard.url, account);
      const outcome = await upload({ url: pitboard.url, cookie }, track.id, makeFile(track, index + 1));
      if (!('sessionId' in outcome)) throw new Error(`An upload failed: ${JSON.stringify(outcome)}`);
    }
    const board = await fetch(`${pitboard.url}/api/laps/track/${track.id}/best`);
    const [first, second] = boardSchema.parse(await board.json());
    if (!first || !second) throw new Error('The laps do not rank.');
    console.log(`${track.name}, ${track.lengthMeters} m, ${RECEIVER.rateHz} Hz, files of 5 MB`);
    const base = `${pitboard.url}/api/tracks/${track.id}/laps`;
    await print('trace, stored at the upload', `${base}/${first.lapId}/trace`);
    await rm(join(pitboard.dataFolder, 'files', TRACES_PREFIX), { recursive: true });
    await print('trace, made again from the file', `${base}/${second.lapId}/trace`);
    await print('comparison of two laps', `${base}/${first.lapId}/comparison?with=${second.lapId}`);
    await print('lap', `${base}/${first.lapId}`);
  } finally {
    await pitboard.remove();
  }
}

async function chooseTrack(): Promise<LibraryTrack> {
  const tracks = tracksSchema.parse(
    JSON.parse(await readFile(join(projectFolder, 'data', 'tracks.json'), 'utf8')),
  );
  const long = tracks.find(
    ({ outline, lengthMeters }) => outline !== null && (lengthMeters ?? 0) >= LENGTH_MIN_METERS,
  );
  if (!long) throw new Error('There is no long track to drive on.');
  return long;
}

function makeFile(track: LibraryTrack, seed: number) {
  const receiver = RECEIVER;
  const one = writeGenericCsv(simulateDrive(track, { seed, laps: 1, receiver }));
  const laps = Math.ceil(FILE_BYTES / one.length);
  return sampleFile('laps.csv', writeGenericCsv(simulateDrive(track, { seed, laps, receiver })));
}

async function print(name: string, url: string): Promise<void> {
  const first = await look(url);
  const later: number[] = [];
  for (let count = 0; count < LOOKS; count += 1) later.push((await look(url)).ms);
  const median = later.toSorted((a, b) => a - b)[LOOKS / 2] ?? Number.NaN;
  const size = `${(first.bytes / 1000).toFixed(1)} kB compressed`;
  console.log(`${name.padEnd(34)} first ${first.ms.toFixed(0)} ms, later ${median.toFixed(1)} ms, ${size}`);
}

async function look(url: string): Promise<{ ms: number; bytes: number }> {
  const startMs = performance.now();
  const response = await fetch(url);
  const body = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${body}`);
  return { ms: performance.now() - startMs, bytes: gzipSync(body).length };
}
