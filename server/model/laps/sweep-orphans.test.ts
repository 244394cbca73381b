import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { insertSignedIn } from '#server/testing/builders.ts';
import { insertKartTrack, kartCsv, listKeptFiles } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';
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
