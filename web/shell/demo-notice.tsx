import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { mayAdminister } from '#contract/people/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer } from '#web/api/call-api.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { refreshThisTab } from '#web/api/refresh.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import styles from './demo-notice.module.css';

const POLL_INTERVAL_MS = 2_000;

type Demo = Answer<'GET /api/demo'>;

/** Shows a chip in the header of a demo community; it opens an explanation, and can be hidden permanently. */
export function DemoChip() {
  const demo = useDemo();
  const popoverId = useId();
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  if (!demo) return null;
  const isPreparing = demo.state === 'preparing';
  return (
    <>
      <button type="button" className={styles['chip']} popoverTarget={popoverId} aria-expanded={isOpen}>
        {isPreparing ? `Demo ${demo.driversDone}/${demo.drivers}` : 'Demo'}
      </button>
      <div
        ref={popover}
        id={popoverId}
        popover="auto"
        className={styles['popover']}
        onToggle={(event) => setIsOpen(event.newState === 'open')}
      >
        <p>{describeDemo(demo)}</p>
        <Button
          size="small"
          onClick={() => {
            popover.current?.hidePopover();
            hideChip();
          }}
        >
          Hide This Notice
        </Button>
      </div>
    </>
  );
}

/** Shows a notice in the footer of every page of a demo community; administrators can remove the community there. */
export function DemoNotice() {
  const queryClient = useQueryClient();
  const { user } = useCurrentUser();
  const demo = useDemo();
  const driversDone = demo?.driversDone;
  const shown = useRef(driversDone);

  useEffect(() => {
    const before = shown.current;
    shown.current = driversDone;
    if (before === undefined || before === driversDone) return;
    // Boards change while they are on the screen.
    void refreshThisTab(['tracks', 'laps'], queryClient);
  }, [driversDone, queryClient]);

  if (!demo) return null;
  const isPreparing = demo.state === 'preparing';
  return (
    <aside className={styles['notice']} aria-label="Demo">
      <p role={isPreparing ? 'status' : undefined}>{describeDemo(demo)}</p>
      {mayAdminister(user) && !isPreparing && <RemoveDemo />}
    </aside>
  );
}

/** Returns the demo community and polls while it is prepared; null if there is none. */
function useDemo(): Demo | null {
  const { data } = useQuery({
    ...apiQuery('GET /api/demo'),
    refetchInterval: ({ state }) => (state.data?.state === 'preparing' ? POLL_INTERVAL_MS : false),
  });
  return data && data.state !== 'none' ? data : null;
}

function RemoveDemo() {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setIsAsking(true)}>
        Remove demo data
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Remove demo data?"
          confirmText="Remove demo data"
          onClose={() => setIsAsking(false)}
          onConfirm={(send) => send('DELETE /api/admin/demo')}
          success={({ drivers, sessions }) => ({
            title: 'Demo data removed',
            description: `${drivers} drivers with ${sessions} sessions are gone.`,
          })}
        >
          <p>
            All demo drivers leave with their cars, sessions, laps and lap files, for good. Real drivers and
            their laps stay as they are.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function describeDemo({ state, driversDone, drivers }: Demo): string {
  return state === 'preparing'
    ? `Preparing the demo community… ${driversDone} of ${drivers} drivers`
    : 'You are looking at a demo community: invented drivers, simulated laps.';
}

/** Remembers it where the browser allows that; index.html reads it before the first paint. */
function hideChip(): void {
  document.documentElement.dataset['demoNotice'] = 'hidden';
  try {
    localStorage.setItem('demo-notice', 'hidden');
  } catch {
    // Storage may be full or forbidden; the chip is then hidden until the page is closed.
  }
}
