import styles from './charts.module.css';
import type { TimeScale } from '#web/ui/time-scale.ts';

type ScaleAxisProps = {
  scale: TimeScale | null;
  /** The name of the numbers below the chart. */
  unit?: string;
};

/** Shows the ticks of a scale beside a chart, slower times on top. */
export function ScaleAxis({ scale, unit }: ScaleAxisProps) {
  return (
    <div className={styles['axis']} aria-hidden="true">
      {scale?.ticks.map(({ timeMs, label, share }) => (
        <span key={timeMs} style={{ top: `${(1 - share) * 100}%` }}>
          {label}
        </span>
      ))}
      {unit && <span className={styles['unit']}>{unit}</span>}
    </div>
  );
}
