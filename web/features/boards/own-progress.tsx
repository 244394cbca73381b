import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { UserId } from '#contract/ids.ts';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { sessionsQuery } from '#web/api/session-queries.ts';
import { formatSeconds } from '#web/ui/format.ts';
import styles from './own-progress.module.css';
import { compareSessionBests, placeTimes, type SessionBests } from './session-bests.ts';

type OwnProgressProps = { track: Pick<ListedTrack, 'id' | 'name' | 'hasOwnEntry'> };

/** Shows how the viewer's best lap on a track fell over several sessions, with a link to the laps. */
export function OwnProgress({ track }: OwnProgressProps) {
  const { user } = useCurrentUser();
  return user && track.hasOwnEntry ? <SessionsHere userId={user.id} track={track} /> : null;
}

function SessionsHere({ userId, track }: OwnProgressProps & { userId: UserId }) {
  const { data: sessions = [] } = useQuery(sessionsQuery(userId));
  const bests = compareSessionBests(sessions, track.id);
  if (bests === null) return null;
  const gain = formatSeconds(bests.gainMs);
  const count = `${bests.timesMs.length} sessions`;
  return (
    <Link
      href={`/profile?tab=tracks&track=${encodeURIComponent(track.id)}`}
      className={styles['progress']}
      aria-label={`Your progress at ${track.name}: ${count}, ${bests.gainMs > 0 ? `${gain} s faster than the first` : 'the first is the fastest'}`}
    >
      <Sparkline bests={bests} />
      {bests.gainMs > 0 ? `−${gain} s` : count}
    </Link>
  );
}

const BOX = { width: 48, height: 18, padding: 3 };

function Sparkline({ bests: { timesMs } }: { bests: SessionBests }) {
  const points = placeTimes(timesMs, BOX);
  const best = points[timesMs.indexOf(Math.min(...timesMs))];
  return (
    <svg width={BOX.width} height={BOX.height} aria-hidden="true" className={styles['line']}>
      <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {best && <circle cx={best.x} cy={best.y} r={2.5} />}
    </svg>
  );
}
