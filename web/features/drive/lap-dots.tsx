import { formatLapTime } from '#engine/lap-time.ts';
import type { ShownLap } from './after-drive.tsx';
import styles from './after.module.css';

const [WIDTH, HEIGHT, TOP, BOTTOM, SIDE] = [358, 116, 26, 92, 20];
/** A lap that is slower than the best by more than this share is drawn at the bottom. */
const SLOWEST_SHARE = 0.04;
const NUMBERS_MAX = 12;

/** Draws a dot for each timed lap, quick ones on top, hollow ones with a hole; the dashed line is the best before. */
export function LapDots({ laps, beforeMs }: { laps: readonly ShownLap[]; beforeMs: number | null }) {
  const timed = laps.flatMap(({ number, lapTimeMs, isHollow }) =>
    lapTimeMs === null ? [] : [{ number, lapTimeMs, isHollow }],
  );
  const whole = timed.filter(({ isHollow }) => !isHollow).map(({ lapTimeMs }) => lapTimeMs);
  if (timed.length < 2 || whole.length === 0) return null;
  const best = Math.min(...whole);
  const top = Math.min(best, beforeMs ?? best);
  const bottom = Math.min(Math.max(...whole, beforeMs ?? best), top * (1 + SLOWEST_SHARE));
  const y = (timeMs: number) =>
    TOP + (BOTTOM - TOP) * Math.min(1, Math.max(0, (timeMs - top) / Math.max(1, bottom - top)));
  const x = (index: number) => SIDE + ((WIDTH - 2 * SIDE) * index) / (timed.length - 1);
  const every = Math.ceil(timed.length / NUMBERS_MAX);
  return (
    <svg className={styles['dots']} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {beforeMs !== null && (
        <>
          <path d={`M8 ${y(beforeMs)}H350`} strokeDasharray="3 4" />
          <text x="8" y={y(beforeMs) - 7}>
            Before: {formatLapTime(beforeMs)}
          </text>
        </>
      )}
      {timed.map(({ number, lapTimeMs, isHollow }, index) => (
        <g key={number} data-best={lapTimeMs === best && !isHollow} data-hollow={isHollow}>
          <circle cx={x(index)} cy={y(lapTimeMs)} r={lapTimeMs === best ? 6 : 5} />
          {index % every === 0 && (
            <text x={x(index)} y={HEIGHT - 4} textAnchor="middle">
              {number}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}
