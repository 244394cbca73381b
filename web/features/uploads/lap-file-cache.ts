import { LAP_FILE_CACHE } from '#contract/lap-file-cache.ts';
import { identify, type QueuedLapFile } from './lap-file-queue.ts';
import type { Upload } from './upload-store.ts';

// The browser keeps chosen files until they are uploaded: a tab that is closed, or a phone that runs out of battery, loses none of them.
// The service worker puts files that another app shares into the same cache.

const { name: CACHE_NAME, folder, headers: HEADERS } = LAP_FILE_CACHE;
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Chooses the files that `userId` has chosen before, or shared from another app, and caches those that are chosen from now on. Files of
 * other users of this browser are removed. Browsers without a cache, and pages without HTTPS, keep nothing.
 */
export async function openLapFileCache(
  upload: Upload,
  userId: string,
  choose: (files: readonly File[]) => Promise<void>,
): Promise<void> {
  upload.stopCaching();
  if (!('caches' in window)) return;
  // One change follows the other: a file that is chosen and removed at once does not stay.
  let changed = Promise.resolve();
  upload.stopCaching = upload.store.subscribe((state, before) => {
    const [waiting, earlier] = [state.queue.filter(isWaiting), before.queue.filter(isWaiting)];
    const gone = earlier.filter(({ id }) => waiting.every((queued) => queued.id !== id));
    if (gone.length === 0 && waiting.length === earlier.length) return;
    const follow = async (earlierChange: Promise<void>) => {
      await earlierChange;
      const isComplete = await attempt(() => cacheFiles(userId, waiting, gone), false);
      upload.change({ isCacheFull: !isComplete });
    };
    changed = follow(changed);
  });
  const nothing: CachedFiles = { files: [], shared: [] };
  const { files, shared } = await attempt(() => loadFiles(upload, userId), nothing);
  await choose(files);
  // By now the files in them are cached as chosen by this driver.
  await changed;
  await attempt(() => deleteAll(shared), undefined);
}

type CachedFiles = { files: File[]; shared: Request[] };

async function loadFiles(upload: Upload, userId: string): Promise<CachedFiles> {
  const cache = await caches.open(CACHE_NAME);
  const found: CachedFiles = { files: [], shared: [] };
  for (const request of await cache.keys()) {
    const response = await cache.match(request);
    if (response === undefined) continue;
    const read = (header: string) => response.headers.get(header) ?? '';
    const owner = read(HEADERS.owner);
    const isOld = Date.now() - Number(read(HEADERS.keptAt)) > MAX_AGE_MS;
    if (isOld || (owner !== '' && owner !== userId)) {
      await cache.delete(request);
      continue;
    }
    const lastModified = Number(read(HEADERS.lastModified));
    const file = new File([await response.blob()], decodeURIComponent(read(HEADERS.name)), { lastModified });
    found.files.push(file);
    upload.tokens.set(file, response.headers.get(HEADERS.token) ?? undefined);
    if (owner === '') found.shared.push(request);
  }
  return found;
}

async function deleteAll(requests: readonly Request[]): Promise<void> {
  const cache = await caches.open(CACHE_NAME);
  for (const request of requests) await cache.delete(request);
}

/** Removes files, and stores those that are not there yet; says whether all of them are there afterwards. */
async function cacheFiles(
  userId: string,
  waiting: readonly QueuedLapFile[],
  gone: readonly QueuedLapFile[],
): Promise<boolean> {
  const cache = await caches.open(CACHE_NAME);
  for (const { file } of gone) await cache.delete(urlOf(file));
  let isComplete = true;
  for (const { file } of waiting) {
    if (await cache.match(urlOf(file))) continue;
    const headers = new Headers({
      [HEADERS.owner]: userId,
      [HEADERS.name]: encodeURIComponent(file.name),
      [HEADERS.lastModified]: String(file.lastModified),
      [HEADERS.keptAt]: String(Date.now()),
    });
    isComplete = (await put(cache, file, headers)) && isComplete;
  }
  return isComplete;
}

/** Adds to a cached file that the server has it, so that another tab does not send it again. */
export async function cacheToken(upload: Upload, file: File, token: string | undefined): Promise<void> {
  if (token === undefined || !('caches' in window)) return;
  const isCached = await attempt(async () => {
    const cache = await caches.open(CACHE_NAME);
    const cached = await cache.match(urlOf(file));
    if (!cached || cached.headers.get(HEADERS.token) === token) return true;
    const headers = new Headers(cached.headers);
    headers.set(HEADERS.token, token);
    return await put(cache, file, headers);
  }, false);
  if (!isCached) upload.change({ isCacheFull: true });
}

/** Stores a file, and says whether it is in the cache afterwards: where there is no space left, an earlier entry may stay. */
async function put(cache: Cache, file: File, headers: Headers): Promise<boolean> {
  const isStored = await attempt(async () => {
    await cache.put(urlOf(file), new Response(file, { headers }));
    return true;
  }, false);
  return isStored || (await cache.match(urlOf(file))) !== undefined;
}

/** Works with the cache; gives `fallback` where the browser refuses, for example because there is no space left. */
async function attempt<Result>(work: () => Promise<Result>, fallback: Result): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DOMException) return fallback;
    throw error;
  }
}

function isWaiting({ status }: QueuedLapFile): boolean {
  return status !== 'uploaded';
}

function urlOf(file: File): string {
  return `${folder}${encodeURIComponent(identify(file))}`;
}
