import Route from 'lucide-react/icons/route';
import { useMemo } from 'react';
import type { Track } from '#contract/tracks/schemas.ts';
import styles from './circuit-outline.module.css';
import { drawCircuit, sectorLengthsMeters, type Box } from '#engine/drawing/circuit-path.ts';
import { classNames } from './class-names.ts';

type CircuitOutlineProps = {
  track: Partial<Pick<Track, 'outline' | 'sectors' | 'finishLine' | 'name'>>;
  /** Marks where the sectors begin. */
  showsSectors?: boolean;
  /** Colours each sector; the others of the lap stay as they are. */
  sectorColors?: readonly (string | null)[] | undefined;
  /** Leaves out the start line, where none is known. */
  hidesStart?: boolean;
  /** Draws itself once. */
  animated?: boolean;
  /** The size in units of the drawing, in the proportions of its container. */
  box?: Box;
};

const CARD_BOX: Box = { width: 240, height: 100, padding: 8 };
const DOT_RADIUS = 3;

/** Draws a circuit from its geometry, hidden from screen readers. `--outline` and `--outline-width` style it. */
export function CircuitOutline(props: CircuitOutlineProps) {
  const { track, showsSectors, sectorColors = [], hidesStart, animated, box = CARD_BOX } = props;
  const paths = useMemo(
    () => drawCircuit({ outline: track.outline, sectors: track.sectors, finishLine: track.finishLine }, box),
    [track.outline, track.sectors, track.finishLine, box],
  );
  if (!paths) {
    return (
      <span className={styles['unknown']}>
        <Route size={28} strokeWidth={1.5} aria-hidden="true" />
      </span>
    );
  }
  return (
    <svg className={styles['drawing']} viewBox={`0 0 ${box.width} ${box.height}`} aria-hidden="true">
      <path
        d={paths.lap}
        pathLength={1}
        className={animated ? `${styles['lap']} ${styles['drawn']}` : styles['lap']}
      />
      {listSectorShares(track).map(({ start, share }, index) => {
        const color = sectorColors[index];
        if (!color) return null;
        return (
          <path
            key={start}
            d={paths.lap}
            pathLength={1}
            strokeDasharray={`${share} 1`}
            strokeDashoffset={-start}
            style={{ stroke: color }}
            className={classNames(styles['lap'], styles['sector'], animated && styles['late'])}
          />
        );
      })}
      {!hidesStart && <path d={paths.startTick + (paths.finishTick ?? '')} className={styles['tick']} />}
      {showsSectors &&
        paths.sectorStarts
          .slice(1)
          .map(({ x, y }) => (
            <circle key={`${x} ${y}`} cx={x} cy={y} r={DOT_RADIUS} className={styles['dot']} />
          ))}
    </svg>
  );
}

/** Returns the start and the length of each sector, as shares of the lap. */
function listSectorShares(track: CircuitOutlineProps['track']): { start: number; share: number }[] {
  const lengths = track.outline ? sectorLengthsMeters(track) : [];
  const total = lengths.reduce((sum, length) => sum + length, 0);
  return lengths.map((length, index) => ({
    start: lengths.slice(0, index).reduce((sum, before) => sum + before, 0) / total,
    share: length / total,
  }));
}
