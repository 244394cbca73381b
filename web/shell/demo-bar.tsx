import { QueryClientProvider, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { describeDemo } from '#contract/demo-words.ts';
import { mayAdminister } from '#contract/permissions.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { showToast } from '#web/ui/toasts.ts';

const ASKED_AGAIN_MS = 2_000;

/** Takes over the bar that the server has drawn: it follows the preparation, and administrators can remove the demo. */
export function connect(bar: HTMLElement, queryClient: QueryClient): void {
  const drawn = bar.textContent;
  createRoot(bar).render(
    <QueryClientProvider client={queryClient}>
      <DemoBar drawn={drawn} onShown={(isShown) => (bar.hidden = !isShown)} />
    </QueryClientProvider>,
  );
}

type DemoBarProps = { drawn: string; onShown: (isShown: boolean) => void };

function DemoBar({ drawn, onShown }: DemoBarProps) {
  const queryClient = useQueryClient();
  const { user } = useCurrentUser();
  const { data } = useQuery({
    ...apiQuery('GET /api/demo'),
    refetchInterval: ({ state }) => (state.data?.state === 'preparing' ? ASKED_AGAIN_MS : false),
  });
  const words = data ? describeDemo(data) : drawn;
  const isPreparing = data?.state === 'preparing';
  const driversDone = data?.driversDone;
  const shown = useRef(driversDone);

  useEffect(() => {
    onShown(words !== null);
  }, [onShown, words]);

  useEffect(() => {
    const before = shown.current;
    shown.current = driversDone;
    if (before === undefined || before === driversDone) return;
    // Boards fill while somebody looks at them.
    for (const part of ['tracks', 'laps']) void queryClient.invalidateQueries({ queryKey: ['api', part] });
  }, [driversDone, queryClient]);

  if (words === null) return null;
  return (
    <>
      <p role={isPreparing ? 'status' : undefined}>{words}</p>
      {mayAdminister(user) && !isPreparing && <RemoveDemo />}
    </>
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
