import type { ReactNode } from 'react';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import { Badge } from '#web/ui/badge.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { describeTrack } from './track-choices.ts';
import styles from './track-row.module.css';

const OUTLINE_BOX = { width: 72, height: 48, padding: 4 };

/** Shows a track in one line: outline, name and facts, followed by `children`. */
export function TrackRow({ track, children }: { track: ListedTrack; children?: ReactNode }) {
  return (
    <span className={styles['row']}>
      <span className={styles['outline']} aria-hidden="true">
        <CircuitOutline track={track} box={OUTLINE_BOX} />
      </span>
      <span className={styles['text']}>
        <span className={styles['name']}>
          {track.name}
          {track.status === 'community_submitted' && <Badge tone="outline">Community</Badge>}
        </span>
        <span className={styles['facts']}>
          <Facts facts={describeTrack(track)} />
        </span>
      </span>
      {children}
    </span>
  );
}
