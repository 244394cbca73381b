import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** An answer as bytes, ready to be sent. */
export type FinishedBoard = {
  json: Buffer;
  /** Null where it is too small to gain by it. */
  gzipped: Buffer | null;
  /** Of the content, however it is encoded. */
  etag: string;
  /** What it takes to keep it. */
  byteCount: number;
};

/**
 * Finished answers of one process. What is kept under a key is only given for the very version that it was made of, so copies of
 * the server never show each other's old boards; calls that come at once make an answer together.
 */
export type FinishedBoards = {
  get: (key: string, version: string, make: () => Promise<FinishedBoard>) => Promise<FinishedBoard>;
};

type Entry = { version: string; board: Promise<FinishedBoard>; byteCount: number };

// Some thousand pages of boards.
const BYTES_MAX = 64 * 1024 * 1024;
// What an entry costs besides its bytes.
const ENTRY_BYTES = 1_000;
const GZIP_BYTES_MIN = 1_024;

export function keepFinishedBoards(bytesMax = BYTES_MAX): FinishedBoards {
  // In the order of their last use.
  const entries = new Map<string, Entry>();
  let byteCount = 0;

  const drop = (key: string, entry: Entry): void => {
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    byteCount -= entry.byteCount;
  };
  const weigh = (key: string, entry: Entry, board: FinishedBoard): void => {
    if (entries.get(key) !== entry) return;
    entry.byteCount = board.byteCount + ENTRY_BYTES;
    byteCount += entry.byteCount;
    for (const [oldKey, old] of entries) {
      if (byteCount <= bytesMax) return;
      drop(oldKey, old);
    }
  };

  return {
    get: (key, version, make) => {
      const known = entries.get(key);
      if (known) entries.delete(key);
      if (known?.version === version) {
        entries.set(key, known);
        return known.board;
      }
      byteCount -= known?.byteCount ?? 0;
      const entry: Entry = { version, board: make(), byteCount: 0 };
      entries.set(key, entry);
      entry.board.then(
        (board) => weigh(key, entry, board),
        () => drop(key, entry),
      );
      return entry.board;
    },
  };
}

/** Writes an answer down. */
export async function finishBoard(answer: unknown): Promise<FinishedBoard> {
  const json = Buffer.from(JSON.stringify(answer));
  const gzipped = json.length < GZIP_BYTES_MIN ? null : await promisify(gzip)(json);
  const byteCount = json.length + (gzipped?.length ?? 0);
  return { json, gzipped, etag: etagOf(gzipped ?? json), byteCount };
}

/** The etag of an answer, from its compressed bytes where there are any: hashing megabytes would hold up other calls. */
export function etagOf(bytes: Buffer): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url')}"`;
}
