import { useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import type { ListedSession } from '#web/api/specified-answers/profiles.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatLapDate } from '#web/ui/format.ts';
import { showToast } from '#web/ui/toasts.ts';
import { deleteSession } from './profile-queries.ts';
import { formatLapCount } from './session-list.tsx';

/** A session that its driver may want to be rid of. */
export type SessionToDelete = { session: ListedSession; trackName: string };

type DeleteSessionProps = {
  doomed: SessionToDelete | null;
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
};

/** Asks whether a session shall go, and removes it. */
export function DeleteSession({ doomed, focusAfter, onClose }: DeleteSessionProps) {
  const queryClient = useQueryClient();

  async function remove(): Promise<void> {
    if (!doomed) return;
    await deleteSession(doomed.session.id, queryClient);
    const description = `${doomed.trackName}, ${formatLapDate(doomed.session.sessionDate)}`;
    showToast({ title: 'Session Deleted', description });
  }

  return (
    <ConfirmDialog
      open={doomed !== null}
      title="Delete Session"
      confirmText="Delete Session"
      focusAfter={focusAfter}
      onConfirm={remove}
      onClose={onClose}
    >
      {doomed && (
        <p>
          The session at {doomed.trackName} of {formatLapDate(doomed.session.sessionDate)} is removed for
          good, with {formatLapCount(doomed.session.lapCount)} and the lap file. The board changes at once.
        </p>
      )}
    </ConfirmDialog>
  );
}
