import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { driveKart } from '#server/testing/kart-uploads.ts';
import { startLapWorkers } from './lap-workers.ts';

const SENT = { userId: 'a driver', byteCount: 100_000 };

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pitboard-workers-'));
  path = join(folder, 'laps.csv');
  await writeFile(path, writeGenericCsv(driveKart(3)));
});
afterAll(() => rm(folder, { recursive: true }));

test('a lap file is timed in a thread of its own', async () => {
  const workers = startLapWorkers();
  const result = await workers.time({ path, track: KART_TRACK }, SENT);
  expect(result).toMatchObject({
    isReadable: true,
    value: { format: 'generic-csv', distanceToTrackMeters: 0 },
  });
  expect(result.isReadable && result.value.laps).toHaveLength(3);
  await workers.close();
});

test('a file that takes too long is given up with a sentence, and the next one is read', async () => {
  const impatient = startLapWorkers({ timeLimitMs: 1, heapMegabytesMax: 256 });
  await expect(impatient.time({ path, track: KART_TRACK }, SENT)).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'Reading this file took too long.',
  });
  await impatient.close();
});

test('a file that needs too much memory is given up with a sentence, and the next one is read', async () => {
  const workers = startLapWorkers({ timeLimitMs: 60_000, heapMegabytesMax: 24 });
  const outline = Array.from({ length: 400_000 }, (_, i): [number, number] => [48 + i * 1e-7, 11]);
  await expect(workers.time({ path, track: { ...KART_TRACK, outline } }, SENT)).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'This file needs too much memory to be read.',
  });
  expect(await workers.time({ path, track: KART_TRACK }, SENT)).toMatchObject({ isReadable: true });
  await workers.close();
});
