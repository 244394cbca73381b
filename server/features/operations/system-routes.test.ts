import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

let testApp: TestApp;
let isDraining = false;

beforeAll(async () => {
  testApp = await startTestApp({ isDraining: () => isDraining });
});

afterAll(async () => {
  await testApp.close();
});

test('a server that runs is alive and ready', async () => {
  expect((await testApp.app.inject('/api/health')).json()).toEqual({ status: 'ok', version: '1.2.3' });
  expect((await testApp.app.inject('/api/ready')).json()).toEqual({ status: 'ready' });
});

test('a server that stops is alive and answers, but not ready for more', async () => {
  isDraining = true;
  const [health, ready, tracks] = await Promise.all(
    ['/api/health', '/api/ready', '/api/tracks'].map((url) => testApp.app.inject(url)),
  );
  isDraining = false;
  expect([health?.statusCode, ready?.statusCode, tracks?.statusCode]).toEqual([200, 503, 200]);
  expect(ready?.json()).toEqual({
    error: 'unavailable',
    message: 'This server is stopping; ask another copy of it.',
  });
});
