import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import Trophy from 'lucide-react/icons/trophy';
import Upload from 'lucide-react/icons/upload';
import UserRound from 'lucide-react/icons/user-round';
import { Link, useLocation, useSearch } from 'wouter';
import { mayModerate } from '#contract/people/labels.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { useWaiting } from '#web/api/waiting.ts';
import { ButtonLink, IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Count } from '#web/ui/count.tsx';
import { changeTheme, useTheme } from '#web/ui/theme.ts';
import { DemoChip } from './demo-notice.tsx';
import styles from './header.module.css';
import { NoticeBell } from './notice-bell.tsx';
import { ProfileMenu } from './profile-menu.tsx';
import { loginPath } from './return-path.ts';

export function Header() {
  const { user } = useCurrentUser();
  return (
    <header className={styles['header']}>
      <div className={styles['bar']}>
        <Link href="/" className={styles['home']} aria-label="Pitboard, home">
          <Mark />
          <span>Pitboard</span>
        </Link>
        <nav className={styles['nav']} aria-label="Main">
          <NavLink href="/leaderboards" label="Leaderboards" icon={<Trophy size={20} aria-hidden="true" />} />
          <NavLink href="/upload" label="Upload" icon={<Upload size={20} aria-hidden="true" />} />
          {mayModerate(user) && <ClubLink />}
        </nav>
        <div className={styles['side']}>
          <div className={styles['demo']}>
            <DemoChip />
          </div>
          <ThemeToggle />
          <div className={styles['account']} data-signed-in={Boolean(user)}>
            <Account />
          </div>
        </div>
      </div>
    </header>
  );
}

function NavLink({ href, label, icon }: { href: string; label: string; icon: React.ReactNode }) {
  const [path] = useLocation();
  return (
    <Link href={href} className={styles['navLink']} aria-current={path === href ? 'page' : undefined}>
      {icon}
      <span>{label}</span>
    </Link>
  );
}

/** Leads those who run the club to its pages. On phones the menu of the profile does. */
function ClubLink() {
  const [path] = useLocation();
  const { total } = useWaiting();
  const isOpen = path.startsWith('/club') || path.startsWith('/admin/');
  return (
    <Link
      href="/club"
      className={classNames(styles['navLink'], styles['clubLink'])}
      aria-current={isOpen ? 'page' : undefined}
    >
      Club <Count count={total} />
    </Link>
  );
}

function ThemeToggle() {
  const isDark = useTheme() === 'dark';
  return (
    <IconButton
      label={isDark ? 'Switch to light theme' : 'Switch to dark theme'}
      // The style sheet shows one of them, because it knows the theme before this script does.
      icon={
        <>
          <Sun size={20} aria-hidden="true" className={styles['inDark']} />
          <Moon size={20} aria-hidden="true" className={styles['inLight']} />
          <span className={styles['phoneLabel']}>Theme</span>
        </>
      }
      className={styles['theme']}
      onClick={() => changeTheme(isDark ? 'light' : 'dark')}
    />
  );
}

function Account() {
  const { user, leaving, isPending } = useCurrentUser();
  const [path] = useLocation();
  const search = useSearch();
  if (isPending || leaving) return null;
  if (user)
    return (
      <>
        <NoticeBell />
        <ProfileMenu user={user} />
      </>
    );
  return (
    <>
      <ButtonLink href={loginPath(path, search)} variant="primary" size="small" className={styles['signIn']}>
        Sign In
      </ButtonLink>
      <Link href={loginPath('/profile')} className={styles['guest']} aria-label="Profile" title="Profile">
        <UserRound size={20} aria-hidden="true" />
        <span className={styles['phoneLabel']}>Profile</span>
      </Link>
    </>
  );
}

// Draws a pit board: a sign with lines on a handle.
function Mark() {
  return (
    <svg width="22" height="24" viewBox="0 0 22 24" fill="none" strokeWidth="2.2" aria-hidden="true">
      <rect x="1.5" y="2" width="19" height="14" rx="3" stroke="currentColor" />
      <path d="M11 16v6.5" stroke="currentColor" strokeLinecap="round" />
      <path d="M5.8 7h10.4" stroke="var(--accent)" strokeLinecap="round" />
      <path d="M5.8 11.2h5.7" stroke="currentColor" strokeLinecap="round" />
    </svg>
  );
}
