import { formatLapTime } from '#engine/lap-time.ts';
import { classNames } from '#web/ui/class-names.ts';
import type { Mark } from './standings.ts';
import styles from './live.module.css';

const MARKS = { best: ', best of the session', own: ', own best' };

/** Shows a time with its mark: a bar before it, a colour, and words for screen readers. */
export function LiveTime({ timeMs, mark }: { timeMs: number | null; mark: Mark }) {
  if (timeMs === null) return <span>—</span>;
  return (
    <span className={classNames(styles['time'], mark && styles[mark])}>
      {formatLapTime(timeMs)}
      {mark && <span className="visually-hidden">{MARKS[mark]}</span>}
    </span>
  );
}

/** Formats a sector: seconds alone below a minute. */
export function formatSector(timeMs: number): string {
  return timeMs < 60_000 ? (timeMs / 1000).toFixed(3) : formatLapTime(timeMs);
}
