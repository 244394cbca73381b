import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { formatCarName } from '#contract/lap-labels.ts';
import { sectorLengthsMeters } from '#engine/drawing/circuit-path.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { BoardRecord } from '#web/api/specified-answers/boards.ts';
import type { LibraryTrack } from '#web/api/specified-answers/tracks.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatLengthKm } from '#web/ui/format.ts';
import { LapTimeLink } from '#web/ui/lap-time-link.tsx';
import { openableLap } from './entry.tsx';
import { useBoardTracks, useBoardTop } from './board-queries.ts';
import styles from './hero-circuit.module.css';

const HERO_BOX = { width: 520, height: 230, padding: 12 };

/** The first track of the boards with its large outline and its record, if there is one. */
export function HeroCircuit() {
  const { tracks } = useBoardTracks();
  const [track] = tracks ?? [];
  return <Card className={styles['card']}>{track ? <Circuit track={track} /> : <CircuitSkeleton />}</Card>;
}

function Circuit({ track }: { track: LibraryTrack }) {
  const { board } = useBoardTop(track.id, true);
  // The list's outlines are thinned for small drawings.
  const detailed = useQuery(apiQuery('GET /api/tracks/:trackId', { params: { trackId: track.id } }));
  if (!board || detailed.isPending) return <CircuitSkeleton />;
  const [record] = board.records;
  const detailedTrack = detailed.data ?? track;
  return (
    <>
      <div className={styles['head']}>
        <p className={styles['name']}>
          <Link href={`/track/${track.id}`}>{track.name}</Link>
          <small>{track.location || 'Location not set'}</small>
        </p>
        {record ? <Badge tone="best">Track record</Badge> : <Badge>{track.configuration || 'Unknown'}</Badge>}
      </div>
      <div className={classNames(styles['picture'], record && styles['record'])}>
        <CircuitOutline track={detailedTrack} showsSectors animated box={HERO_BOX} />
      </div>
      <Sectors track={detailedTrack} hasRecord={record !== undefined} />
      <Result trackId={track.id} record={record} lengthMeters={track.lengthMeters} />
    </>
  );
}

function Sectors({
  track,
  hasRecord,
}: {
  track: Pick<LibraryTrack, 'outline' | 'sectors'>;
  hasRecord: boolean;
}) {
  const lengths = track.outline ? sectorLengthsMeters(track.outline, track.sectors) : [];
  return (
    <dl className={classNames(styles['sectors'], hasRecord && styles['record'])}>
      {lengths.map((lengthMeters, index) => (
        <div key={lengthMeters}>
          <dt>S{index + 1}</dt>
          <dd>{formatLengthKm(lengthMeters)}</dd>
        </div>
      ))}
    </dl>
  );
}

type ResultProps = { trackId: string; record: BoardRecord | undefined; lengthMeters: number | null };

function Result({ trackId, record, lengthMeters }: ResultProps) {
  if (record) {
    return (
      <div className={styles['result']}>
        <LapTimeLink
          trackId={trackId}
          lapId={openableLap(record)}
          lapTimeMs={record.lapTimeMs}
          className={styles['figure']}
        />
        <p className={styles['who']}>
          <b>{record.userName}</b>
          <span>{formatCarName(record)}</span>
        </p>
      </div>
    );
  }
  return (
    <div className={styles['result']}>
      <span className={styles['figure']}>{lengthMeters !== null && formatLengthKm(lengthMeters)}</span>
      <p className={styles['who']}>
        <b>No laps recorded yet</b>
        <span>The first one is the track record.</span>
      </p>
    </div>
  );
}

// As tall as the loaded circuit, so that nothing moves.
function CircuitSkeleton() {
  return (
    <>
      <div className={styles['head']} />
      <div className={styles['picture']} />
      <div className={styles['sectors']} />
      <div className={styles['result']} />
    </>
  );
}
