import type { RefObject } from 'react';
import type { Session } from '#contract/sessions/schemas.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatLapDate } from '#web/ui/format.ts';
import { formatLapCount } from './session-list.tsx';

/** A session that its driver may delete. */
export type SessionToDelete = { session: Session; trackName: string };

type DeleteSessionProps = SessionToDelete & {
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
};

/** Asks before a session is deleted. */
export function DeleteSession({ session, trackName, focusAfter, onClose }: DeleteSessionProps) {
  const { id, sessionDate, lapCount } = session;
  return (
    <ConfirmDialog
      title="Delete Session"
      confirmText="Delete Session"
      focusAfter={focusAfter}
      onConfirm={(send) => send('DELETE /api/sessions/:id', { params: { id } })}
      success={{ title: 'Session Deleted', description: `${trackName}, ${formatLapDate(sessionDate)}` }}
      onClose={onClose}
    >
      <p>
        You cannot undo this. It deletes the session at {trackName} of {formatLapDate(sessionDate)} with{' '}
        {formatLapCount(lapCount)} and the lap file.
      </p>
    </ConfirmDialog>
  );
}
