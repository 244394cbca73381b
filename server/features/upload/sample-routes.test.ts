import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLE_LAP_FILES } from '#contract/upload/labels.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();

test.each(SAMPLE_LAP_FILES)('$fileName comes as a file to keep, byte by byte', async ({ fileName }) => {
  const response = await guest.get(`/api/samples/${fileName}`);
  expect(response.headers['content-disposition']).toBe(`attachment; filename="${fileName}"`);
  expect(response.rawPayload.equals(readFileSync(join(projectFolder, 'data/lap-files', fileName)))).toBe(
    true,
  );
});

test('nothing else of the disk is served', async () => {
  for (const name of ['README.md', '..%2Ftracks.json', 'constructor']) {
    expect((await guest.get(`/api/samples/${name}`)).statusCode).toBe(404);
  }
});
