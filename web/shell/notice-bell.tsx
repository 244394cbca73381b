import { useQueryClient } from '@tanstack/react-query';
import Bell from 'lucide-react/icons/bell';
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { callApi } from '#web/api/call-api.ts';
import { followStream } from '#web/api/event-stream.ts';
import { useWaiting, waitingQuery } from '#web/api/waiting.ts';
import { refreshThisTab } from '#web/api/refresh.ts';
import { LoadingState } from '#web/ui/state-message.tsx';
import { pluralize } from '#web/ui/format.ts';
import styles from './notice-bell.module.css';

const NoticeList = lazy(async () => ({ default: (await import('./notice-list.tsx')).NoticeList }));

const COUNT_MAX = 99;

/**
 * Shows the number of unread notices in the header of signed-in users, and of what waits for a decision of theirs; opens the
 * list of both.
 */
export function NoticeBell() {
  const popoverId = useId();
  const popover = useRef<HTMLElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const unread = useUnread() ?? 0;
  const { total } = useWaiting();
  const count = unread + total;
  const label = ['Notices', unread > 0 && `${unread} unread`, total > 0 && `${total} to decide`]
    .filter(Boolean)
    .join(', ');
  return (
    <>
      <button
        type="button"
        className={styles['bell']}
        popoverTarget={popoverId}
        aria-expanded={isOpen}
        aria-label={label}
        title={label}
      >
        <span className={styles['icon']}>
          <Bell size={20} aria-hidden="true" />
          {count > 0 && (
            <span className={styles['count']} aria-hidden="true">
              {count > COUNT_MAX ? `${COUNT_MAX}+` : count}
            </span>
          )}
        </span>
        <span className={styles['phoneLabel']}>Notices</span>
      </button>
      <output className="visually-hidden">{unread > 0 && pluralize(unread, 'unread notice')}</output>
      <section
        ref={popover}
        id={popoverId}
        popover="auto"
        aria-label="Notices"
        className={styles['panel']}
        onToggle={(event) => setIsOpen(event.newState === 'open')}
      >
        {isOpen && (
          <Suspense fallback={<LoadingState>Loading notices...</LoadingState>}>
            <NoticeList onFollow={() => popover.current?.hidePopover()} />
          </Suspense>
        )}
      </section>
    </>
  );
}

// The page itself loads first.
const BEGIN_AFTER_MS = 2_000;
const POLL_EVERY_MS = 30_000;

/** Returns the number of unread notices, which follows the server as long as the page is looked at; null while it is not known. */
function useUnread(): number | null {
  const queryClient = useQueryClient();
  const [unread, setUnread] = useState<number | null>(null);

  useEffect(() => {
    let stop: (() => void) | undefined;
    const show = (count: number) => {
      void queryClient.invalidateQueries(waitingQuery);
      setUnread((before) => {
        if (count > (before ?? 0)) void refreshThisTab(['notices'], queryClient);
        return count;
      });
    };
    const timer = window.setTimeout(() => {
      stop = followStream({
        on: { notices: (data) => show(readUnread(data)) },
        poll: async () => show((await callApi('GET /api/notices', { query: { limit: 1 } })).unread),
        pollEveryMs: POLL_EVERY_MS,
      });
    }, BEGIN_AFTER_MS);
    return () => {
      window.clearTimeout(timer);
      stop?.();
    };
  }, [queryClient]);

  return unread;
}

function readUnread(data: unknown): number {
  return typeof data === 'object' && data !== null && 'unread' in data ? Number(data.unread) : 0;
}
