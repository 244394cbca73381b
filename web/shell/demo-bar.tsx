import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { mayAdminister } from '#contract/permissions.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi, type Answer } from '#web/api/call-api.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { showToast } from '#web/ui/toasts.ts';
import './demo-bar.css';

const ASKED_AGAIN_MS = 2_000;

/** Says below every page of a demo community that it is one; follows its preparation, and lets administrators remove it. */
export function DemoBar() {
  const queryClient = useQueryClient();
  const { user } = useCurrentUser();
  const { data } = useQuery({
    ...apiQuery('GET /api/demo'),
    refetchInterval: ({ state }) => (state.data?.state === 'preparing' ? ASKED_AGAIN_MS : false),
  });
  const driversDone = data?.driversDone;
  const shown = useRef(driversDone);

  useEffect(() => {
    const before = shown.current;
    shown.current = driversDone;
    if (before === undefined || before === driversDone) return;
    // Boards fill while somebody looks at them.
    for (const part of ['tracks', 'laps']) void queryClient.invalidateQueries({ queryKey: ['api', part] });
  }, [driversDone, queryClient]);

  const text = data && describeDemo(data);
  if (!text) return null;
  const isPreparing = data.state === 'preparing';
  return (
    <aside className="demo-bar" aria-label="Demo">
      <p role={isPreparing ? 'status' : undefined}>{text}</p>
      {mayAdminister(user) && !isPreparing && <RemoveDemo />}
    </aside>
  );
}

function RemoveDemo() {
  const queryClient = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setIsAsking(true)}>
        Remove demo data
      </Button>
      <ConfirmDialog
        open={isAsking}
        title="Remove demo data?"
        confirmText="Remove demo data"
        onClose={() => setIsAsking(false)}
        onConfirm={async () => {
          const { drivers, sessions } = await callApi('DELETE /api/admin/demo');
          showToast({
            title: 'Demo data removed',
            description: `${drivers} drivers with ${sessions} sessions are gone.`,
          });
          await queryClient.invalidateQueries();
        }}
      >
        <p>
          All demo drivers leave with their cars, sessions, laps and lap files, for good. Real drivers and
          their laps stay as they are.
        </p>
      </ConfirmDialog>
    </>
  );
}

function describeDemo({ state, driversDone, drivers }: Answer<'GET /api/demo'>): string | null {
  if (state === 'none') return null;
  return state === 'preparing'
    ? `Preparing the demo community… ${driversDone} of ${drivers} drivers`
    : 'You are looking at a demo community: invented drivers, simulated laps.';
}
