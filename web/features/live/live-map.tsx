import { useMemo } from 'react';
import type { LiveSession } from '#contract/live/schemas.ts';
import { type Box, drawCircuit, placeInCircuit } from '#engine/drawing/circuit-path.ts';
import { classNames } from '#web/ui/class-names.ts';
import type { LiveView } from './live-view.ts';
import { type LiveRow, NO_SIGNAL } from './standings.ts';
import styles from './live.module.css';

const BOX: Box = { width: 276, height: 200, padding: 18 };
const RADIUS = 11;
const FILLED_POSITIONS = 3;

type LiveMapProps = {
  track: LiveSession['track'];
  rows: readonly LiveRow[];
  positions: LiveView['positions'];
};

/** Shows where the drivers are who show their lines; a number is the position in the table. */
export function LiveMap({ track, rows, positions }: LiveMapProps) {
  const drawing = useMemo(() => drawCircuit(track, BOX), [track]);
  const place = useMemo(() => placeInCircuit(track.outline, BOX), [track]);
  if (!drawing || !place) return null;
  const dots = rows.flatMap((row) => {
    const at = positions.get(row.driver.number);
    return at && row.status !== NO_SIGNAL ? [{ row, point: place(at) }] : [];
  });
  const names = dots.map(({ row }) => `${row.position} ${row.driver.name}`).join(', ');
  return (
    <section className={styles['map']}>
      <h2>
        On track now <span>{countLines(rows)}</span>
      </h2>
      <p className="visually-hidden">{names === '' ? 'No position is shown.' : `On the map: ${names}`}</p>
      <svg viewBox={`0 0 ${BOX.width} ${BOX.height}`} aria-hidden="true">
        <path d={drawing.lap} className={styles['outline']} />
        <path d={drawing.startTick + (drawing.finishTick ?? '')} className={styles['tick']} />
        {dots.toReversed().map(({ row, point }) => (
          <g
            key={row.driver.number}
            className={classNames(styles['dot'], row.position <= FILLED_POSITIONS && styles['filled'])}
            style={{ transform: `translate(${point.x.toFixed(1)}px, ${point.y.toFixed(1)}px)` }}
          >
            <circle r={RADIUS} />
            <text dy="0.35em">{row.position}</text>
          </g>
        ))}
      </svg>
    </section>
  );
}

function countLines(rows: readonly LiveRow[]): string {
  const count = rows.filter(({ driver }) => driver.showsLine).length;
  return `${count} ${count === 1 ? 'shows the' : 'show their'} line`;
}
