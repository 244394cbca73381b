import { PassThrough, type Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { listLiveSessions } from '#server/model/people/auth-session-store.ts';
import { countUnread, countUnreadByUser } from '#server/model/notices/notice-store.ts';

// Proxies close connections that are silent for a minute.
const COMMENT_EVERY_MS = 25_000;
// A browser has one stream for each visible tab.
const STREAMS_PER_USER_MAX = 5;

// The browser opens a new one, if it is still signed in.
const STREAM_LASTS_MS = 600_000;

type StreamSession = { userId: UserId; tokenSha256: string };

type OpenStream = StreamSession & {
  stream: PassThrough;
  endsAtMs: number;
  unread: number;
  spokenAtMs: number;
};

export type NoticeStreams = {
  /** Opens events with the number of unread notices, until the session ends. @throws AppError for too many streams */
  open: (session: StreamSession) => Promise<Readable>;
  close: () => Promise<void>;
};

type StreamDeps = {
  db: Database;
  log: FastifyBaseLogger;
  /** Is the time between two queries, each of which serves all streams of this copy of the server. */
  pollMs: number;
};

/**
 * Opens the streams of this copy of the server; it queries the database only while one is open. It polls because any copy
 * may make the notices, and notifications of PostgreSQL do not reach every installation (docs/decisions/0023).
 */
export function openNoticeStreams({ db, log, pollMs }: StreamDeps): NoticeStreams {
  const open = new Set<OpenStream>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    try {
      // Streams that open during these queries are not in their answers.
      const asked = [...open];
      await endSignedOut(db, asked);
      const counts = await countUnreadByUser(db, [...new Set(asked.map(({ userId }) => userId))]);
      for (const one of asked) if (!one.stream.writableEnded) update(one, counts.get(one.userId) ?? 0);
    } catch (error) {
      log.warn({ err: error }, 'Notices could not be counted for open pages');
    }
    timer = open.size === 0 ? undefined : setTimeout(() => void look(), pollMs);
    timer?.unref();
  }

  return {
    open: async (session) => {
      const { userId } = session;
      if ([...open].filter((one) => one.userId === userId).length >= STREAMS_PER_USER_MAX)
        throw new AppError('too_many_requests', 'Too many pages of yours wait for notices already.');
      const one: OpenStream = {
        ...session,
        stream: new PassThrough(),
        endsAtMs: Date.now() + STREAM_LASTS_MS,
        unread: -1,
        spokenAtMs: 0,
      };
      open.add(one);
      one.stream.once('close', () => open.delete(one));
      try {
        update(one, await countUnread(db, userId));
      } catch (error) {
        open.delete(one);
        throw error;
      }
      timer ??= setTimeout(() => void look(), pollMs).unref();
      return one.stream;
    },
    close: async () => {
      clearTimeout(timer);
      for (const { stream } of open) stream.end();
    },
  };
}

async function endSignedOut(db: Database, asked: readonly OpenStream[]): Promise<void> {
  const tokens = asked.map(({ tokenSha256 }) => tokenSha256);
  const live = new Set(await listLiveSessions(db, tokens));
  for (const one of asked) if (!live.has(one.tokenSha256)) one.stream.end();
}

function update(one: OpenStream, unread: number): void {
  const nowMs = Date.now();
  if (nowMs > one.endsAtMs) return void one.stream.end();
  if (unread !== one.unread) one.stream.write(`data: ${JSON.stringify({ unread })}\n\n`);
  else if (nowMs - one.spokenAtMs > COMMENT_EVERY_MS) one.stream.write(': still here\n\n');
  else return;
  one.unread = unread;
  one.spokenAtMs = nowMs;
}
