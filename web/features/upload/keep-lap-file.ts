import { LAP_FILE_CACHE } from '#contract/upload/labels.ts';

/**
 * Keeps a lap file of this browser for the next upload, without an owner: the upload page chooses it as one that another app has shared.
 * Returns false where the browser has no space for it.
 */
export async function keepLapFile(file: File): Promise<boolean> {
  if (typeof caches === 'undefined') return false;
  const { name, folder, headers } = LAP_FILE_CACHE;
  try {
    const cache = await caches.open(name);
    const url = `${folder}shared-${encodeURIComponent(`${file.name}:${file.size}`)}`;
    const kept = {
      [headers.owner]: '',
      [headers.name]: encodeURIComponent(file.name),
      [headers.lastModified]: String(file.lastModified),
      [headers.keptAt]: String(Date.now()),
    };
    await cache.put(url, new Response(file, { headers: kept }));
    return (await cache.match(url)) !== undefined;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}
