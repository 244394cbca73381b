import { useQuery, type QueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { UserId } from '#contract/ids.ts';
import { sessionsQuery } from '#web/api/session-queries.ts';
import { Card } from '#web/ui/card.tsx';
import { Steps } from '#web/ui/steps.tsx';
import common from '#web/ui/common.module.css';
import styles from './first-lap.module.css';
import { samplesQuery } from './samples-query.ts';
import { garageQuery } from './upload-queries.ts';

export async function prefetchFirstLap(queryClient: QueryClient, userId: UserId): Promise<void> {
  await Promise.all([
    queryClient.prefetchQuery(sessionsQuery(userId)),
    queryClient.prefetchQuery(garageQuery),
    queryClient.prefetchQuery(samplesQuery),
  ]);
}

/** Shows drivers without a session the way to their first lap. */
export function FirstLap({ userId }: { userId: UserId }) {
  const sessions = useQuery(sessionsQuery(userId)).data;
  const cars = useQuery(garageQuery).data;
  const sample = useQuery(samplesQuery).data?.samples[0];
  if (!sessions || !cars || sessions.length > 0) return null;
  const steps = [
    {
      title: 'Add your car',
      text: 'Boards compare you with others in the same car and class.',
      isDone: cars.length > 0,
      href: '/garage/add',
    },
    {
      title: 'Upload a lap file',
      text: sample ? (
        <>
          As your logger wrote it. None at hand?{' '}
          <Link href={`/upload?sample=${encodeURIComponent(sample.fileName)}`}>
            Try a sample of {sample.trackName}
          </Link>
          .
        </>
      ) : (
        'As your logger or your app wrote it.'
      ),
      isDone: false,
      href: '/upload',
    },
    {
      title: 'Look into your lap',
      text: 'Your place, the line on the map, and where the time goes.',
      isDone: false,
    },
  ];
  return (
    <Card as="section" className={styles['card']} aria-labelledby="first-lap">
      <div className={common['lines']}>
        <h2 id="first-lap">Your First Lap</h2>
        <p className={common['lead']}>Three steps, a few minutes.</p>
      </div>
      <Steps steps={steps} />
    </Card>
  );
}
