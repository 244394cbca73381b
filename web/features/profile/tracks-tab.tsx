import { MapPin, Route } from 'lucide-react';
import { Link } from 'wouter';
import { Badge } from '#web/ui/badge.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatLapDate } from '#web/ui/lap-date.ts';
import { LapTime } from '#web/ui/lap-time.tsx';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import type { TrackVisit } from './track-history.ts';
import styles from './tracks-tab.module.css';
import type { TrackVisits } from './use-track-visits.ts';

/** The tracks that a driver has been to. */
export function TracksTab({ tracks, isOwn }: { tracks: TrackVisits; isOwn: boolean }) {
  const { visits, hasFailed, retry } = tracks;
  if (hasFailed) return <FailedState title="The tracks could not be loaded." onRetry={retry} />;
  if (visits === undefined) return <LoadingState>Loading tracks...</LoadingState>;
  if (visits.length === 0) {
    return (
      <EmptyState
        title="No track data yet"
        icon={<Route size={22} />}
        actions={isOwn && <ButtonLink href="/upload">Upload Lap Data</ButtonLink>}
      >
        Upload your first lap to start building your track history!
      </EmptyState>
    );
  }
  return (
    <ul className={styles['tracks']}>
      {visits.map((visit) => (
        <li key={visit.trackId}>
          <VisitCard visit={visit} />
        </li>
      ))}
    </ul>
  );
}

const NO_OUTLINE = { outline: null };

/** The board is the place to count drivers; a card of one driver's history always has one. */
const RACERS = 1;

function VisitCard({ visit: { trackId, track, best, lapCount } }: { visit: TrackVisit }) {
  const name = track?.name ?? 'Unknown Track';
  return (
    <Card as="article" className={styles['card'] ?? ''}>
      <header className={styles['header']}>
        <div className={styles['outline']}>
          <CircuitOutline track={track ?? NO_OUTLINE} />
        </div>
        <div className={styles['words']}>
          <h2 className={styles['name']}>
            <Link href={`/track/${encodeURIComponent(trackId)}`} className={styles['link'] ?? ''}>
              {name}
            </Link>
          </h2>
          <p className={styles['location']}>
            <MapPin size={14} aria-hidden="true" />
            {track?.location || 'Location not set'}
          </p>
          <Badge tone="outline">{track?.configuration || 'Unknown'}</Badge>
        </div>
      </header>
      <VisitFigures best={best} lapCount={lapCount} />
    </Card>
  );
}

function VisitFigures({ best, lapCount }: Pick<TrackVisit, 'best' | 'lapCount'>) {
  const isRecord = best !== null && best.yourBestLap === best.topLap;
  return (
    <dl className={styles['figures']}>
      <div>
        <dt>Best Lap</dt>
        <dd className={classNames(styles['time'], isRecord && styles['record'])}>
          {best === null ? 'N/A' : <LapTime lapTimeMs={best.yourBestLap} />}
        </dd>
        <dd className={styles['date']}>{best !== null && formatLapDate(best.yourBestLapDate)}</dd>
      </div>
      <div>
        <dt>Track Record</dt>
        <dd className={classNames(styles['time'], best !== null && styles['record'])}>
          {best === null ? 'N/A' : <LapTime lapTimeMs={best.topLap} />}
        </dd>
        {isRecord && <dd className={styles['date']}>Held with this lap</dd>}
      </div>
      <div>
        <dt>Laps</dt>
        <dd className={styles['count']}>{lapCount}</dd>
      </div>
      <div>
        <dt>Racers</dt>
        <dd className={styles['count']}>{RACERS}</dd>
      </div>
    </dl>
  );
}
