import { nameTrack } from '#contract/tracks/labels.ts';
import type { TrackId } from '#contract/ids.ts';
import type { LayoutRelation } from '#engine/proposal/compare-layouts.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { formatTrackLength } from '#web/ui/format.ts';
import common from '#web/ui/common.module.css';
import styles from './nearby-tracks.module.css';
import type { NearbyTrack } from './use-nearby-tracks.ts';

type NearbyTracksProps = {
  /** The known tracks, with the most likely one first. */
  nearby: readonly NearbyTrack[];
  /** True where one of them is the driven one. */
  isKnown: boolean;
  onChoose: (trackId: TrackId) => void;
  /** Is called with the track that the driver points at; null for none. */
  onHighlight: (trackId: TrackId | null) => void;
};

/** Shows the known tracks near a drive, one of which may be the driven one. */
export function NearbyTracks({ nearby, isKnown, onChoose, onHighlight }: NearbyTracksProps) {
  if (nearby.length === 0) return null;
  return (
    <section className={common['lines']} aria-label="Known tracks here">
      <p className={common['note']}>
        {isKnown
          ? 'This track is known already. Your laps go on its board:'
          : 'These tracks are known here. Is yours one of them?'}
      </p>
      <ul className={styles['list']}>
        {nearby.map(({ track: { id, name, configuration, lengthMeters }, relation }) => (
          <li key={id} className={styles['row']}>
            <span className={styles['name']}>
              {nameTrack({ name, configuration })}
              {lengthMeters !== null && (
                <span className={styles['length']}>{formatTrackLength(lengthMeters)}</span>
              )}
            </span>
            <Badge tone={relation?.layout === 'same' && !relation.isReverse ? 'pb' : 'neutral'}>
              {describeRelation(relation)}
            </Badge>
            <Button
              onPointerEnter={() => onHighlight(id)}
              onPointerLeave={() => onHighlight(null)}
              onFocus={() => onHighlight(id)}
              onBlur={() => onHighlight(null)}
              size="small"
              onClick={() => onChoose(id)}
              aria-label={`Use ${name} ${configuration ?? ''}`.trim()}
            >
              Use this one
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const LAYOUT_WORDS = {
  same: 'Probably this one',
  longer: 'A longer layout of it',
  shorter: 'A shorter layout of it',
  other: 'Another layout of it',
} as const;

function describeRelation(relation: LayoutRelation | null): string {
  if (relation === null) return 'Nearby';
  const { layout, isReverse } = relation;
  if (!isReverse) return LAYOUT_WORDS[layout];
  return layout === 'same' ? 'This one, other direction' : `${LAYOUT_WORDS[layout]}, other direction`;
}
