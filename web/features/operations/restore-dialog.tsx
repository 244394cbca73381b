import type { Backup, BackupSignature } from '#contract/operations/backups.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { backupMoment } from './backup-moment.ts';

/** Says why a backup is restored only after its owner has typed a word. */
export const SIGNATURE_DOUBTS: Record<Exclude<BackupSignature, 'valid'>, string> = {
  missing: 'Not signed: an earlier version or somebody else made it.',
  'other-key': 'Signed by a server with another COOKIE_SECRET.',
  wrong: 'Changed after it was signed.',
};

const UNSIGNED = 'unsigned';

/** Explains the effects of a restore, and starts it. */
export function RestoreDialog({ backup, onClose }: { backup: Backup; onClose: () => void }) {
  const { name, signature } = backup;
  const moment = backupMoment(name);
  const isSigned = signature === 'valid';

  return (
    <ConfirmDialog
      title="Restore this backup?"
      confirmText="Restore"
      // The word to type is the day and the time, as in the row, unless somebody else may have made the backup.
      word={isSigned ? moment : UNSIGNED}
      onConfirm={(send) =>
        send('POST /api/admin/backups/:name/restore', {
          params: { name },
          query: isSigned ? {} : { word: UNSIGNED },
        })
      }
      onClose={onClose}
    >
      {!isSigned && (
        <p>
          <strong>{SIGNATURE_DOUBTS[signature]}</strong> Its maker decides who is an owner afterwards. Restore
          it only if you know where it comes from.
        </p>
      )}
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
