import { RESTORABLE_SECONDS } from '#contract/sessions/labels.ts';
import type { SessionId } from '#contract/ids.ts';
import { isShown, showToast, type Toast } from '#web/ui/toasts.ts';

/** A session that its driver has just deleted. */
export type DeletedSession = { id: SessionId; description: string };

type Restorable = DeletedSession & { untilMs: number };
type Restore = (sessions: readonly DeletedSession[]) => void;

let shown: { toast: Toast; sessions: readonly Restorable[] } | undefined;

/** Offers to undo a deletion. While the toast of an earlier one is on screen, the new toast undoes both. */
export function showDeleted(session: DeletedSession, restore: Restore): void {
  const earlier = shown && isShown(shown.toast) ? shown.sessions : [];
  const untilMs = performance.now() + 1_000 * RESTORABLE_SECONDS;
  show([...earlier, { ...session, untilMs }], restore);
}

function show(sessions: readonly Restorable[], restore: Restore): void {
  const [first, ...later] = sessions;
  if (first === undefined) return;
  const toast: Toast = {
    title: later.length === 0 ? 'Session Deleted' : 'Sessions Deleted',
    description: describeSessions(sessions),
    undo: {
      ...(later.length > 0 && { label: 'Undo All' }),
      run: () => restore(sessions),
      seconds: msLeft(later.at(-1) ?? first) / 1_000,
    },
  };
  shown = { toast, sessions };
  showToast(toast);
  if (later.length === 0) return;
  // The toast offers nothing that is no longer possible.
  setTimeout(() => isShown(toast) && show(later, restore), msLeft(first));
}

function msLeft({ untilMs }: Restorable): number {
  return untilMs - performance.now();
}

/** Describes one session, or says how many there are. */
export function describeSessions(sessions: readonly DeletedSession[]): string {
  const [first, ...later] = sessions;
  return later.length === 0 ? (first?.description ?? '') : `${sessions.length} sessions`;
}
