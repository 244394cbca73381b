import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { insertSignedIn } from '#server/testing/builders.ts';
import { insertKartTrack, kartCsv } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { exportAccount } from './export-account.ts';

const app = useTestApp();

test('an export that is given up while a file is opened closes that file', async () => {
  const driver = await insertSignedIn(app.db);
  await app.as(driver).uploadLaps(await insertKartTrack(app.db), kartCsv());
  const { db, storage, incomingFolder, lapWorkers, fastify } = app;
  // More than any buffer holds.
  const chunks = Array.from({ length: 500 }, () => randomBytes(64 * 1024));
  const content = Readable.from(chunks).pipe(createGzip());
  const spy = vi.spyOn(storage, 'openRead').mockImplementationOnce(async () => {
    output.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    return { content, byteCount: 1 };
  });
  const output = exportAccount({ db, storage, incomingFolder, lapWorkers, log: fastify.log }, driver.userId);
  output.resume();
  await expect.poll(() => content.destroyed).toBe(true);
  spy.mockRestore();
});
