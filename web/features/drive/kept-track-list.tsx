import type { RefObject } from 'react';
import { Link } from 'wouter';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { formatLocalDate, pluralize } from '#web/ui/format.ts';
import { useFocusAfter } from '#web/ui/use-focus-after.ts';
import { removeKeptTrack, type KeptTrack } from './kept-tracks.ts';
import styles from './before.module.css';

type KeptTrackListProps = {
  tracks: readonly KeptTrack[];
  onChanged: () => void;
  /** Takes the focus where a row is gone. */
  focusAfter: RefObject<HTMLElement | null>;
};

/** Lists the tracks that this browser keeps for drives without a network. */
export function KeptTrackList({ tracks, ...row }: KeptTrackListProps) {
  return (
    <section>
      <h2 className={styles['caption']}>Tracks taken along</h2>
      {tracks.length === 0 ? (
        <p className={styles['explained']}>
          None yet. Open your track under <Link href="/leaderboards">Leaderboards</Link> and press “Take this
          track along”.
        </p>
      ) : (
        <Card padded={false} className={styles['rows']}>
          {tracks.map((kept) => (
            <Row key={kept.track.id} kept={kept} {...row} />
          ))}
        </Card>
      )}
    </section>
  );
}

type RowProps = Omit<KeptTrackListProps, 'tracks'> & { kept: KeptTrack };

function Row({ kept: { track, laps, keptAtMs }, onChanged, focusAfter }: RowProps) {
  useFocusAfter(focusAfter);
  return (
    <div className={styles['row']}>
      <span>
        <b>{[track.name, track.configuration].filter(Boolean).join(', ')}</b>
        <span className={styles['second']}>
          {pluralize(laps.length, 'lap')} to compare with, as of {formatLocalDate(keptAtMs)}
        </span>
      </span>
      <Button
        size="small"
        variant="quiet"
        aria-label={`Remove ${track.name}`}
        onClick={() => void removeKeptTrack(track.id).then(onChanged)}
      >
        Remove
      </Button>
    </div>
  );
}
