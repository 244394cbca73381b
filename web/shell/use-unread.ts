import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callApi } from '#web/api/call-api.ts';
import { refreshThisTab } from '#web/api/refresh.ts';

const STREAM_URL = '/api/notices/stream';
// The page itself loads first.
const BEGIN_AFTER_MS = 2_000;
const POLL_EVERY_MS = 30_000;

/** Returns the number of unread notices, which follows the server as long as the page is looked at; null while it is not known. */
export function useUnread(): number | null {
  const queryClient = useQueryClient();
  const [unread, setUnread] = useState<number | null>(null);

  useEffect(() => {
    let stop: (() => void) | undefined;
    const show = (count: number) => {
      setUnread((before) => {
        if (count > (before ?? 0)) void refreshThisTab(['notices'], queryClient);
        return count;
      });
    };
    // A browser has six connections to a server without HTTP/2, so tabs in the background use none.
    const follow = () => {
      stop?.();
      stop = document.visibilityState === 'visible' ? listen(show) : undefined;
    };
    const timer = window.setTimeout(() => {
      follow();
      document.addEventListener('visibilitychange', follow);
    }, BEGIN_AFTER_MS);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', follow);
      stop?.();
    };
  }, [queryClient]);

  return unread;
}

/** Listens to server-sent events; if a proxy or the server refuses them, it polls the number. */
function listen(show: (unread: number) => void): () => void {
  const source = new EventSource(STREAM_URL);
  let timer: number | undefined;
  const poll = async (): Promise<void> => {
    try {
      show((await callApi('GET /api/notices', { query: { limit: 1 } })).unread);
      timer = window.setTimeout(() => void poll(), POLL_EVERY_MS);
    } catch {
      // The user has signed out in the meantime.
    }
  };
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const { unread }: { unread: number } = JSON.parse(data);
    show(unread);
  });
  source.addEventListener('error', () => {
    // The browser reconnects automatically, unless the connection was refused.
    if (source.readyState === EventSource.CLOSED) void poll();
  });
  return () => {
    source.close();
    window.clearTimeout(timer);
  };
}
