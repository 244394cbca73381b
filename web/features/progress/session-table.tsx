import type { TrackId } from '#contract/ids.ts';
import { LAP_REASON_MESSAGES } from '#contract/laps/labels.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { classNames } from '#web/ui/class-names.ts';
import { formatLapDate, formatSector } from '#web/ui/format.ts';
import { LapTimeLink } from '#web/ui/lap-time-link.tsx';
import table from '#web/ui/table.module.css';
import type { DrivenSession } from './lap-names.ts';
import styles from './progress.module.css';

type SessionTableProps = { session: DrivenSession; trackId: TrackId; sectorNames: readonly string[] };

/** Shows all laps of a session with their sectors, folded at first. */
export function SessionTable({ session, trackId, sectorNames }: SessionTableProps) {
  const { sessionDate, laps, bestLapId } = session;
  return (
    <details className={styles['allLaps']}>
      <summary>All laps as a table</summary>
      <table className={classNames(table['table'], styles['laps'])}>
        <caption className="visually-hidden">Laps of {formatLapDate(sessionDate)}</caption>
        <thead>
          <tr>
            <th scope="col">Lap</th>
            <th scope="col">Lap time</th>
            {sectorNames.map((name) => (
              <th key={name} scope="col" className={table['wide']}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {laps.map((lap) => (
            <tr key={lap.lapId}>
              <th scope="row">{lap.number}</th>
              <td>
                <span className={classNames(lap.lapId === bestLapId && styles['best'])}>
                  <LapTimeLink {...lap} trackId={trackId} />
                  {lap.lapId === bestLapId && <span className="visually-hidden"> best of the session</span>}
                </span>
                {!isRanking(lap) && (
                  <span className={table['part']}>
                    {['Does not count.', ...lap.reasons.map((reason) => LAP_REASON_MESSAGES[reason])].join(
                      ' ',
                    )}
                  </span>
                )}
              </td>
              {sectorNames.map((name, sector) => (
                <td key={name} className={table['wide']}>
                  {formatSector(lap.sectorTimesMs[sector] ?? null)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
