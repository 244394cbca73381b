import { useQuery, type QueryClient } from '@tanstack/react-query';
import type { FirstSteps } from '#contract/operations/first-steps.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { FailedState } from '#web/ui/state-message.tsx';
import { Steps, type Step } from '#web/ui/steps.tsx';
import { useCall } from '#web/ui/use-call.ts';
import common from '#web/ui/common.module.css';
import styles from './first-steps.module.css';

// Other pages do the steps, some of them by calls that name no administration.
const firstStepsQuery = { ...apiQuery('GET /api/admin/first-steps'), staleTime: 0 };

export function prefetchFirstSteps(queryClient: QueryClient): Promise<void> {
  return queryClient.prefetchQuery(firstStepsQuery);
}

/** Shows owners of a new club what is left to do, until all is done or they hide it. */
export function FirstStepsOfClub() {
  const { data, isError, refetch } = useQuery(firstStepsQuery);
  if (data ? !data.steps : !isError) return null;
  return (
    <Card as="section" className={styles['card']} aria-labelledby="first-steps">
      {data?.steps ? (
        <StepsLeft steps={listSteps(data.steps)} />
      ) : (
        <>
          {TITLE}
          <FailedState title="The steps could not be loaded." onRetry={() => void refetch()} />
        </>
      )}
    </Card>
  );
}

const TITLE = <h2 id="first-steps">Set Up Your Club</h2>;

function StepsLeft({ steps }: { steps: Step[] }) {
  const { run, isBusy } = useCall('PUT /api/admin/first-steps', { failure: 'Not Hidden' });
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  return (
    <>
      <div className={styles['head']}>
        <div className={common['lines']}>
          {TITLE}
          <p className={common['lead']}>
            {doneCount} of {steps.length} done. Only owners see this.
          </p>
        </div>
        <Button
          size="small"
          variant="quiet"
          pending={isBusy}
          onClick={() => void run({ body: { isHidden: true } })}
        >
          Hide
        </Button>
      </div>
      <Steps steps={steps} />
    </>
  );
}

function listSteps({ sendsMail, hasTracks, hasInvited, hasBackup, hasLap }: FirstSteps): Step[] {
  return [
    {
      title: 'Set up mail',
      text: 'Invitations, notices and links for new passwords go by mail.',
      isDone: sendsMail,
      href: '/club/operations?open=mail',
    },
    {
      title: 'Add your tracks',
      text: 'Import the tracks of your region, or let the first lap draw its own.',
      isDone: hasTracks,
      href: '/admin/import-tracks',
    },
    {
      title: 'Invite your drivers',
      text: 'One link or QR code lets many people join.',
      isDone: hasInvited,
      href: '/club/people',
    },
    {
      title: 'Make a backup',
      text: 'Each one is restored on trial, every night from then on.',
      isDone: hasBackup,
      href: '/club/operations?open=backups',
    },
    {
      title: 'Upload the first lap',
      text: 'It opens the first board of your club.',
      isDone: hasLap,
      href: '/upload',
    },
  ];
}
