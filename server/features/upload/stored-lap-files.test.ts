import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openContent } from '#server/kernel/storage/compressed.ts';
import { insertSignedIn } from '#server/testing/builders.ts';
import { encodeForm, type TestFile } from '#server/testing/form.ts';
import { insertKartTrack, kartCsv, listKeptFiles } from '#server/testing/kart-uploads.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';
import { retimeSessions } from '#server/model/laps/retime.ts';

const QUOTA_BYTES = 1_000_000;

const app = useTestApp({ settings: { driverQuotaBytes: QUOTA_BYTES } });

const upload = async (trackId: string, file: TestFile, who: Person) =>
  (await app.as(who).uploadLaps(trackId, file)).json().results[0];

test('a lap file is stored compressed, and comes back as it was sent', async () => {
  const driver = await insertSignedIn(app.db);
  const trackId = await insertKartTrack(app.db);
  const file = kartCsv();
  const padded = { ...file, content: file.content + '\n'.repeat(500_000) };
  expect(await upload(trackId, padded, driver)).toMatchObject({ success: true });
  const [key = ''] = await listKeptFiles(app.storage);
  const stored = await app.storage.openRead(key);
  stored?.content.destroy();
  expect(stored?.byteCount).toBeLessThan(file.content.length / 2);
  const content = await openContent(app.storage, key);
  expect(content && (await text(content))).toBe(padded.content);
});

test('a lap file that was stored uncompressed, by an older version, is still read', async () => {
  const { database, storage, lapWorkers, incomingFolder } = app;
  const driver = await insertSignedIn(database.db);
  const trackId = await insertKartTrack(database.db);
  const file = kartCsv();
  const { sessionId } = await upload(trackId, file, driver);
  const path = join(incomingFolder, 'of-an-older-version');
  await writeFile(path, file.content);
  await storage.put('lap-files/aa/of-an-older-version', path);
  await database.pool.query(
    "UPDATE lap_files SET storage_key = 'lap-files/aa/of-an-older-version' FROM sessions WHERE sessions.id = $1 AND sessions.lap_file_sha256 = lap_files.sha256",
    [sessionId],
  );
  const parts = { db: database.db, storage, lapWorkers, workFolder: incomingFolder };
  const outcomes: string[] = [];
  for await (const { outcome } of retimeSessions(parts, { trackId, isDryRun: true })) outcomes.push(outcome);
  expect(outcomes).toEqual(['unchanged']);
});

test('a driver at the limit of stored lap files gets an error, and others go on', async () => {
  const driver = await insertSignedIn(app.db);
  const other = await insertSignedIn(app.db);
  const trackId = await insertKartTrack(app.db);
  const file = kartCsv();
  const large = { ...file, content: file.content + '\n'.repeat(QUOTA_BYTES - file.content.length - 1_000) };
  expect(await upload(trackId, large, driver)).toMatchObject({ success: true });
  const { success, error } = await upload(trackId, kartCsv(), driver);
  expect(success).toBe(false);
  expect(error).toBe(
    'Your lap files take 1 MB of the 1 MB that each driver has here. Delete sessions that you no longer need, and try again.',
  );
  expect(await upload(trackId, kartCsv(), other)).toMatchObject({ success: true });
});

test('a driver has so many lap files under way and no more', async () => {
  const driver = await insertSignedIn(app.db);
  const file: [string, TestFile] = ['file', { name: 'none.csv', content: 'nothing' }];
  const form = await encodeForm([file]);
  let refusedCount = 0;
  let sendFiles: (() => void) | undefined;
  // No file arrives before the last refusal, so that all accepted ones are under way at the same time.
  const fourRefused = new Promise<void>((resolve) => {
    sendFiles = resolve;
  });
  const postHeld = async () => {
    const payload = Readable.from(
      (async function* () {
        await fourRefused;
        yield form.payload;
      })(),
    );
    const answer = await app.as(driver).post('/api/analyze-gps', payload, form.headers);
    if (answer.statusCode === 429) refusedCount += 1;
    if (refusedCount === 4) sendFiles?.();
    return answer;
  };
  const answers = await Promise.all(Array.from({ length: 12 }, postHeld));
  const refusals = answers.filter(({ statusCode }) => statusCode === 429);
  expect(refusals).toHaveLength(4);
  expect(refusals[0]?.json().message).toMatch(/8 files under way/);
  expect((await app.as(driver).postForm('/api/analyze-gps', [file])).statusCode).toBe(200);
});
