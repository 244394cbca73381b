import type { RefObject } from 'react';
import type { Session } from '#contract/sessions/schemas.ts';
import type { Send } from '#web/api/refresh.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatLapDate } from '#web/ui/format.ts';
import { useCalls } from '#web/ui/use-call.ts';
import { describeSessions, showDeleted, type DeletedSession } from './deleted-sessions.ts';
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
  const restore = useCalls(restoreAll, {
    success: ({ restored, failedCount }) => ({
      title:
        failedCount > 0
          ? 'Not All Restored'
          : restored.length === 1
            ? 'Session Restored'
            : 'Sessions Restored',
      description: `${failedCount > 0 ? 'Back: ' : ''}${describeSessions(restored)}`,
      destructive: failedCount > 0,
    }),
    failure: 'Not Restored',
    refreshesAfterFailure: true,
  });
  return (
    <ConfirmDialog
      title="Delete Session"
      confirmText="Delete Session"
      focusAfter={focusAfter}
      onConfirm={(send) => send('DELETE /api/sessions/:id', { params: { id } })}
      onDone={() => showDeleted({ id, description }, (sessions) => void restore.run(sessions))}
      onClose={onClose}
    >
      <p>
        This deletes the session at {trackName} of {formatLapDate(sessionDate)} with{' '}
        {formatLapCount(lapCount)} and the lap file. You can undo it for a minute.
      </p>
    </ConfirmDialog>
  );
}

async function restoreAll(
  send: Send,
  sessions: readonly DeletedSession[],
): Promise<{ restored: readonly DeletedSession[]; failedCount: number }> {
  // One that cannot come back does not hold up the others.
  const results = await Promise.allSettled(
    sessions.map(({ id }) => send('DELETE /api/sessions/:id/deletion', { params: { id } })),
  );
  const failed = results.filter((result) => result.status === 'rejected');
  if (failed[0] && failed.length === sessions.length) throw failed[0].reason;
  const restored = sessions.filter((_, index) => results[index]?.status === 'fulfilled');
  return { restored, failedCount: failed.length };
}
