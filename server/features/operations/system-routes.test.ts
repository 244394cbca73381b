import { expect, test } from 'vitest';
import { openDiskStorage } from '#server/kernel/storage/disk-storage.ts';
import { startTestApp, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp({ isDraining: () => isDraining });
const guest = app.asGuest();
let isDraining = false;

test('a server that runs is alive and ready', async () => {
  expect((await guest.get('/api/health')).json()).toEqual({ status: 'ok', version: '1.2.3' });
  expect((await guest.get('/api/ready')).json()).toEqual({ status: 'ready' });
});

test('a server that stops is alive and answers, but not ready for more', async () => {
  isDraining = true;
  const [health, ready, tracks] = await Promise.all(
    ['/api/health', '/api/ready', '/api/tracks'].map((url) => guest.get(url)),
  );
  isDraining = false;
  expect([health?.statusCode, ready?.statusCode, tracks?.statusCode]).toEqual([200, 503, 200]);
  expect(ready?.json()).toEqual({
    error: 'unavailable',
    message: 'This server is stopping; ask another copy of it.',
  });
});

test('a server that cannot read its backups is ready, and says that the latest one is unknown', async () => {
  // A file is where the folder of the backups should be.
  const storage = openDiskStorage(import.meta.filename);
  const other = await startTestApp({ backupTarget: { name: 'a folder', storage } });
  const ready = await other.asGuest().get('/api/ready');
  expect(ready.json()).toEqual({
    status: 'ready',
    backup: { problem: 'The backups cannot be read at the moment, so the latest one is unknown.' },
  });
});
