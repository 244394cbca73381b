import ChevronDown from 'lucide-react/icons/chevron-down';
import Download from 'lucide-react/icons/download';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash';
import { useState, type Ref } from 'react';
import type { TrackId } from '#contract/ids.ts';
import { LAP_REASON_MESSAGES } from '#contract/laps/labels.ts';
import type { RefusedLap, Session } from '#contract/sessions/schemas.ts';
import { IconButton } from '#web/ui/button.tsx';
import { DownloadDialog } from '#web/ui/download-dialog.tsx';
import { formatLapDate } from '#web/ui/format.ts';
import { LapTimeLink } from '#web/ui/lap-time-link.tsx';
import styles from './session-list.module.css';

type SessionListProps = {
  trackId: TrackId;
  sessions: readonly Session[];
  trackName: string;
  /** Both are present only for the driver of the sessions. */
  onEdit?: ((session: Session) => void) | undefined;
  onDelete?: ((session: Session) => void) | undefined;
  /** The element that opens and closes the list. */
  ref?: Ref<HTMLElement>;
};

/** Shows the sessions of a driver on one track, collapsed at first. */
export function SessionList({ trackId, sessions, trackName, onEdit, onDelete, ref }: SessionListProps) {
  const [downloaded, setDownloaded] = useState<Session | null>(null);
  return (
    <details className={styles['sessions']}>
      <summary ref={ref} className={styles['summary']}>
        {sessions.length} {sessions.length === 1 ? 'Session' : 'Sessions'}
        <span className="visually-hidden"> at {trackName}</span>
        <ChevronDown size={16} aria-hidden="true" />
      </summary>
      <ul className={styles['list']}>
        {sessions.map((session) => (
          <li key={session.id} className={styles['session']}>
            <span className={styles['date']}>{formatLapDate(session.sessionDate)}</span>
            <span className={styles['car']}>{session.carName ?? 'Unknown'}</span>
            <span className={styles['laps']}>{formatLapCount(session.lapCount)}</span>
            <span className={styles['best']}>
              {session.bestLapTimeMs === null ? (
                'N/A'
              ) : (
                <LapTimeLink trackId={trackId} lapId={session.bestLapId} lapTimeMs={session.bestLapTimeMs} />
              )}
            </span>
            {onEdit && onDelete && (
              <Actions {...{ session, onEdit, onDelete }} onDownload={() => setDownloaded(session)} />
            )}
            {session.refusedLaps && session.refusedLaps.length > 0 && (
              <RefusedLaps {...{ trackId, session }} refusedLaps={session.refusedLaps} />
            )}
          </li>
        ))}
      </ul>
      {downloaded && <DownloadSession session={downloaded} onClose={() => setDownloaded(null)} />}
    </details>
  );
}

type ActionsProps = {
  session: Session;
  onDownload: () => void;
  onEdit: (session: Session) => void;
  onDelete: (session: Session) => void;
};

function Actions({ session, onDownload, onEdit, onDelete }: ActionsProps) {
  const name = `session of ${formatLapDate(session.sessionDate)}`;
  return (
    <span className={styles['actions']}>
      <IconButton
        size="small"
        label={`Download ${name}`}
        icon={<Download size={16} />}
        onClick={onDownload}
      />
      <IconButton
        size="small"
        label={`Edit ${name}`}
        icon={<Pencil size={16} />}
        onClick={() => onEdit(session)}
      />
      <IconButton
        size="small"
        label={`Delete ${name}`}
        icon={<Trash2 size={16} />}
        onClick={() => onDelete(session)}
      />
    </span>
  );
}

function DownloadSession({ session, onClose }: { session: Session; onClose: () => void }) {
  const title = `Session of ${formatLapDate(session.sessionDate)}`;
  return (
    <DownloadDialog exports={[{ title, path: `/api/sessions/${session.id}/export` }]} onClose={onClose} />
  );
}

type RefusedLapsProps = { trackId: TrackId; session: Session; refusedLaps: readonly RefusedLap[] };

/** Shows the laps that are missing on the board, with the reasons. */
function RefusedLaps({ trackId, session: { sessionDate }, refusedLaps }: RefusedLapsProps) {
  return (
    <details className={styles['refused']}>
      <summary className={styles['summary']}>
        {formatLapCount(refusedLaps.length)} not counted
        <span className="visually-hidden"> of {formatLapDate(sessionDate)}</span>
        <ChevronDown size={16} aria-hidden="true" />
      </summary>
      <ul className={styles['reasons']}>
        {refusedLaps.map(({ lapId, number, lapTimeMs, reasons }) => (
          <li key={number}>
            <b>
              Lap {number}, <LapTimeLink {...{ trackId, lapId, lapTimeMs }} />
            </b>
            <span>{reasons.map((reason) => LAP_REASON_MESSAGES[reason]).join(' ')}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Formats a number of laps. */
export function formatLapCount(lapCount: number): string {
  return `${lapCount} ${lapCount === 1 ? 'lap' : 'laps'}`;
}
