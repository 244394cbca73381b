import { LAP_REASON_MESSAGES } from '#contract/laps/labels.ts';
import type { TimedLap } from '#contract/laps/schemas.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { Badge, type BadgeTone } from '#web/ui/badge.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatSector } from '#web/ui/format.ts';
import { formatUncertainty, LapTime } from '#web/ui/lap-time.tsx';
import table from '#web/ui/table.module.css';
import styles from './lap-table.module.css';

type LapTableProps = { laps: readonly TimedLap[]; bestLapTimeMs: number | null };

const STATUS_BADGES: Record<TimedLap['status'], { label: string; tone: BadgeTone }> = {
  valid: { label: 'Counts', tone: 'outline' },
  warning: { label: 'Counts, with a warning', tone: 'warn' },
  simulated: { label: 'Simulated', tone: 'neutral' },
  rejected: { label: 'Does not count', tone: 'bad' },
  incomplete: { label: 'Not complete', tone: 'neutral' },
};

/** Lists every lap of a file in driving order, with its status and the reasons for it. */
export function LapTable({ laps, bestLapTimeMs }: LapTableProps) {
  const sectorCount = Math.max(...laps.map((lap) => lap.sectorTimesMs.length));
  const sectors = Array.from({ length: sectorCount }, (_, index) => index);
  return (
    <table className={table['table']}>
      <caption className="visually-hidden">Laps in this file</caption>
      <thead>
        <tr>
          <th scope="col" className={table['row']}>
            Lap
          </th>
          <th scope="col" className={table['number']}>
            Lap time
          </th>
          {sectors.map((index) => (
            <th key={index} scope="col" className={classNames(table['number'], styles['sector'])}>
              S{index + 1}
            </th>
          ))}
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {laps.map((lap) => (
          <LapRow
            key={lap.number}
            lap={lap}
            sectors={sectors}
            isBest={isRanking(lap) && lap.lapTimeMs === bestLapTimeMs}
          />
        ))}
      </tbody>
    </table>
  );
}

function LapRow({ lap, sectors, isBest }: { lap: TimedLap; sectors: readonly number[]; isBest: boolean }) {
  const { label, tone } = STATUS_BADGES[lap.status];
  return (
    <tr className={classNames(!isRanking(lap) && styles['out'])}>
      <th scope="row" className={table['row']}>
        {lap.number}
      </th>
      <td className={classNames(table['number'], styles['lap'])}>
        {isRanking(lap) ? (
          <LapTime lapTimeMs={lap.lapTimeMs} />
        ) : (
          <s>
            <LapTime lapTimeMs={lap.lapTimeMs} />
          </s>
        )}
        <span className={styles['uncertainty']}>{formatUncertainty(lap.uncertaintyMs)}</span>
      </td>
      {sectors.map((index) => (
        <td key={index} className={classNames(table['number'], styles['sector'])}>
          {formatSector(lap.sectorTimesMs[index] ?? null)}
        </td>
      ))}
      <td>
        <span className={styles['badges']}>
          {isBest && <Badge tone="pb">Best lap</Badge>}
          {(lap.status !== 'valid' || !isBest) && <Badge tone={tone}>{label}</Badge>}
        </span>
        {lap.reasons.map((reason) => (
          <span key={reason} className={classNames(table['part'], styles['reason'])}>
            {LAP_REASON_MESSAGES[reason]}
          </span>
        ))}
      </td>
    </tr>
  );
}
