import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertKartUpload } from '#server/testing/kart-upload.ts';
import { insertKartTrack, listKeptFiles } from '#server/testing/kart-uploads.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { sweepOrphans } from './sweep-orphans.ts';
import { putTraces, readTraces, tracesKey, TRACES_PREFIX } from './trace-storage.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const db = () => testApp.database.db;
const get = (url: string) => testApp.app.inject({ url });
const insertUpload = (trackId: string) => insertKartUpload(testApp, trackId);

async function listTraces(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of testApp.storage.list(TRACES_PREFIX)) keys.push(key);
  return keys.toSorted();
}

test('traces that are missing or damaged are made again from the lap file, to the same lap', async () => {
  const upload = await insertUpload(await insertKartTrack(db()));
  const before = await readTraces(testApp.storage, upload.storageKey);
  const expected = (await get(`${upload.url}/trace`)).json();
  expect(expected.timesMs.length).toBeGreaterThan(100);
  // Another copy of the server, which has nothing in memory.
  const second = await startTestApp({ database: testApp.database });
  try {
    const content = await testApp.storage.openRead(upload.storageKey);
    const raw = join(second.incomingFolder, 'raw');
    if (content) await writeFile(raw, content.content);
    await second.storage.put(upload.storageKey, raw);
    const trace = await second.app.inject({ url: `${upload.url}/trace` });
    expect(trace.json()).toEqual(expected);
    expect(await readTraces(second.storage, upload.storageKey)).toEqual(before);
  } finally {
    await second.close();
  }
});

test('a lap whose file is gone has no trace, and is shown all the same', async () => {
  const upload = await insertUpload(await insertKartTrack(db()));
  await testApp.storage.remove(upload.storageKey);
  await testApp.storage.remove(tracesKey(upload.storageKey));
  expect((await get(`${upload.url}/trace`)).statusCode).toBe(404);
  expect((await get(upload.url)).json()).toMatchObject({
    uncertaintyParts: null,
    lapTimeMs: upload.lap.lapTimeMs,
  });
});

test('traces go with their session and their account, and orphans are swept', async () => {
  const trackId = await insertKartTrack(db());
  const before = await listTraces();
  const [first, second] = [await insertUpload(trackId), await insertUpload(trackId)];
  const made = [first, second].map(({ storageKey }) => tracesKey(storageKey));
  expect(await listTraces()).toEqual([...before, ...made].toSorted());
  const remove = (url: string, headers: object) =>
    testApp.app.inject({ method: 'DELETE', url, headers: { ...headers } });
  expect((await remove(`/api/sessions/${first.sessionId}`, first.headers)).statusCode).toBe(200);
  expect((await remove('/api/account', second.headers)).statusCode).toBe(200);
  expect(await listTraces()).toEqual(before);
  expect((await get(`${first.url}/trace`)).statusCode).toBe(404);

  const third = await insertUpload(trackId);
  const workPath = join(testApp.incomingFolder, 'orphan');
  await putTraces(testApp.storage, 'lap-files/ab/orphan.gz', { traces: Buffer.from('no traces'), workPath });
  const files = await listKeptFiles(testApp.storage);
  expect(await sweepOrphans(testApp.storage, db(), 0)).toBe(1);
  expect(await listTraces()).toEqual([...before, tracesKey(third.storageKey)].toSorted());
  expect(await listKeptFiles(testApp.storage)).toEqual(files);
});
