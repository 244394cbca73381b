import type { Backup } from '#contract/operations/backups.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { backupMoment } from './backup-moment.ts';

/** Explains the effects of a restore, and starts it. */
export function RestoreDialog({ backup, onClose }: { backup: Backup; onClose: () => void }) {
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
    </ConfirmDialog>
  );
}
