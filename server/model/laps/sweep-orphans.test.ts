import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertSignedIn } from '#server/testing/builders.ts';
import { insertKartTrack, kartCsv, listKeptFiles, postForm } from '#server/testing/kart-uploads.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { sweepOrphans } from './sweep-orphans.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

test('what a killed server left in the storage is swept when it is old enough, and nothing else', async () => {
  const { app, database, storage, incomingFolder } = testApp;
  const { headers } = await insertSignedIn(database.db);
  const trackId = await insertKartTrack(database.db);
  await postForm(
    app,
    '/api/upload',
    [
      ['files', kartCsv()],
      ['trackId', trackId],
    ],
    headers,
  );
  const kept = await listKeptFiles(storage);
  expect(kept).toHaveLength(1);

  const abandoned = join(incomingFolder, 'abandoned');
  await writeFile(abandoned, 'half an upload');
  await storage.put('lap-files/ab/abandoned', abandoned);
  expect(await sweepOrphans(storage, database.db, 60_000)).toBe(0);
  expect(await sweepOrphans(storage, database.db, 0)).toBe(1);
  expect(await listKeptFiles(storage)).toEqual(kept);
});
