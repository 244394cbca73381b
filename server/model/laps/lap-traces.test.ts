import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import { AppError } from '#server/kernel/errors.ts';
import { insertKartUpload } from '#server/testing/kart-upload.ts';
import { insertKartTrack, listKeptFiles } from '#server/testing/kart-uploads.ts';
import { passMinute } from '#server/testing/pass-minute.ts';
import { startTestApp, useTestApp } from '#server/testing/test-app.ts';
import { cutObject, listKeys } from '#server/testing/test-storage.ts';
import { openLapTraces } from './lap-traces.ts';
import type { LapWorkers } from './timing/lap-workers.ts';
import { sweepOrphans } from './sweep-orphans.ts';
import { putTraces, readTraces, tracesKey, TRACES_PREFIX } from './trace-storage.ts';
import { deleteForGood } from '#server/testing/leave.ts';

const app = useTestApp();
const guest = app.asGuest();

const insertUpload = (trackId: TrackId) => insertKartUpload(app, trackId);

const listTraces = () => listKeys(app.storage, TRACES_PREFIX);

test('traces that are missing or damaged are made again from the lap file, to the same lap', async () => {
  const upload = await insertUpload(await insertKartTrack(app.db));
  const before = await readTraces(app.storage, upload.storageKey);
  const expected = (await guest.get(`${upload.url}/trace`)).json();
  expect(expected.timesMs.length).toBeGreaterThan(100);
  // Another copy of the server, which has nothing in memory.
  const second = await startTestApp({ database: app.database });
  const content = await app.storage.openRead(upload.storageKey);
  const raw = join(second.incomingFolder, 'raw');
  if (content) await writeFile(raw, content.content);
  await second.storage.put(upload.storageKey, raw);
  const trace = await second.asGuest().get(`${upload.url}/trace`);
  expect(trace.json()).toEqual(expected);
  expect(await readTraces(second.storage, upload.storageKey)).toEqual(before);
});

test('a lap whose file is gone has no trace, and is shown all the same', async () => {
  const upload = await insertUpload(await insertKartTrack(app.db));
  await app.storage.remove(upload.storageKey);
  await app.storage.remove(tracesKey(upload.storageKey));
  expect((await guest.get(`${upload.url}/trace`)).statusCode).toBe(404);
  expect((await guest.get(upload.url)).json()).toMatchObject({
    uncertaintyParts: null,
    lapTimeMs: upload.lap.lapTimeMs,
  });
});

test('traces go with their session and their account, and orphans are swept', async () => {
  const trackId = await insertKartTrack(app.db);
  const before = await listTraces();
  const [first, second] = [await insertUpload(trackId), await insertUpload(trackId)];
  const made = [first, second].map(({ storageKey }) => tracesKey(storageKey));
  expect(await listTraces()).toEqual([...before, ...made].toSorted());

  expect((await app.as(first).delete(`/api/sessions/${first.sessionId}`)).statusCode).toBe(200);
  await passMinute(app);
  await deleteForGood(app, second);
  expect(await listTraces()).toEqual(before);
  expect((await guest.get(`${first.url}/trace`)).statusCode).toBe(404);

  const third = await insertUpload(trackId);
  const workPath = join(app.incomingFolder, 'orphan');
  await putTraces(app.storage, 'lap-files/ab/orphan.gz', { traces: Buffer.from('no traces'), workPath });
  const files = await listKeptFiles(app.storage);
  expect(await sweepOrphans(app.storage, app.db, 0)).toBe(1);
  expect(await listTraces()).toEqual([...before, tracesKey(third.storageKey)].toSorted());
  expect(await listKeptFiles(app.storage)).toEqual(files);
});

test('a lap whose file is damaged is shown without what the file gives', async () => {
  const upload = await insertUpload(await insertKartTrack(app.db));
  await cutObject(app.storage, upload.storageKey);
  await app.storage.remove(tracesKey(upload.storageKey));
  expect((await guest.get(upload.url)).json()).toMatchObject({
    uncertaintyParts: null,
    lapTimeMs: upload.lap.lapTimeMs,
  });
  expect((await guest.get(`${upload.url}/lines`)).json()).toEqual({ comparison: null, trace: null });
  for (const path of [
    `${upload.url}/trace`,
    `${upload.url}/proof`,
    `/api/sessions/${upload.sessionId}/export?as=gpx`,
  ])
    expect((await app.as(upload).get(path)).statusCode, path).toBe(404);
});

test('a lap whose file takes too long to read has no trace, and an outage is none of the file', async () => {
  const upload = await insertUpload(await insertKartTrack(app.db));
  await app.storage.remove(tracesKey(upload.storageKey));
  const read = (error: Error) => {
    const trace = vi.fn<LapWorkers['trace']>().mockRejectedValue(error);
    const lapWorkers = { ...app.lapWorkers, trace };
    const { db, storage, incomingFolder, fastify } = app;
    const findTrace = openLapTraces({ db, storage, incomingFolder, lapWorkers, log: fastify.log });
    const { lap, trackId, storageKey } = upload;
    const { id: lapId, lapTimeMs } = lap;
    return findTrace({ lapId, trackId, storageKey, startOffsetMs: 0, lapTimeMs }, 'a reader');
  };
  expect(await read(new AppError('invalid_input', 'Reading this file took too long.'))).toBeNull();
  await expect(read(new AppError('unavailable', 'Too many wait.'))).rejects.toThrow('Too many wait.');
});
