import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

export type CachedResponse = {
  json: Buffer;
  /** The compressed body; null where the body is too small to gain by it. */
  gzipped: Buffer | null;
  /** The ETag of the content, however it is encoded. */
  etag: string;
};

/** Gives the response for a key at a version; else `build` gives its JSON text, once for all calls that wait. */
export type ResponseCache = (
  key: string,
  version: string,
  build: () => Promise<string>,
) => Promise<CachedResponse>;

// The cache holds some thousand pages of boards.
const BYTES_MAX = 64 * 1024 * 1024;
// An entry costs so much besides its body.
const ENTRY_BYTES = 1_000;
const GZIP_BYTES_MIN = 1_024;

/**
 * A cache of one process. A response is only found under the very version that it was built for, so copies of the server never
 * show each other's old ones. Responses of old versions are not asked for any more and are evicted first.
 */
export function openResponseCache(bytesMax = BYTES_MAX): ResponseCache {
  const cache = new LRUCache<string, CachedResponse, () => Promise<string>>({
    maxSize: bytesMax,
    sizeCalculation: ({ json, gzipped }) => json.length + (gzipped?.length ?? 0) + ENTRY_BYTES,
    fetchMethod: async (_key, _stale, { context: build }) => toResponse(await build()),
    // Evicted during its build, a response still goes to the calls that wait for it.
    ignoreFetchAbort: true,
  });
  return (key, version, build) => cache.forceFetch(`${version} ${key}`, { context: build });
}

export async function toResponse(text: string): Promise<CachedResponse> {
  const json = Buffer.from(text);
  const gzipped = json.length < GZIP_BYTES_MIN ? null : await promisify(gzip)(json);
  // The compressed bytes are hashed where there are any: hashing megabytes would hold up other calls.
  const hash = createHash('sha256').update(gzipped ?? json);
  return { json, gzipped, etag: `W/"${hash.digest('base64url')}"` };
}
