import { Download } from 'lucide-react';
import type { User } from '#contract/people/schemas.ts';
import { Button, buttonClassName } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { formatLapDate } from '#web/ui/format.ts';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { useCall } from '#web/ui/use-call.ts';
import styles from './leaving-account.module.css';

/** Replaces every page for users whose account is to be deleted: they keep the account, take their data along, or sign out. */
export function LeavingAccount({ user }: { user: User }) {
  const date = formatLapDate(user.deletionDueAt);
  // A full page load fetches again what this browser has fetched for a guest.
  const open = (path: string) => window.location.assign(path);
  const keep = useCall('DELETE /api/account/deletion', {
    failure: 'Account Not Kept',
    leavesPage: true,
    onDone: () => open('/profile'),
  });
  const signOut = useCall('POST /api/logout', {
    failure: 'Sign Out Failed',
    onDone: ({ continueAt }) => open(continueAt ?? '/'),
  });
  return (
    <PageColumn width="card">
      <Card className={styles['card']}>
        <PageTitle>Your account is to be deleted</PageTitle>
        <p>
          On <strong>{date}</strong> your profile, your laps on every board, your lap files, cars and photos
          are deleted for good. Until then others see none of it.
        </p>
        <p className={styles['hint']}>
          Keep your account, and everything is back at once: your laps rank again.
        </p>
        <div className={styles['actions']}>
          <Button variant="primary" size="large" pending={keep.isBusy} onClick={() => void keep.run()}>
            Keep my account
          </Button>
          <a href="/api/account/export" download className={buttonClassName({ size: 'large' })}>
            <Download size={18} aria-hidden="true" />
            Export my data
          </a>
          <Button size="large" variant="quiet" onClick={() => void signOut.run()}>
            Sign Out
          </Button>
        </div>
      </Card>
    </PageColumn>
  );
}
