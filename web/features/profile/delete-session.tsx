import type { RefObject } from 'react';
import { RESTORABLE_SECONDS } from '#contract/sessions/labels.ts';
import type { Session } from '#contract/sessions/schemas.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatLapDate } from '#web/ui/format.ts';
import { useCall } from '#web/ui/use-call.ts';
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
  const description = `${trackName}, ${formatLapDate(sessionDate)}`;
  const restore = useCall('DELETE /api/sessions/:id/deletion', {
    success: { title: 'Session Restored', description },
    failure: 'Session Not Restored',
    refreshesAfterFailure: true,
  });
  return (
    <ConfirmDialog
      title="Delete Session"
      confirmText="Delete Session"
      focusAfter={focusAfter}
      onConfirm={(send) => send('DELETE /api/sessions/:id', { params: { id } })}
      success={{
        title: 'Session Deleted',
        description,
        undo: { run: () => void restore.run({ params: { id } }), seconds: RESTORABLE_SECONDS },
      }}
      onClose={onClose}
    >
      <p>
        This deletes the session at {trackName} of {formatLapDate(sessionDate)} with{' '}
        {formatLapCount(lapCount)} and the lap file. You can undo it for a minute.
      </p>
    </ConfirmDialog>
  );
}
