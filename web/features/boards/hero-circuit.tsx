import { useQuery, type QueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { TrackId } from '#contract/ids.ts';
import { formatCarName } from '#contract/laps/labels.ts';
import type { RecordSector } from '#contract/laps/schemas.ts';
import { sectorLengthsMeters } from '#engine/drawing/circuit-path.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatTrackLength, formatSeconds } from '#web/ui/format.ts';
import { LapTimeLink } from '#web/ui/lap-time-link.tsx';
import { TrackPicture } from '#web/ui/picture.tsx';
import { trackHref } from '#web/ui/page-hrefs.ts';
import { useBoardTracks, useBoardTop } from './track-card-queries.ts';
import styles from './hero-circuit.module.css';
import type { BoardRecord } from './read-board.ts';

const HERO_BOX = { width: 520, height: 230, padding: 12 };

/** Shows the first track of the boards with its large outline and its record; before the first lap, the way to it. */
export function HeroCircuit() {
  const { tracks } = useBoardTracks();
  if (!tracks)
    return (
      <Card className={styles['card']}>
        <CircuitSkeleton />
      </Card>
    );
  const [track] = tracks;
  if (!track || track.entryCount === 0) return <FirstTrack />;
  return (
    <Card className={styles['card']}>
      <Circuit track={track} />
    </Card>
  );
}

function FirstTrack() {
  return (
    <Card className={styles['first']}>
      <TrackPicture />
      <h2>Add your track: upload the first lap</h2>
      <p>
        Your lap file finds its track in the library. A track that is not there is drawn from your laps, with
        a start line that you confirm. The first lap is the track record.
      </p>
      <ButtonLink href="/upload" variant="primary">
        Upload the First Lap
      </ButtonLink>
    </Card>
  );
}

/** Fetches the data of the hero beyond the top of the first board. */
export async function prefetchHero(queryClient: QueryClient, trackId: TrackId): Promise<void> {
  await Promise.all([
    queryClient.prefetchQuery(detailedTrackQuery(trackId)),
    queryClient.prefetchQuery(recordSectorsQuery(trackId)),
  ]);
}

// The list has outlines that are thinned for small maps, so the hero fetches the full one.
const detailedTrackQuery = (trackId: TrackId) =>
  apiQuery('GET /api/tracks/:trackId', { params: { trackId } });

const recordSectorsQuery = (trackId: TrackId) =>
  apiQuery('GET /api/laps/track/:trackId/record-sectors', { params: { trackId } });

function Circuit({ track }: { track: ListedTrack }) {
  const { board } = useBoardTop(track.id, true);
  const detailed = useQuery(detailedTrackQuery(track.id));
  // The hero shows the lengths of the sectors if there are no sector times.
  const sectors = useQuery({ ...recordSectorsQuery(track.id), retryOnMount: false });
  if (!board || detailed.isPending || sectors.isPending) return <CircuitSkeleton />;
  const [record] = board.records;
  const detailedTrack = detailed.data ?? track;
  const shown = describeSectors(detailedTrack, sectors.data ?? []);
  const hasTimes = shown.some(({ color }) => color !== null);
  return (
    <>
      <div className={styles['head']}>
        <p className={styles['name']}>
          <Link href={trackHref(track.id)}>{track.name}</Link>
          <small>{track.location || 'Location not set'}</small>
        </p>
        {record ? <Badge tone="best">Track record</Badge> : <Badge>{track.configuration || 'Unknown'}</Badge>}
      </div>
      <div className={classNames(styles['picture'], record && !hasTimes && styles['record'])}>
        <CircuitOutline
          track={detailedTrack}
          showsSectors
          animated
          box={HERO_BOX}
          sectorColors={shown.map(({ color }) => color)}
        />
      </div>
      <Sectors shown={shown} />
      <Result trackId={track.id} record={record} lengthMeters={track.lengthMeters} />
    </>
  );
}

function Sectors({ shown }: { shown: readonly ShownSector[] }) {
  return (
    <dl className={styles['sectors']}>
      {shown.map(({ name, text, color, words }) => (
        <div key={name} style={color === null ? undefined : { color, borderTopColor: color }}>
          <dt>{name}</dt>
          <dd>
            {text}
            {words && <span className="visually-hidden"> {words}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type ShownSector = { name: string; text: string; color: string | null; words: string };

/** Describes the sector times of the record in the colours of timing, else the lengths of the sectors. */
function describeSectors(
  track: Pick<ListedTrack, 'outline' | 'sectors' | 'finishLine'>,
  timed: readonly RecordSector[],
): ShownSector[] {
  if (timed.length === 0) {
    const lengthsMeters = track.outline ? sectorLengthsMeters(track) : [];
    return lengthsMeters.map((lengthMeters, index) => ({
      name: `S${index + 1}`,
      text: formatTrackLength(lengthMeters),
      color: null,
      words: '',
    }));
  }
  return timed.map(({ timeMs, isFastest, isDriversBest }, index) => ({
    name: `S${index + 1}`,
    text: timeMs === null ? '—' : formatSeconds(timeMs),
    color: isFastest ? 'var(--best)' : isDriversBest ? 'var(--pb)' : 'var(--text-2)',
    words: isFastest ? 'overall best' : isDriversBest ? 'personal best' : '',
  }));
}

type ResultProps = { trackId: TrackId; record: BoardRecord | undefined; lengthMeters: number | null };

function Result({ trackId, record, lengthMeters }: ResultProps) {
  if (record) {
    return (
      <div className={styles['result']}>
        <LapTimeLink
          trackId={trackId}
          lapId={record.lapId}
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
      <span className={styles['figure']}>{lengthMeters !== null && formatTrackLength(lengthMeters)}</span>
      <p className={styles['who']}>
        <b>No laps recorded yet</b>
        <span>The first one is the track record.</span>
      </p>
    </div>
  );
}

// The skeleton is as tall as the loaded circuit, so that nothing moves.
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
