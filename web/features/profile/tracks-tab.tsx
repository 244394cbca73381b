import MapPin from 'lucide-react/icons/map-pin';
import { useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { SessionId } from '#contract/ids.ts';
import type { Session } from '#contract/sessions/schemas.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatLapDate } from '#web/ui/format.ts';
import { LapTime } from '#web/ui/lap-time.tsx';
import { LapTimeLink } from '#web/ui/lap-time-link.tsx';
import { TrackOrigins } from '#web/ui/track-origin.tsx';
import { TrackPicture } from '#web/ui/picture.tsx';
import { EmptyState, QueryState } from '#web/ui/state-message.tsx';
import { trackHref } from '#web/ui/page-hrefs.ts';
import { DeleteSession, type SessionToDelete } from './delete-session.tsx';
import type { TrackVisits } from './profile-queries.ts';
import { SessionList } from './session-list.tsx';
import type { TrackVisit } from './track-history.ts';
import styles from './tracks-tab.module.css';

type TracksTabProps = {
  tracks: TrackVisits;
  /** The URL of this tab; with a track in it, of the driver's laps there. */
  tracksHref: string;
  isOwn: boolean;
  /** Opens the dialog that edits a session. */
  onEdit: (sessionId: SessionId) => void;
};

/** Shows the tracks that a driver has visited. */
export function TracksTab({ tracks, tracksHref, isOwn, onEdit }: TracksTabProps) {
  const visits = tracks.data;
  const state = <QueryState noun="tracks" query={tracks} />;
  if (!visits) return state;
  if (visits.length === 0) {
    return (
      <EmptyState
        title="No track data yet"
        picture={<TrackPicture />}
        actions={isOwn && <ButtonLink href="/upload">Upload Lap Data</ButtonLink>}
      >
        Upload your first lap to start building your track history!
      </EmptyState>
    );
  }
  return (
    <>
      {state}
      <Visits {...{ visits, tracksHref, isOwn, onEdit }} />
    </>
  );
}

type VisitsProps = Omit<TracksTabProps, 'tracks'> & { visits: readonly TrackVisit[] };

function Visits({ visits, tracksHref, isOwn, onEdit }: VisitsProps) {
  // Takes the focus after a session was deleted: its list, or all tracks.
  const focusAfter = useRef<HTMLElement | null>(null);
  const tracks = useRef<HTMLUListElement>(null);
  const [toDelete, setToDelete] = useState<SessionToDelete | null>(null);

  function ask(session: Session, visit: TrackVisit, list: HTMLElement | null): void {
    focusAfter.current = visit.sessions.length > 1 ? list : tracks.current;
    setToDelete({ session, trackName: formatTrackName(visit) });
  }

  return (
    <>
      <ul ref={tracks} tabIndex={-1} aria-label="Tracks" className={styles['tracks']}>
        {visits.map((visit) => (
          <li key={visit.trackId}>
            <VisitCard
              visit={visit}
              lapsHref={`${tracksHref}&track=${encodeURIComponent(visit.trackId)}`}
              onEdit={isOwn ? ({ id }) => onEdit(id) : undefined}
              onDelete={isOwn ? (session, list) => ask(session, visit, list) : undefined}
            />
          </li>
        ))}
      </ul>
      <TrackOrigins tracks={visits.flatMap(({ track }) => track ?? [])} />
      {toDelete && <DeleteSession {...toDelete} focusAfter={focusAfter} onClose={() => setToDelete(null)} />}
    </>
  );
}

const NO_OUTLINE = { outline: null };

/** The card counts one driver, because it shows the history of a single one. */
const RACERS = 1;

type VisitCardProps = {
  visit: TrackVisit;
  lapsHref: string;
  onEdit: ((session: Session) => void) | undefined;
  /** Gets the session, and the element that opens and closes its list. */
  onDelete: ((session: Session, list: HTMLElement | null) => void) | undefined;
};

function VisitCard({ visit, lapsHref, onEdit, onDelete }: VisitCardProps) {
  const { trackId, track, sessions } = visit;
  const list = useRef<HTMLElement>(null);
  const name = formatTrackName(visit);
  const nameId = useId();
  return (
    <Card as="article" className={styles['card']}>
      <header className={styles['header']}>
        <div className={styles['outline']}>
          <CircuitOutline track={track ?? NO_OUTLINE} />
        </div>
        <div className={styles['words']}>
          <h2 id={nameId} className={styles['name']}>
            <Link href={trackHref(trackId)} className={styles['link']}>
              {name}
            </Link>
          </h2>
          <p className={styles['location']}>
            <MapPin size={14} aria-hidden="true" />
            {track?.location || 'Location not set'}
          </p>
          <Badge tone="outline" className={styles['layout']}>
            {track?.configuration || 'Unknown'}
          </Badge>
        </div>
      </header>
      <VisitFigures visit={visit} />
      {sessions.length > 0 && (
        <Link href={lapsHref} className={styles['laps']} aria-describedby={nameId}>
          Laps and progress
        </Link>
      )}
      {sessions.length > 0 && (
        <SessionList
          ref={list}
          trackId={trackId}
          sessions={sessions}
          trackName={name}
          onEdit={onEdit}
          onDelete={onDelete && ((session) => onDelete(session, list.current))}
        />
      )}
    </Card>
  );
}

function formatTrackName({ track }: TrackVisit): string {
  return track?.name ?? 'Unknown Track';
}

function VisitFigures({ visit: { trackId, best, bestLapId, lapCount } }: { visit: TrackVisit }) {
  const isRecord = best?.isTopLap ?? false;
  return (
    <dl className={styles['figures']}>
      <div>
        <dt>Best Lap</dt>
        <dd className={classNames(styles['time'], isRecord && styles['record'])}>
          {best === null ? (
            'N/A'
          ) : (
            <LapTimeLink trackId={trackId} lapId={bestLapId} lapTimeMs={best.yourBestLap} />
          )}
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
