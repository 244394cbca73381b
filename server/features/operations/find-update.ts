import { z } from 'zod';

const ANSWER_WITHIN_MS = 5_000;
const ANSWER_BYTES_MAX = 1_000_000;
const CHECK_EVERY_MS = 12 * 60 * 60_000;

// The registry has the first form, as for `npm view`; GitHub's `releases/latest` has the second.
const releaseSchema = z.union([
  z.object({ version: z.string() }).transform(({ version }) => version),
  z.object({ tag_name: z.string() }).transform(({ tag_name: tag }) => tag.replace(/^v/, '')),
]);

/** Asks `url` for the latest version, at most twice a day; returns it if it is newer than `version`, else null. */
export function watchUpdates(
  url: string | null,
  version: string,
  onFailure: (error: unknown) => void,
): () => Promise<string | null> {
  let latest: string | null = null;
  let checkedAtMs = -Infinity;
  return async () => {
    if (url === null || Date.now() - checkedAtMs < CHECK_EVERY_MS) return latest;
    checkedAtMs = Date.now();
    try {
      const found = await fetchLatest(url);
      latest = isNewer(found, version) ? found : null;
    } catch (error) {
      onFailure(error);
    }
    return latest;
  };
}

async function fetchLatest(url: string): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  if (!response.ok || !response.body) throw new Error(`The address of updates answered ${response.status}.`);
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of response.body) {
    byteCount += chunk.byteLength;
    if (byteCount > ANSWER_BYTES_MAX) throw new Error('The address of updates answered too much.');
    chunks.push(chunk);
  }
  const parsed: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  return releaseSchema.parse(parsed);
}

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** Tests if `found` is a later release; a version with a suffix, such as 1.0.0-beta, is not. */
export function isNewer(found: string, version: string): boolean {
  const [, ...later] = VERSION.exec(found) ?? [];
  const [, ...own] = VERSION.exec(version.replace(/-.*$/, '')) ?? [];
  if (later.length === 0 || own.length === 0) return false;
  const differing = later.findIndex((part, index) => part !== own[index]);
  return differing >= 0 && Number(later[differing]) > Number(own[differing]);
}
