import Play from 'lucide-react/icons/play';
import { Link } from 'wouter';
import type { TrackId } from '#contract/ids.ts';
import { tireLabel } from '#contract/laps/labels.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { firstTwoLetters } from '#web/ui/format.ts';
import { LapTimeLink } from '#web/ui/lap-time-link.tsx';
import { profileHref } from '#web/ui/page-hrefs.ts';
import styles from './entry.module.css';
import type { BoardRecord } from './read-board.ts';

/** Shows the driver with a link to the profile, and a badge on the viewer's own entry. */
export function Driver({ record, avatarSize }: { record: BoardRecord; avatarSize: number }) {
  return (
    <span className={styles['driver']}>
      <Avatar src={record.userAvatar} letters={firstTwoLetters(record.userName)} size={avatarSize} />
      <Link href={profilePath(record)} className={styles['name']} title={record.userName}>
        <span className={styles['twoLines']}>{record.userName}</span>
      </Link>
      {record.isOwn && <Badge tone="accent">You</Badge>}
    </span>
  );
}

/** Shows the lap time, linked to the lap: purple for the fastest of the board, green for the viewer's own. */
export function EntryTime({ record, trackId }: { record: BoardRecord; trackId: TrackId }) {
  const isFastest = record.rank === 1;
  const isBest = isFastest || record.isOwn;
  return (
    <span className={classNames(styles['time'], isBest && styles[isFastest ? 'best' : 'pb'])}>
      <LapTimeLink
        trackId={trackId}
        lapId={record.lapId}
        lapTimeMs={record.lapTimeMs}
        uncertaintyMs={record.uncertaintyMs}
      />
      {isBest && (
        <span className="visually-hidden"> {isFastest ? 'fastest of this board' : 'your best'}</span>
      )}
    </span>
  );
}

export function TireBadge({ record }: { record: BoardRecord }) {
  return (
    <Badge tone="outline" className={styles['tire']}>
      {tireLabel(record.tireCompound)}
    </Badge>
  );
}

/** Opens the lap's video in a new tab; nothing without a video. */
export function VideoLink({ record }: { record: BoardRecord }) {
  if (!record.videoUrl || !/^https?:/i.test(record.videoUrl)) return null;
  const label = `Play the video of ${record.userName} in a new tab`;
  return (
    <a
      href={record.videoUrl}
      target="_blank"
      rel="noopener noreferrer"
      className={styles['video']}
      aria-label={label}
      title="Play video"
    >
      <Play size={16} fill="currentColor" aria-hidden="true" />
    </a>
  );
}

/** Returns the path of the driver's profile; the viewer's own has a path of its own. */
export function profilePath({ isOwn, driverId }: Pick<BoardRecord, 'isOwn' | 'driverId'>): string {
  return isOwn ? '/profile' : profileHref(driverId);
}
