import { LAP_FILE_CACHE } from '#contract/lap-file-cache.ts';
import { identify, type QueuedLapFile } from './lap-file-queue.ts';
import { rememberToken } from './sent-files.ts';
import { useUpload } from './upload-store.ts';

// The browser keeps chosen files until they are uploaded: a tab that is closed, or a phone that runs out of battery, loses none of them.
// Its cache is where the service worker puts files that another app shares, too.

const { name: CACHE_NAME, folder, headers: HEADERS } = LAP_FILE_CACHE;
const KEPT_FOR_MS = 7 * 24 * 60 * 60 * 1000;

let stopKeeping = (): void => undefined;

/**
 * Gives the files that `userId` has chosen before, or shared from another app, and keeps those that are chosen from now on. Files of
 * other users of this browser are removed. Browsers without a cache, and pages without HTTPS, keep nothing.
 */
export async function keepLapFiles(userId: string): Promise<File[]> {
  stopKeeping();
  if (!('caches' in window)) return [];
  stopKeeping = useUpload.subscribe(({ queue }, before) => {
    if (queue !== before.queue) void followQueue(userId, queue, before.queue).catch(() => undefined);
  });
  return await loadFiles(userId).catch(() => []);
}

async function loadFiles(userId: string): Promise<File[]> {
  const cache = await caches.open(CACHE_NAME);
  const files: File[] = [];
  for (const request of await cache.keys()) {
    const response = await cache.match(request);
    const read = (header: string) => response?.headers.get(header) ?? '';
    const owner = read(HEADERS.owner);
    const isOld = Date.now() - Number(read(HEADERS.keptAt)) > KEPT_FOR_MS;
    const isOfOther = owner !== '' && owner !== userId;
    if (response && !isOld && !isOfOther) {
      const lastModified = Number(read(HEADERS.lastModified));
      const file = new File([await response.blob()], decodeURIComponent(read(HEADERS.name)), {
        lastModified,
      });
      files.push(file);
      rememberToken(file, response.headers.get(HEADERS.token) ?? undefined);
      if (owner !== '') continue;
      // What was shared belongs to this driver from now on.
      await keepFile(cache, userId, file);
    }
    await cache.delete(request);
  }
  return files;
}

async function followQueue(
  userId: string,
  queue: readonly QueuedLapFile[],
  before: readonly QueuedLapFile[],
): Promise<void> {
  const [now, earlier] = [queue.filter(waits), before.filter(waits)];
  const added = now.filter(({ id }) => !earlier.some((one) => one.id === id));
  const gone = earlier.filter(({ id }) => !now.some((one) => one.id === id));
  if (added.length + gone.length === 0) return;
  const cache = await caches.open(CACHE_NAME);
  for (const { file } of gone) await cache.delete(address(file));
  for (const { file } of added) {
    if (!(await cache.match(address(file)))) await keepFile(cache, userId, file);
  }
}

/** Notes with a kept file that the server has it, so that another tab does not send it again. */
export async function keepToken(file: File, token: string | undefined): Promise<void> {
  if (token === undefined || !('caches' in window)) return;
  const cache = await caches.open(CACHE_NAME);
  const kept = await cache.match(address(file));
  if (!kept || kept.headers.get(HEADERS.token) === token) return;
  const headers = new Headers(kept.headers);
  headers.set(HEADERS.token, token);
  await cache.put(address(file), new Response(file, { headers }));
}

function waits({ status }: QueuedLapFile): boolean {
  return status !== 'uploaded';
}

async function keepFile(cache: Cache, userId: string, file: File): Promise<void> {
  const headers = {
    [HEADERS.owner]: userId,
    [HEADERS.name]: encodeURIComponent(file.name),
    [HEADERS.lastModified]: String(file.lastModified),
    [HEADERS.keptAt]: String(Date.now()),
  };
  await cache.put(address(file), new Response(file, { headers }));
}

function address(file: File): string {
  return `${folder}${encodeURIComponent(identify(file))}`;
}
