import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { TrackId } from '#contract/ids.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { pluralize } from '#web/ui/format.ts';
import styles from './live-now.module.css';

const SHOWN_MAX = 3;

// A session ends while a page is open.
const liveNowQuery = (trackId: TrackId | undefined) => ({
  ...apiQuery('GET /api/live', { query: trackId === undefined ? {} : { trackId } }),
  staleTime: 60_000,
});

export async function prefetchLiveNow(queryClient: QueryClient, trackId?: TrackId): Promise<void> {
  await queryClient.prefetchQuery(liveNowQuery(trackId));
}

/** Leads to the live sessions that are for everybody, of one track or of all; those by link are secrets of their drivers. */
export function LiveNow({ trackId }: { trackId?: TrackId }) {
  const sessions = useQuery(liveNowQuery(trackId)).data?.sessions ?? [];
  if (sessions.length === 0) return null;
  return (
    <ul className={styles['now']} aria-label="Live now">
      {sessions.slice(0, SHOWN_MAX).map(({ code, title, trackName, driverCount }) => {
        const name = trackId === undefined ? trackName : (title ?? 'Session of the day');
        return (
          <li key={code}>
            <span className={styles['live']}>
              <i aria-hidden="true" /> Live now
            </span>
            <span className={styles['what']}>
              <b>{name}</b>
              <span>{pluralize(driverCount, 'driver')}</span>
            </span>
            <ButtonLink size="small" href={`/live/${code}`} aria-label={`Watch ${name} live`}>
              Watch
            </ButtonLink>
          </li>
        );
      })}
    </ul>
  );
}
