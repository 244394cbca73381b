import { useQuery } from '@tanstack/react-query';
import type { Backup } from '#contract/operations/backups.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { backupMoment } from './backup-moment.ts';

const SIGN_IN_AGAIN = `/login?again=1&returnTo=${encodeURIComponent('/admin/apex-import?tab=operations')}`;

/** Explains the effects of a restore, and starts it. */
export function RestoreDialog({ backup, onClose }: { backup: Backup; onClose: () => void }) {
  const credentials = useQuery({ ...apiQuery('GET /api/account/credentials'), staleTime: 0 });
  const moment = backupMoment(backup.name);

  return (
    <ConfirmDialog
      title="Restore this backup?"
      confirmText="Restore"
      // The word to type is the day and the time, as in the row.
      word={moment}
      onConfirm={(send) => send('POST /api/admin/backups/:name/restore', { params: { name: backup.name } })}
      onClose={onClose}
    >
      <p>
        Everything that has changed since {moment} UTC is replaced: laps, accounts, passwords, roles,
        settings. What is there now is backed up and proven first, so that you can go back to it.
      </p>
      <p>
        Until it is done, boards are shown and nothing can be saved. Then everybody but you has to sign in
        again, open invitations and links no longer work, and what was waiting to be sent is not.
      </p>
      {credentials.data?.isRecent === false && (
        <p>
          You signed in a while ago. <ButtonLink href={SIGN_IN_AGAIN}>Sign in again</ButtonLink>
        </p>
      )}
    </ConfirmDialog>
  );
}
