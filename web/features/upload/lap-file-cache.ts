import type { UserId } from '#contract/ids.ts';
import { LAP_FILE_CACHE } from '#contract/upload/labels.ts';
import { identify, isFull, type QueuedLapFile } from './lap-file-queue.ts';
import type { Upload } from './upload-store.ts';

// The browser keeps chosen files until they are uploaded: a tab that is closed, or a phone that runs out of battery,
// loses none of them. The service worker puts files that another app shares into the same cache.

const { name: CACHE_NAME, folder, headers: HEADERS } = LAP_FILE_CACHE;
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Returns whether this browser can keep chosen files: it needs HTTPS for that. */
export function keepsFiles(): boolean {
  return typeof caches !== 'undefined';
}

/**
 * Chooses the files that `userId` has chosen before, or shared from another app, and caches those that are chosen from now on. Files of
 * other users of this browser are removed. Browsers without a cache, and pages without HTTPS, keep nothing.
 */
export async function openLapFileCache(
  upload: Upload,
  userId: UserId,
  choose: (files: readonly File[]) => Promise<void>,
): Promise<void> {
  upload.stopCaching();
  if (!keepsFiles()) return;
  const stop = upload.store.subscribe((state, before) => {
    const [waiting, earlier] = [state.queue.filter(isWaiting), before.queue.filter(isWaiting)];
    const gone = earlier.filter(({ id }) => waiting.every((queued) => queued.id !== id));
    if (gone.length === 0 && waiting.length === earlier.length) return;
    // Changes run one after the other, so that a file that is chosen and removed at once does not stay.
    upload.cached = upload.cached
      .then(() => unlessRefused(() => cacheFiles(userId, waiting, gone)))
      .then((isComplete = false) => upload.change({ isStorageRefused: !isComplete }));
  });
  upload.stopCaching = stop;
  // The cache holds the files that are being sent until then.
  await upload.untilSent();
  await upload.cached;
  // The page may have been opened again meanwhile.
  if (upload.stopCaching !== stop) return;
  const { files = [], shared = [] } = (await unlessRefused(() => loadFiles(upload, userId))) ?? {};
  await choose(files.filter((file) => upload.state.queue.every(({ id }) => id !== identify(file))));
  // At this point the shared files are cached as chosen by this driver. Those that a full list has left out stay for the next upload.
  await upload.cached;
  const { queue } = upload.state;
  for (const { file, remove } of shared) {
    if (!isFull(queue) || queue.some(({ id }) => id === identify(file))) await remove();
  }
}

async function loadFiles(upload: Upload, userId: UserId) {
  const cache = await caches.open(CACHE_NAME);
  const files: File[] = [];
  const shared: { file: File; remove: () => Promise<boolean> }[] = [];
  for (const request of await cache.keys()) {
    const response = await cache.match(request);
    const read = (header: string) => response?.headers.get(header) ?? '';
    const owner = read(HEADERS.owner);
    const isOld = Date.now() - Number(read(HEADERS.keptAt)) > MAX_AGE_MS;
    if (response === undefined || isOld || (owner !== '' && owner !== userId)) {
      await cache.delete(request);
      continue;
    }
    const lastModified = Number(read(HEADERS.lastModified));
    const file = new File([await response.blob()], decodeURIComponent(read(HEADERS.name)), { lastModified });
    files.push(file);
    upload.tokens.set(file, response.headers.get(HEADERS.token) ?? undefined);
    if (owner === '') shared.push({ file, remove: () => cache.delete(request) });
  }
  return { files, shared };
}

/** Removes files, and stores those that are not there yet; says whether there is space for all of them. */
async function cacheFiles(
  userId: UserId,
  waiting: readonly QueuedLapFile[],
  gone: readonly QueuedLapFile[],
): Promise<boolean> {
  const cache = await caches.open(CACHE_NAME);
  for (const { file } of gone) await cache.delete(getCacheUrl(file));
  let isComplete = true;
  for (const { file } of waiting) {
    if (await cache.match(getCacheUrl(file))) continue;
    const headers = {
      [HEADERS.owner]: userId,
      [HEADERS.name]: encodeURIComponent(file.name),
      [HEADERS.lastModified]: String(file.lastModified),
      [HEADERS.keptAt]: String(Date.now()),
    };
    await unlessRefused(() => cache.put(getCacheUrl(file), new Response(file, { headers })));
    if (!(await cache.match(getCacheUrl(file)))) isComplete = false;
  }
  return isComplete;
}

/** Adds to a cached file that the server has it, so that another tab does not send it again. Without space the file stays as it is. */
export async function cacheToken(file: File, token: string | undefined): Promise<void> {
  if (token === undefined || !keepsFiles()) return;
  await unlessRefused(async () => {
    const cache = await caches.open(CACHE_NAME);
    const cached = await cache.match(getCacheUrl(file));
    if (!cached || cached.headers.get(HEADERS.token) === token) return;
    const headers = new Headers(cached.headers);
    headers.set(HEADERS.token, token);
    await cache.put(getCacheUrl(file), new Response(file, { headers }));
  });
}

/** Works with the cache; gives undefined where the browser refuses, for example because there is no space left. */
async function unlessRefused<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

function isWaiting({ status }: QueuedLapFile): boolean {
  return status !== 'uploaded';
}

function getCacheUrl(file: File): string {
  return `${folder}${encodeURIComponent(identify(file))}`;
}
