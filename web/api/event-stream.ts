import { STREAM_EVENTS, type StreamEvent } from '#contract/stream/labels.ts';

// The one stream of a tab, for all that the server sends by itself.

export type StreamFollower = {
  /** The code of a live session that the follower also wants. */
  live?: string;
  on: Partial<Record<StreamEvent, (data: unknown) => void>>;
  /** Asks the server instead, where streams fail; every `pollEveryMs`. */
  poll: () => Promise<void>;
  pollEveryMs: number;
};

const STREAM_URL = '/api/stream';
// A proxy that collects an answer before it forwards it lets nothing through.
const FIRST_EVENT_WITHIN_MS = 10_000;
const TRY_AGAIN_AFTER_MS = 30_000;

const followers = new Set<StreamFollower>();
let connection: { url: string; close: () => void; last: Map<StreamEvent, unknown> } | null = null;

/**
 * Follows events of the server while the tab is looked at: a browser has six connections to a server without HTTP/2, so tabs in
 * the background use none. Returns the function that ends it.
 */
export function followStream(follower: StreamFollower): () => void {
  followers.add(follower);
  if (followers.size === 1) {
    document.addEventListener('visibilitychange', connect);
    window.addEventListener('online', reconnect);
  }
  const before = connection;
  connect();
  // A follower that comes later gets the state as well.
  if (connection === before) for (const [event, data] of connection?.last ?? []) follower.on[event]?.(data);
  return () => {
    followers.delete(follower);
    connect();
    if (followers.size > 0) return;
    document.removeEventListener('visibilitychange', connect);
    window.removeEventListener('online', reconnect);
  };
}

function connect(): void {
  const isWanted = followers.size > 0 && document.visibilityState === 'visible';
  const live = [...followers].find((follower) => follower.live !== undefined)?.live;
  const url = live === undefined ? STREAM_URL : `${STREAM_URL}?live=${encodeURIComponent(live)}`;
  if (isWanted && connection?.url === url) return;
  connection?.close();
  connection = isWanted ? openConnection(url) : null;
}

function reconnect(): void {
  connection?.close();
  connection = null;
  connect();
}

function openConnection(url: string): NonNullable<typeof connection> {
  const last = new Map<StreamEvent, unknown>();
  const polls = openPolls();
  const source = new EventSource(url);
  let again: number | undefined;
  const fail = (): void => {
    polls.start();
    again ??= window.setTimeout(reconnect, TRY_AGAIN_AFTER_MS);
  };
  const patience = window.setTimeout(fail, FIRST_EVENT_WITHIN_MS);
  for (const event of STREAM_EVENTS)
    source.addEventListener(event, ({ data }: MessageEvent<string>) => {
      window.clearTimeout(patience);
      window.clearTimeout(again);
      again = undefined;
      polls.stop();
      const parsed: unknown = JSON.parse(data);
      if (event === 'notices') last.set(event, parsed);
      for (const follower of followers) follower.on[event]?.(parsed);
    });
  source.addEventListener('error', () => {
    // The browser reconnects automatically, unless the connection was refused.
    if (source.readyState === EventSource.CLOSED) fail();
  });
  return {
    url,
    last,
    close: () => {
      source.close();
      polls.stop();
      window.clearTimeout(patience);
      window.clearTimeout(again);
    },
  };
}

/** Lets every follower ask the server in turn. */
function openPolls(): { start: () => void; stop: () => void } {
  const timers = new Map<StreamFollower, number>();
  let isOn = false;
  const poll = async (follower: StreamFollower): Promise<void> => {
    try {
      await follower.poll();
    } catch {
      // The network may come back, and who has signed out reloads the page.
    }
    if (isOn && followers.has(follower))
      timers.set(
        follower,
        window.setTimeout(() => void poll(follower), follower.pollEveryMs),
      );
  };
  return {
    start: () => {
      if (isOn) return;
      isOn = true;
      for (const follower of followers) void poll(follower);
    },
    stop: () => {
      isOn = false;
      for (const timer of timers.values()) window.clearTimeout(timer);
      timers.clear();
    },
  };
}
