import CalendarDays from 'lucide-react/icons/calendar-days';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Gauge from 'lucide-react/icons/gauge';
import LogOut from 'lucide-react/icons/log-out';
import PencilLine from 'lucide-react/icons/pencil-line';
import UserRound from 'lucide-react/icons/user-round';
import Wrench from 'lucide-react/icons/wrench';
import { useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import { formatDisplayName, mayModerate } from '#contract/people/labels.ts';
import type { User } from '#contract/people/schemas.ts';
import { useWaiting } from '#web/api/waiting.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { formatInitials } from '#web/ui/format.ts';
import { Count } from '#web/ui/count.tsx';
import { useCall } from '#web/ui/use-call.ts';
import styles from './profile-menu.module.css';

export function ProfileMenu({ user }: { user: User }) {
  const menuId = useId();
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const close = () => menu.current?.hidePopover();
  const name = formatDisplayName(user);

  return (
    <>
      <button
        type="button"
        className={styles['trigger']}
        popoverTarget={menuId}
        aria-expanded={isOpen}
        aria-label="Profile"
        title={name}
      >
        <Avatar src={user.profileImageUrl} letters={formatInitials(name)} size={32} />
        <ChevronDown size={16} aria-hidden="true" />
        <span className={styles['phoneLabel']}>Profile</span>
      </button>
      <div
        ref={menu}
        id={menuId}
        popover="auto"
        className={styles['menu']}
        onToggle={(event) => setIsOpen(event.newState === 'open')}
      >
        <p className={styles['who']}>
          {name}
          {user.email && <small>{user.email}</small>}
        </p>
        <Link href="/profile" className={styles['item']} onClick={close}>
          <UserRound size={18} aria-hidden="true" />
          Profile
        </Link>
        <Link href="/profile/edit" className={styles['item']} onClick={close}>
          <PencilLine size={18} aria-hidden="true" />
          Edit Profile
        </Link>
        <Link href="/drive" className={styles['item']} onClick={close}>
          <Gauge size={18} aria-hidden="true" />
          Drive
        </Link>
        <Link href="/events" className={styles['item']} onClick={close}>
          <CalendarDays size={18} aria-hidden="true" />
          Events
        </Link>
        {mayModerate(user) && <ClubLink onFollow={close} />}
        <SignOut />
      </div>
    </>
  );
}

function SignOut() {
  const { run, isBusy } = useCall('POST /api/logout', {
    failure: 'Sign Out Failed',
    // A full page load removes all data that this browser has fetched for the user; the provider leads back here.
    onDone: ({ continueAt }) => window.location.assign(continueAt ?? '/'),
    leavesPage: true,
  });
  return (
    <button
      type="button"
      className={styles['item']}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy}
      onClick={() => !isBusy && void run()}
    >
      <LogOut size={18} aria-hidden="true" />
      {isBusy ? 'Signing Out...' : 'Sign Out'}
    </button>
  );
}

function ClubLink({ onFollow }: { onFollow: () => void }) {
  const { total } = useWaiting();
  return (
    <Link href="/club" className={styles['item']} onClick={onFollow}>
      <Wrench size={18} aria-hidden="true" />
      Club <Count count={total} />
    </Link>
  );
}
