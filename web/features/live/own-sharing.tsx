import { useQuery } from '@tanstack/react-query';
import type { LiveCode } from '#contract/live/code.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { useCall } from '#web/ui/use-call.ts';
import styles from './live.module.css';

/** Lets a driver join the session, or tells that it shows the own drive and ends that from any device. */
export function OwnSharing({ code }: { code: LiveCode }) {
  const { user } = useCurrentUser();
  const { data } = useQuery({ ...apiQuery('GET /api/live/sharing'), enabled: user !== null });
  const { run, isBusy } = useCall('DELETE /api/live/sharing', {
    success: { title: 'Stopped', description: 'You do not share live any more.' },
    failure: 'Not Stopped',
  });
  if (!data) return null;
  if (data.sharing?.code !== code)
    return (
      <p className={styles['sharing']}>
        <ButtonLink size="small" href={`/drive?live=${code}`}>
          Share Your Drive Here
        </ButtonLink>
      </p>
    );
  return (
    <p className={styles['sharing']}>
      You share your drive here.
      <Button size="small" pending={isBusy} onClick={() => void run()}>
        Stop Sharing
      </Button>
    </p>
  );
}
