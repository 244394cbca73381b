import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useScrollToTop } from '#web/ui/navigation.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Header } from './header.tsx';
import styles from './shell.module.css';

const MAIN_ID = 'main';

const Toaster = lazy(async () => ({ default: (await import('#web/ui/toaster.tsx')).Toaster }));

/** What surrounds every page: skip link, navigation, footer, toasts, and a net for what goes wrong. */
export function Shell({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  useScrollToTop();
  return (
    <>
      <a href={`#${MAIN_ID}`} className={styles['skip']}>
        Skip to content
      </a>
      <Header />
      <main id={MAIN_ID} tabIndex={-1} className={styles['main']}>
        <ErrorBoundary resetKey={path}>{children}</ErrorBoundary>
      </main>
      <footer className={styles['footer']}>
        <div className={styles['footerBar']}>
          <span>Pitboard</span>
          <span>Every lap time is computed from its GPS file.</span>
        </div>
      </footer>
      <LateToaster />
    </>
  );
}

// Toasts come after the page: hardly any visit shows one in its first second.
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
