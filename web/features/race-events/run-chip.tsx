import { formatLapTime } from '#engine/lap-time.ts';
import { classNames } from '#web/ui/class-names.ts';
import { formatUncertainty } from '#web/ui/lap-time.tsx';
import { formatPenalty } from './describe-rule.ts';
import type { ShownRun } from './event-view.ts';
import { STATUS_LABELS } from '#contract/race-events/labels.ts';
import styles from './run-chip.module.css';

/** Shows a run: its time with penalties, and below it the ±, that it was typed, or its status. A tap opens it. */
export function RunChip({ run, onOpen }: { run: ShownRun; onOpen: () => void }) {
  const { number, timeMs, penaltyMs, counts } = run;
  return (
    <button type="button" className={classNames(styles['chip'], counts && styles['counts'])} onClick={onOpen}>
      <span className="visually-hidden">Run {number}: </span>
      <span className={styles['time']}>
        {timeMs === null ? STATUS_LABELS[run.status] : formatLapTime(timeMs)}
        {penaltyMs > 0 && <b> +{formatPenalty(penaltyMs)}</b>}
      </span>
      <span className={styles['mark']}>{describeMark(run)}</span>
      {counts && <span className="visually-hidden">, counts</span>}
    </button>
  );
}

/** Names what kind of time a run has: its status where it does not count as it is, its ±, or that it was typed. */
function describeMark({ status, timeMs, uncertaintyMs, lap }: ShownRun): string {
  if (timeMs === null) return '';
  if (status !== 'timed') return STATUS_LABELS[status];
  if (lap === null) return 'typed';
  return uncertaintyMs === null ? '' : formatUncertainty(uncertaintyMs);
}
