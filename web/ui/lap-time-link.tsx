import { Link, useLocation, useSearch } from 'wouter';
import type { LapId, TrackId } from '#contract/ids.ts';
import { classNames } from './class-names.ts';
import { LapTime, type LapTimeProps } from './lap-time.tsx';
import styles from './lap-time-link.module.css';
import { trackHref } from './page-hrefs.ts';

type LapTimeLinkProps = LapTimeProps & {
  trackId: TrackId;
  /** Null if the lap cannot be opened: only its time is shown. */
  lapId: LapId | null;
};

/** Shows a lap time that opens its lap on the page of the track. On that page the filters of its board stay. */
export function LapTimeLink({ trackId, lapId, className, ...time }: LapTimeLinkProps) {
  const [path] = useLocation();
  const search = useSearch();
  if (lapId === null) return <LapTime {...time} className={className} />;
  const trackPath = trackHref(trackId);
  const isOnTrack = path === trackPath;
  const query = new URLSearchParams(isOnTrack ? search : '');
  query.delete('vs');
  query.set('lap', lapId);
  return (
    <Link
      href={`${trackPath}?${query.toString()}`}
      className={classNames(styles['link'], className)}
      onClick={() => {
        // The lap appears above its board, where the reader clicked.
        if (isOnTrack) window.scrollTo(0, 0);
      }}
    >
      <LapTime {...time} />
    </Link>
  );
}
