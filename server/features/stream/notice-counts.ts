import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { type UserId, userIdSchema } from '#contract/ids.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { type EventStream, formatEvent } from '#server/kernel/http/event-streams.ts';
import { listLiveSessions } from '#server/model/people/auth-session-store.ts';
import { ACCESS_TOPIC } from '#server/model/people/ending-store.ts';
import { countUnreadByUser, NOTICES_TOPIC } from '#server/model/notices/notice-store.ts';

type SignedIn = { userId: UserId; tokenSha256: string };
type Follower = SignedIn & { stream: EventStream; unread: number };

export type NoticeCounts = {
  /** Sends the number of unread notices to a stream, and ends the stream with its session, or when its user leaves. */
  follow: (stream: EventStream, session: SignedIn) => Promise<void>;
};

type CountDeps = {
  database: OpenDatabase;
  log: FastifyBaseLogger;
  /** So much time passes between two looks at the database where no notifications come. */
  pollMs: number;
};

// Finds sessions that expire, and makes up for a message that was lost.
const POLL_WHILE_LISTENING_MS = 30_000;
// A job that makes notices for many users sends several messages.
const GATHER_MS = 50;

const userIdsSchema = z.array(userIdSchema);

/** Counts for the streams of this copy of the server; one look serves all of them. */
export function openNoticeCounts({ database, log, pollMs }: CountDeps): NoticeCounts {
  const followers = new Set<Follower>();
  const dueUsers = new Set<UserId>();
  let timer: NodeJS.Timeout | undefined;
  let dueAtMs = Infinity;
  let isLooking = false;

  function plan(afterMs: number): void {
    const atMs = performance.now() + afterMs;
    if (isLooking || atMs >= dueAtMs) return;
    clearTimeout(timer);
    dueAtMs = atMs;
    timer = setTimeout(() => void look(), afterMs).unref();
  }

  async function look(): Promise<void> {
    isLooking = true;
    const some = new Set(dueUsers);
    dueUsers.clear();
    // Streams that open during these queries are not in their answers.
    const asked = [...followers].filter(({ userId }) => some.size === 0 || some.has(userId));
    try {
      await update(database, asked);
    } catch (error) {
      log.warn({ err: error }, 'Notices could not be counted for open pages');
    }
    isLooking = false;
    dueAtMs = Infinity;
    if (followers.size === 0) return;
    if (dueUsers.size > 0) plan(GATHER_MS);
    else plan(database.notifications.isListening() ? POLL_WHILE_LISTENING_MS : pollMs);
  }

  const onMessage = (text: string): void => {
    for (const userId of userIdsSchema.parse(JSON.parse(text))) dueUsers.add(userId);
    if ([...followers].some(({ userId }) => dueUsers.has(userId))) plan(GATHER_MS);
    else dueUsers.clear();
  };
  let isSubscribed = false;
  function subscribe(): void {
    if (isSubscribed) return;
    isSubscribed = true;
    for (const topic of [NOTICES_TOPIC, ACCESS_TOPIC])
      database.notifications.subscribe(topic, { onMessage, onGap: () => plan(0) });
  }

  return {
    follow: async (stream, session) => {
      subscribe();
      const follower = { ...session, stream, unread: -1 };
      followers.add(follower);
      stream.onClose(() => followers.delete(follower));
      await update(database, [follower]);
      plan(database.notifications.isListening() ? POLL_WHILE_LISTENING_MS : pollMs);
    },
  };
}

async function update({ db }: OpenDatabase, asked: readonly Follower[]): Promise<void> {
  if (asked.length === 0) return;
  const live = new Set(
    await listLiveSessions(
      db,
      asked.map(({ tokenSha256 }) => tokenSha256),
    ),
  );
  for (const { tokenSha256, stream } of asked) if (!live.has(tokenSha256)) stream.end();
  const counts = await countUnreadByUser(db, [...new Set(asked.map(({ userId }) => userId))]);
  for (const follower of asked) {
    const unread = counts.get(follower.userId) ?? 0;
    if (unread === follower.unread) continue;
    follower.unread = unread;
    follower.stream.send(formatEvent('notices', { unread }));
  }
}
