import { classNames } from '#web/ui/class-names.ts';
import { formatDifference } from '#web/ui/format.ts';
import { formatSector, LiveTime } from './live-time.tsx';
import { type LiveRow, NO_SIGNAL, type ShownSector } from './standings.ts';
import { useMovingRows } from './use-moving-rows.ts';
import styles from './live.module.css';

/** Shows the drivers of a live session on a phone. */
export function LiveList({ rows }: { rows: readonly LiveRow[] }) {
  const list = useMovingRows<HTMLOListElement>();
  return (
    <div className={styles['phone']}>
      <div className={styles['listHead']} aria-hidden="true">
        <span />
        <span>Driver</span>
        <span>Best</span>
        <span>Last</span>
      </div>
      <ol ref={list} className={styles['list']}>
        {rows.map((row) => (
          <ListRow key={row.driver.number} row={row} />
        ))}
      </ol>
    </div>
  );
}

function ListRow({ row }: { row: LiveRow }) {
  const { driver, position, gapMs, status, sectors } = row;
  const isOff = driver.state === 'pits' || status === NO_SIGNAL;
  return (
    <li data-row={driver.number} className={isOff ? styles['off'] : undefined}>
      <span className={styles['position']}>{position}</span>
      <span className={styles['who']}>
        <b>{driver.name}</b>
        <small>
          <em>{isOff || driver.state === 'out_lap' || driver.lap === null ? status : `Lap ${driver.lap}`}</em>
          {!isOff && <Sectors sectors={sectors} />}
        </small>
      </span>
      <span className={styles['times']}>
        <b>
          <LiveTime timeMs={driver.bestMs} mark={row.bestMark} />
        </b>
        <small>{gapMs === null ? '' : formatDifference(gapMs)}</small>
      </span>
      <span className={styles['times']}>
        <LiveTime timeMs={driver.lastMs} mark={row.lastMark} />
      </span>
    </li>
  );
}

/** Shows the sectors of the running lap as bars: of a best one also by its height. */
function Sectors({ sectors }: { sectors: readonly ShownSector[] }) {
  return (
    <>
      <span className="visually-hidden">{spellSectors(sectors)}</span>
      <span className={styles['bars']} aria-hidden="true">
        {sectors.map(({ timeMs, mark, runningShare }, index) => (
          <i
            key={index}
            className={classNames(timeMs !== null && styles['done'], timeMs !== null && mark && styles[mark])}
          >
            {runningShare !== null && <u style={{ width: `${Math.round(runningShare * 100)}%` }} />}
          </i>
        ))}
      </span>
    </>
  );
}

function spellSectors(sectors: readonly ShownSector[]): string {
  const driven = sectors.flatMap(({ timeMs, mark }, index) => {
    if (timeMs === null) return [];
    const words = mark === 'best' ? ', best of the session' : mark === 'own' ? ', own best' : '';
    return [`S${index + 1} ${formatSector(timeMs)}${words}`];
  });
  return driven.length === 0 ? 'No sector yet' : driven.join('; ');
}
