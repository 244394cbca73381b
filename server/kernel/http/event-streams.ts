import { PassThrough, type Readable } from 'node:stream';
import { AppError } from '#server/kernel/errors.ts';

// Proxies close connections that are silent for a minute.
const COMMENT_EVERY_MS = 25_000;
// The browser opens a new one, if it still may.
const STREAM_LASTS_MS = 600_000;
// A reader who takes this little gets a new stream, with the state of then.
const WAITING_BYTES_MAX = 256 * 1024;
// After a restart, browsers come back at moments of their own.
const RETRY_MIN_MS = 1_000;
const RETRY_SPREAD_MS = 2_000;

/** One stream of server-sent events. */
export type EventStream = {
  readable: Readable;
  /** Sends a frame of `formatEvent`; many streams can share one. */
  send: (frame: string) => void;
  end: () => void;
  onClose: (callback: () => void) => void;
  isOpen: () => boolean;
};

/** Names who holds a stream, and how many of that name this copy of the server takes. */
export type StreamHolder = { key: string; max: number };

export type EventStreams = {
  /** @throws AppError `too_many_requests` */
  open: (holder: StreamHolder) => EventStream;
  /** Ends all streams; the server stops. */
  close: () => void;
};

export function formatEvent(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Opens the streams of this copy of the server, and ends each after ten minutes. */
export function openEventStreams(): EventStreams {
  const holders = new Map<string, Set<PassThrough>>();
  return {
    open: ({ key, max }) => {
      const held = holders.get(key) ?? new Set();
      if (held.size >= max)
        throw new AppError('too_many_requests', 'Too many pages of yours are open already.');
      const stream = new PassThrough();
      holders.set(key, held.add(stream));
      const timers = [
        setInterval(() => stream.write(': still here\n\n'), COMMENT_EVERY_MS).unref(),
        setTimeout(() => stream.end(), STREAM_LASTS_MS).unref(),
      ];
      const callbacks: (() => void)[] = [];
      // A stream that is ended takes nothing more, even before its reader is gone.
      const close = (): void => {
        for (const timer of timers) clearTimeout(timer);
        held.delete(stream);
        if (held.size === 0 && holders.get(key) === held) holders.delete(key);
        for (const callback of callbacks.splice(0)) callback();
      };
      stream.once('finish', close).once('close', close);
      stream.write(`retry: ${Math.round(RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS)}\n\n`);
      return {
        readable: stream,
        send: (frame) => {
          if (stream.writableEnded || stream.destroyed) return;
          if (stream.writableLength > WAITING_BYTES_MAX) stream.destroy();
          else stream.write(frame);
        },
        end: () => void stream.end(),
        onClose: (callback) => void callbacks.push(callback),
        isOpen: () => !stream.writableEnded && !stream.destroyed,
      };
    },
    close: () => {
      for (const held of holders.values()) for (const stream of held) stream.end();
    },
  };
}
