import { lazy, Suspense, useState } from 'react';
import { useRoute } from 'wouter';
import type { FormatChoice } from '#contract/formats/labels.ts';
import { PAGES } from '#contract/pages.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import styles from './shell.module.css';

const GuestFormatsDialog = lazy(async () => ({
  default: (await import('./guest-formats-dialog.tsx')).GuestFormatsDialog,
}));

/**
 * Opens the choice of units and dates for guests; signed-in users have it on their profile. The sign-in page shows neither, and a choice
 * would empty its forms: each choice renders the page again.
 */
export function GuestFormats({ choice }: { choice: FormatChoice }) {
  const { user, isPending } = useCurrentUser();
  const [isOpen, setIsOpen] = useState(false);
  const [isSignIn] = useRoute(PAGES.login);
  if (user || isPending || isSignIn) return null;
  return (
    <>
      <button type="button" className={styles['formats']} onClick={() => setIsOpen(true)}>
        Units and dates
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <GuestFormatsDialog choice={choice} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
