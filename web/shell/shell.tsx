import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { FormatChoice } from '#contract/formats/labels.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { useSignInAgain } from '#web/api/sign-in-again.ts';
import { useSessionExpired } from '#web/api/session-expired.ts';
import { useScrollToTop } from '#web/ui/navigation.ts';
import { leaveToastsBehind } from '#web/ui/toasts.ts';
import { DemoNotice } from './demo-notice.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { GuestFormats } from './guest-formats.tsx';
import { Header } from './header.tsx';
import { reloadOnce } from './reload-once.ts';
import styles from './shell.module.css';

const MAIN_ID = 'main';

const Toaster = lazy(async () => ({ default: await loadToaster() }));

const LeavingAccount = lazy(async () => ({
  default: (await import('./leaving-account.tsx')).LeavingAccount,
}));

const SessionExpiredDialog = lazyDialog((dialogs) => dialogs.SessionExpiredDialog);

const SignInAgainDialog = lazyDialog((dialogs) => dialogs.SignInAgainDialog);

/** Renders the frame of every page: skip link, navigation, footer, toasts, and an error boundary. */
export function Shell({ guestFormats, children }: { guestFormats: FormatChoice; children: ReactNode }) {
  const [path] = useLocation();
  const { leaving } = useCurrentUser();
  useScrollToTop();
  useEffect(leaveToastsBehind, [path]);
  return (
    <>
      <a href={`#${MAIN_ID}`} className={styles['skip']}>
        Skip to content
      </a>
      <Header />
      <main id={MAIN_ID} tabIndex={-1} className={styles['main']}>
        <ErrorBoundary resetKey={path}>
          {leaving ? (
            <Suspense fallback={null}>
              <LeavingAccount user={leaving} />
            </Suspense>
          ) : (
            children
          )}
        </ErrorBoundary>
      </main>
      <footer className={styles['footer']}>
        <div className={styles['footerBar']}>
          <span>Pitboard</span>
          <Link href="/events" className={styles['formats']}>
            Events
          </Link>
          <span>Every lap time is computed from its GPS file.</span>
          <GuestFormats choice={guestFormats} />
          <DemoNotice />
        </div>
      </footer>
      <LateToaster />
      <SignInNotice />
    </>
  );
}

// The toaster loads after the page, because hardly any visit shows a toast in its first second.
function LateToaster() {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setIsLate(true), 1_000);
    return () => window.clearTimeout(timer);
  }, []);
  return isLate ? (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  ) : null;
}

const LOAD_AGAIN_AFTER_MS = 5_000;

// The page stays if the connection is lost at this moment.
async function loadToaster(): Promise<ComponentType> {
  try {
    return (await import('#web/ui/toaster.tsx')).Toaster;
  } catch {
    void reloadOnce();
    await new Promise((resolve) => window.setTimeout(resolve, LOAD_AGAIN_AFTER_MS));
    return loadToaster();
  }
}

function lazyDialog<Props>(
  choose: (dialogs: typeof import('./sign-in-dialogs.tsx')) => ComponentType<Props>,
) {
  return lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: choose(await import('./sign-in-dialogs.tsx')) };
    } catch {
      void reloadOnce();
      return { default: () => null };
    }
  });
}

function SignInNotice() {
  const { user } = useCurrentUser();
  const isLost = useSessionExpired();
  const signInAgain = useSignInAgain();
  if (!user || !(isLost || signInAgain !== null)) return null;
  return (
    <Suspense fallback={null}>
      {isLost ? (
        <SessionExpiredDialog user={user} />
      ) : (
        signInAgain !== null && <SignInAgainDialog sentence={signInAgain} />
      )}
    </Suspense>
  );
}
