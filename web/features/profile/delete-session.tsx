import { useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import type { ListedSession } from '#web/api/specified-answers/profiles.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatLapDate } from '#web/ui/format.ts';
import { showToast } from '#web/ui/toasts.ts';
import { deleteSession } from './profile-queries.ts';
import { formatLapCount } from './session-list.tsx';

/** A session that its driver may want to delete. */
export type SessionToDelete = { session: ListedSession; trackName: string };

type DeleteSessionProps = {
  target: SessionToDelete | null;
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
};

/** Asks before a session is deleted. */
export function DeleteSession({ target, focusAfter, onClose }: DeleteSessionProps) {
  const queryClient = useQueryClient();

  async function remove(): Promise<void> {
    if (!target) return;
    await deleteSession(target.session.id, queryClient);
    const description = `${target.trackName}, ${formatLapDate(target.session.sessionDate)}`;
    showToast({ title: 'Session Deleted', description });
  }

  return (
    <ConfirmDialog
      open={target !== null}
      title="Delete Session"
      confirmText="Delete Session"
      focusAfter={focusAfter}
      onConfirm={remove}
      onClose={onClose}
    >
      {target && (
        <p>
          You cannot undo this. It deletes the session at {target.trackName} of{' '}
          {formatLapDate(target.session.sessionDate)} with {formatLapCount(target.session.lapCount)} and the
          lap file.
        </p>
      )}
    </ConfirmDialog>
  );
}
