import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { asUserId } from '#contract/testing/ids.ts';
import { keepLapFile } from './keep-lap-file.ts';
import { openLapFileCache } from './lap-file-cache.ts';
import { chooseFiles } from './process-files.ts';
import { addFiles, startSending, stopSending } from './upload-state.ts';
import { Upload } from './upload-store.ts';

const THEO = asUserId('theo');
const morning = new File(['one'], 'morning.csv', { lastModified: 1 });
const drive = new File(['two'], 'drive.pitboard', { lastModified: 2 });

let kept: Map<string, Response>;

beforeEach(() => {
  kept = new Map();
  const cache = {
    keys: () => Promise.resolve([...kept.keys()]),
    match: (url: string) => Promise.resolve(kept.get(url)?.clone()),
    put: (url: string, response: Response) => Promise.resolve(kept.set(url, response)),
    delete: (url: string) => Promise.resolve(kept.delete(url)),
  };
  const caches = { open: () => Promise.resolve(cache) };
  vi.stubGlobal('caches', caches);
  vi.stubGlobal('window', Object.assign(new EventTarget(), { caches }));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function open(upload: Upload): Promise<void> {
  return openLapFileCache(upload, THEO, (files) => chooseFiles(upload, files));
}

const namesOf = ({ state }: Upload) => state.queue.map(({ file }) => file.name);

test('a file that was kept while others are sent is chosen once they are', async () => {
  const upload = new Upload();
  await open(upload);
  upload.change(addFiles([morning]));
  upload.change(startSending);
  await keepLapFile(drive);
  // The page is opened twice meanwhile.
  const opened = Promise.all([open(upload), open(upload)]);
  await vi.waitFor(() => expect(kept.size).toBe(2));
  await new Promise((resolve) => setTimeout(resolve, 0));
  upload.change(stopSending(null));
  await opened;
  expect(namesOf(upload)).toEqual(['morning.csv', 'drive.pitboard']);
  expect([...kept.values()].map(({ headers }) => headers.get('x-owner'))).toEqual(['theo', 'theo']);
});

test('a file that is uploaded while another one is read is not chosen again', async () => {
  const upload = new Upload();
  await open(upload);
  upload.change(addFiles([morning]));
  await upload.cached;
  await keepLapFile(drive);
  await openLapFileCache(upload, THEO, async (files) => {
    upload.change({ queue: [] });
    await chooseFiles(upload, files);
  });
  expect(namesOf(upload)).toEqual(['drive.pitboard']);
});

test('a shared file that a full list leaves out stays for the next upload', async () => {
  const upload = new Upload();
  const hours = Array.from(
    { length: LIMITS.lapFilesPerUploadMax },
    (_, hour) => new File(['lap'], `${hour}.csv`),
  );
  upload.change(addFiles(hours));
  await keepLapFile(drive);
  await open(upload);
  expect(upload.state.refusals).toEqual([
    `drive.pitboard was left out: one upload takes at most ${LIMITS.lapFilesPerUploadMax} files.`,
  ]);
  upload.change({ queue: [] });
  await open(upload);
  expect(namesOf(upload)).toEqual(['drive.pitboard']);
  expect([...kept.values()].map(({ headers }) => headers.get('x-owner'))).toEqual(['theo']);
});
