import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { addJobsOfStart } from '#server/background-jobs.ts';
import { insertSignedIn } from '#server/testing/builders.ts';
import { insertKartTrack, kartCsv, listKeptFiles } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { listKeys } from '#server/testing/test-storage.ts';
import { sweepOrphans } from './sweep-orphans.ts';

const app = useTestApp();

test('old objects of a killed server are swept from the storage, and no others', async () => {
  const { storage, incomingFolder } = app;
  const driver = await insertSignedIn(app.db);
  const trackId = await insertKartTrack(app.db);
  await app.as(driver).uploadLaps(trackId, kartCsv());
  const kept = await listKeptFiles(storage);
  expect(kept).toHaveLength(1);

  const abandoned = join(incomingFolder, 'abandoned');
  await writeFile(abandoned, 'half an upload');
  await storage.put('lap-files/ab/abandoned', abandoned);
  expect(await sweepOrphans(storage, app.db, 60_000)).toBe(0);
  expect(await sweepOrphans(storage, app.db, 0)).toBe(1);
  expect(await listKeptFiles(storage)).toEqual(kept);
});

test('a sweep that fails does not keep those of other files from running', async () => {
  const { storage, incomingFolder } = app;
  const abandoned = join(incomingFolder, 'abandoned');
  await writeFile(abandoned, 'half an image');
  await storage.put('images/ab/abandoned.webp', abandoned);
  const list = storage.list.bind(storage);
  const lists = vi.spyOn(storage, 'list').mockImplementation((prefix) => {
    if (prefix === 'lap-files') throw new Error('This folder cannot be read.');
    return list(prefix);
  });
  const startedAt = new Date(Date.now() + 60_000);
  await addJobsOfStart(app.database, { startedAt, isOnlyWriter: true, log: app.fastify.log });
  await app.runJobs();
  lists.mockRestore();
  expect(await listKeys(storage, 'images')).toEqual([]);
});
