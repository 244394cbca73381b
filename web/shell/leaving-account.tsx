import Download from 'lucide-react/icons/download';
import type { User } from '#contract/people/schemas.ts';
import { describeError } from '#web/api/api-error.ts';
import { callApi } from '#web/api/call-api.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import common from '#web/ui/common.module.css';
import { formatLapDate } from '#web/ui/format.ts';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { useCall } from '#web/ui/use-call.ts';
import styles from './leaving-account.module.css';

const SIGN_IN_AGAIN = 'Sign out and sign in again to export your data.';

/** Begins the download, unless the sign-in is too old: a download has no page that could say so. */
async function exportData(): Promise<void> {
  try {
    const { isRecent } = await callApi('GET /api/account/credentials');
    if (isRecent) open('/api/account/export');
    else showToast({ title: 'Not Exported', description: SIGN_IN_AGAIN, destructive: true });
  } catch (error) {
    showToast({ title: 'Not Exported', description: describeError(error), destructive: true });
  }
}

/** Opens a path with a full page load, so that data fetched for a guest are fetched again. */
function open(path: string): void {
  window.location.assign(path);
}

/** Replaces every page for users whose account is to be deleted: they keep the account, take their data along, or sign out. */
export function LeavingAccount({ user }: { user: User }) {
  const date = formatLapDate(user.deletionDueAt);
  const keep = useCall('DELETE /api/account/deletion', {
    failure: 'Account Not Kept',
    leavesPage: true,
    onDone: () => open('/profile'),
  });
  const signOut = useCall('POST /api/logout', {
    failure: 'Sign Out Failed',
    leavesPage: true,
    onDone: ({ continueAt }) => open(continueAt ?? '/'),
  });
  return (
    <PageColumn width="card">
      <Card className={common['stack']}>
        <PageTitle>Your account is to be deleted</PageTitle>
        <p>
          On <strong>{date}</strong> your profile, your laps on every board, your lap files, cars and photos
          are deleted for good. Until then others see none of it.
        </p>
        <p className={common['muted']}>
          Keep your account, and everything is back at once: your laps rank again.
        </p>
        <div className={styles['actions']}>
          <Button variant="primary" size="large" pending={keep.isBusy} onClick={() => void keep.run()}>
            Keep my account
          </Button>
          <Button size="large" onClick={() => void exportData()}>
            <Download size={18} aria-hidden="true" />
            Export my data
          </Button>
          <Button size="large" variant="quiet" pending={signOut.isBusy} onClick={() => void signOut.run()}>
            Sign Out
          </Button>
        </div>
      </Card>
    </PageColumn>
  );
}
