import type { Database } from '#server/kernel/database/database.ts';
import type { CarModel } from '#contract/cars/schemas.ts';
import type { Random } from '#engine/simulation/random.ts';
import type { Track } from '#engine/track.ts';
import type { Changes, KnownDriver } from './community.ts';

/** All that the calls of a soak share. */
export type Soak = {
  url: string;
  db: Database;
  random: Random;
  tracks: readonly Track[];
  models: readonly CarModel[];
  photo: Blob;
  drivers: KnownDriver[];
  changes: Changes;
  /** Drivers who are in the middle of a change; each makes one at a time. */
  busy: Set<KnownDriver>;
  counts: SoakCounts;
  /** Says what went wrong. */
  failures: string[];
  /** Answers that were had before, with their tags: by address and who asks. */
  tagged: Map<string, { etag: string; body: unknown }>;
};

export type SoakCounts = {
  calls: number;
  changes: number;
  boardsJudged: number;
  /** Boards that somebody changed while they were read. */
  boardsUnjudged: number;
  /** Answers of 304. */
  unchanged: number;
  wrongBoards: number;
  serverErrors: number;
};

/** One call as a driver, or as a guest; what is answered with an error is a failure of the soak. */
export async function call(
  soak: Soak,
  driver: KnownDriver | null,
  [method, path]: [method: string, path: string],
  body?: object,
): Promise<unknown> {
  soak.counts.calls += 1;
  const key = `${driver?.id} ${path}`;
  const known = method === 'GET' ? soak.tagged.get(key) : undefined;
  const response = await fetch(new URL(path, soak.url), {
    method,
    headers: {
      ...driver?.headers,
      origin: soak.url,
      ...(known && { 'if-none-match': known.etag }),
      ...typeOf(body),
    },
    ...(body && { body: payloadOf(body) }),
  });
  if (response.status === 304 && known) {
    soak.counts.unchanged += 1;
    return known.body;
  }
  const text = await response.text();
  if (response.status >= 500) soak.counts.serverErrors += 1;
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  const answer: unknown = path.startsWith('/api/') ? JSON.parse(text) : text;
  if (method === 'GET') remember(soak, key, { etag: response.headers.get('etag'), body: answer });
  return answer;
}

// Enough for the boards of a few drivers; the soak's own memory must stay flat too.
const TAGGED_MAX = 300;

function remember(
  { tagged }: Soak,
  key: string,
  { etag, body }: { etag: string | null; body: unknown },
): void {
  if (etag === null) return;
  const [oldest] = tagged.keys();
  if (tagged.size >= TAGGED_MAX && oldest !== undefined) tagged.delete(oldest);
  tagged.set(key, { etag, body });
}

function typeOf(body: object | undefined): Record<string, string> {
  const isJson = body && !(body instanceof Blob) && !(body instanceof FormData);
  return isJson ? { 'content-type': 'application/json' } : {};
}

function payloadOf(body: object): string | Blob | FormData {
  return body instanceof Blob || body instanceof FormData ? body : JSON.stringify(body);
}

/** One of several, at random. */
export function pick<Item>({ random }: Soak, items: readonly Item[]): Item {
  const item = items[Math.floor(random.uniform() * items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}
