import { Link } from 'wouter';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { sectorLengthsMeters } from '#web/ui/circuit-path.ts';
import { classNames } from '#web/ui/class-names.ts';
import { LapTime } from '#web/ui/lap-time.tsx';
import { carText, type RankedRecord } from './board.ts';
import { useBoardTracks, useTopOfBoard } from './board-queries.ts';
import styles from './hero-circuit.module.css';
import { formatLengthKm, type BoardTrack } from './track-list.ts';

const HERO_BOX = { width: 520, height: 250, padding: 14 };

/** The first track of the boards, drawn large, with its record; without one it shows the circuit alone. */
export function HeroCircuit() {
  const { tracks } = useBoardTracks();
  const [track] = tracks ?? [];
  return <Card className={styles['card'] ?? ''}>{track ? <Circuit track={track} /> : <Placeholder />}</Card>;
}

function Circuit({ track }: { track: BoardTrack }) {
  const { board } = useTopOfBoard(track.id, true);
  const record = board?.records[0];
  const lengths = track.outline ? sectorLengthsMeters(track.outline, track.sectors) : [];
  return (
    <>
      <div className={classNames(styles['picture'], record ? styles['record'] : styles['plain'])}>
        <CircuitOutline track={track} showsSectors animated box={HERO_BOX} />
      </div>
      <dl className={styles['sectors']}>
        {lengths.map((lengthMeters, index) => (
          <div key={lengthMeters}>
            <dt>S{index + 1}</dt>
            <dd>{formatLengthKm(lengthMeters)}</dd>
          </div>
        ))}
      </dl>
      {record ? <Record track={track} record={record} /> : <TrackLine track={track} />}
    </>
  );
}

function Record({ track, record }: { track: BoardTrack; record: RankedRecord }) {
  return (
    <div className={styles['result']}>
      <div>
        <LapTime lapTimeMs={record.lapTimeMs} className={styles['time'] ?? ''} />
        <p className={styles['who']}>
          {[record.userName, carText(record)].filter(Boolean).join(' · ')}
          <br />
          <Link href={`/track/${track.id}`}>{track.name}</Link>
        </p>
      </div>
      <Badge tone="best">Track record</Badge>
    </div>
  );
}

function TrackLine({ track }: { track: BoardTrack }) {
  return (
    <div className={styles['result']}>
      <div>
        <p className={styles['name']}>{track.name}</p>
        <p className={styles['who']}>{track.location || 'Location not set'}</p>
      </div>
      <Badge>{track.configuration || 'Unknown'}</Badge>
    </div>
  );
}

// Keeps the place, so that nothing moves when the tracks arrive.
function Placeholder() {
  return (
    <>
      <div className={styles['picture']} />
      <div className={styles['sectors']} />
      <div className={styles['result']} />
    </>
  );
}
