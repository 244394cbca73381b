import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SAMPLE_LAP_FILES } from '#contract/sample-lap-files.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

test.each(SAMPLE_LAP_FILES)('$fileName comes as a file to keep, byte by byte', async ({ fileName }) => {
  const response = await testApp.app.inject({ url: `/api/samples/${fileName}` });
  expect(response.headers['content-disposition']).toBe(`attachment; filename="${fileName}"`);
  expect(response.rawPayload.equals(readFileSync(join(projectFolder, 'data/lap-files', fileName)))).toBe(
    true,
  );
});

test('nothing else of the disk is served', async () => {
  for (const name of ['README.md', '..%2Ftracks.json', 'constructor']) {
    expect((await testApp.app.inject({ url: `/api/samples/${name}` })).statusCode).toBe(404);
  }
});
