import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import type { User } from '#contract/people/schemas.ts';
import { formatDisplayName } from '#contract/people/labels.ts';
import { describeError } from '#web/api/api-error.ts';
import { callApi } from '#web/api/call-api.ts';
import { askToSignInAgain } from '#web/api/sign-in-again.ts';
import { Button, buttonClassName } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { showToast } from '#web/ui/toasts.ts';
import styles from './account-data.module.css';
import { EXPORT_URL } from './profile-queries.ts';
import { ProfileSection } from './profile-section.tsx';

/** Begins the download, unless the sign-in is too old: a download has no page that could say so. */
async function exportData(): Promise<void> {
  try {
    const { isRecent } = await callApi('GET /api/account/credentials');
    if (isRecent) window.location.assign(EXPORT_URL);
    else askToSignInAgain('Sign in again to export your data.');
  } catch (error) {
    showToast({ title: 'Not Exported', description: describeError(error), destructive: true });
  }
}

/** Offers the export of all data, and the deletion of the account. */
export function AccountData({ user }: { user: User }) {
  const [isLeaving, setIsLeaving] = useState(false);
  return (
    <ProfileSection title="Your Data">
      <div className={styles['line']}>
        <p className={common['note']}>
          Download a zip of your profile, cars, sessions, laps and original lap files.
        </p>
        {/* The browser shows the progress and writes the file to the disk directly. */}
        <a
          href={EXPORT_URL}
          download
          className={buttonClassName({})}
          onClick={(event) => {
            event.preventDefault();
            void exportData();
          }}
        >
          <Download size={18} aria-hidden="true" />
          Export my data
        </a>
      </div>
      <div className={styles['line']}>
        <p className={common['note']}>
          Delete your profile, your laps on every board and everything you have uploaded. You can change your
          mind for seven days.
        </p>
        <Button variant="destructive" onClick={() => setIsLeaving(true)}>
          Delete account
        </Button>
      </div>
      {isLeaving && <DeleteAccount user={user} onClose={() => setIsLeaving(false)} />}
    </ProfileSection>
  );
}

function DeleteAccount({ user, onClose }: { user: User; onClose: () => void }) {
  const name = formatDisplayName(user);
  return (
    <ConfirmDialog
      title="Delete account"
      confirmText="Delete account"
      word={name}
      onConfirm={(send) => send('DELETE /api/account', { body: { name } })}
      // A full page load removes all data that this browser has fetched for the user.
      onDone={() => window.location.assign('/')}
      onClose={onClose}
    >
      <p>Others see none of this from now on, and after seven days it is deleted for good:</p>
      <ul className={styles['list']}>
        <li>your sessions and laps, from every board</li>
        <li>the lap files that you have uploaded</li>
        <li>your cars, their photos and your own</li>
        <li>your profile, and how you sign in</li>
      </ul>
      <p>
        All your other devices are signed out. To come back, sign in within the seven days and choose “Keep my
        account”: then everything is as it was.
      </p>
    </ConfirmDialog>
  );
}
