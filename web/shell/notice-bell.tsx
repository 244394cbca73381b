import { Bell } from 'lucide-react';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import { LoadingState } from '#web/ui/state-message.tsx';
import { pluralize } from '#web/ui/format.ts';
import styles from './notice-bell.module.css';
import { useUnread } from './use-unread.ts';

const NoticeList = lazy(async () => ({ default: (await import('./notice-list.tsx')).NoticeList }));

const COUNT_MAX = 99;

/** Shows the number of unread notices in the header of signed-in users; opens the list of notices. */
export function NoticeBell() {
  const popoverId = useId();
  const popover = useRef<HTMLElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const unread = useUnread() ?? 0;
  const label = unread === 0 ? 'Notices' : `Notices, ${unread} unread`;
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
          {unread > 0 && (
            <span className={styles['count']} aria-hidden="true">
              {unread > COUNT_MAX ? `${COUNT_MAX}+` : unread}
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
