import type { DownloadProgress } from '#engine/receivers/download-progress.ts';
import { LostLink, type GattLink } from './gatt-link.ts';
import type { DownloadOptions } from './memory-types.ts';
import { ReceiverError } from './receiver.ts';
import { untilDone } from './reconnect.ts';

/** A device that says nothing for so long has stopped. */
const PATIENCE_MS = 10_000;
/** After so many breaks without a new byte something is wrong for good. */
const BREAKS_MAX = 5;
/** The screen need not know more often. */
const PROGRESS_EVERY_MS = 200;

/** Describes one attempt: it takes what comes, and says how far it is. */
export type Attempt = {
  begin: () => Promise<void>;
  /** Returns the bytes to append to those that are kept. */
  take: (channel: string, bytes: Uint8Array) => Uint8Array<ArrayBuffer>;
  progress: () => DownloadProgress;
};

/**
 * Downloads with as many connections as it takes; returns all bytes. After a break the device sends everything again, and what has come before
 * is compared and passed over.
 */
export async function downloadWhole(
  link: GattLink,
  begin: (kept: Uint8Array) => Attempt,
  options: DownloadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces = new Pieces();
  let breaks = 0;
  for (;;) {
    const before = pieces.length;
    try {
      return await attempt(link, begin(pieces.join()), pieces, options);
    } catch (error) {
      if (!(error instanceof LostLink)) throw error;
      breaks = pieces.length > before ? 0 : breaks + 1;
      if (breaks === BREAKS_MAX)
        throw new ReceiverError(
          'The connection breaks again and again. Go closer to the receiver, and go on.',
        );
      link.close();
      options.onBreak?.();
      await untilDone(
        () => link.connect(),
        () => options.signal?.aborted !== true,
      );
      options.signal?.throwIfAborted();
    }
  }
}

async function attempt(
  link: GattLink,
  { begin, take, progress }: Attempt,
  pieces: Pieces,
  { onProgress, signal }: DownloadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const showProgress = () => onProgress?.(progress());
  const timer = setInterval(showProgress, PROGRESS_EVERY_MS);
  const receive = (channel: string, bytes: Uint8Array) => {
    const added = take(channel, bytes);
    if (added.length > 0) pieces.add(added);
    const now = progress();
    return now.phase === 'done' || now.phase === 'failed' ? now : null;
  };
  const listening = link.listen(begin, receive, { patienceMs: PATIENCE_MS, signal });
  const end = await listening.finally(() => {
    clearInterval(timer);
    showProgress();
  });
  if (end.phase === 'failed') throw new ReceiverError(end.problem ?? 'The download failed. Try again.');
  return pieces.join();
}

/** Collects bytes without copying all of them for every new piece. */
class Pieces {
  readonly #pieces: Uint8Array[] = [];
  length = 0;

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.length += piece.length;
  }

  join(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.length);
    let offset = 0;
    for (const piece of this.#pieces) {
      all.set(piece, offset);
      offset += piece.length;
    }
    return all;
  }
}
