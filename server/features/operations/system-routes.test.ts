import { expect, test } from 'vitest';
import { useTestApp } from '#server/testing/test-app.ts';

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
