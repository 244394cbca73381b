import { classNames } from '#web/ui/class-names.ts';
import { formatDifference } from '#web/ui/format.ts';
import { formatSector, LiveTime } from './live-time.tsx';
import { type LiveRow, NO_SIGNAL, type Order, type ShownSector } from './standings.ts';
import { useMovingRows } from './use-moving-rows.ts';
import styles from './live.module.css';

type LiveTableProps = {
  rows: readonly LiveRow[];
  sectorCount: number;
  order: Order;
  onOrder: (order: Order) => void;
};

/** Shows the drivers of a live session on a wide screen. */
export function LiveTable({ rows, sectorCount, order, onOrder }: LiveTableProps) {
  const body = useMovingRows<HTMLTableSectionElement>();
  return (
    <table className={styles['table']}>
      <caption className="visually-hidden">Drivers of the live session</caption>
      <thead>
        <tr>
          <th scope="col" className={styles['center']}>
            Pos
          </th>
          <th scope="col" className={styles['left']}>
            Driver
          </th>
          <th scope="col" className={styles['left']}>
            Now
          </th>
          <th scope="col">Lap</th>
          {Array.from({ length: sectorCount }, (_, sector) => (
            <th key={sector} scope="col">
              S{sector + 1}
            </th>
          ))}
          <OrderHeading name="last" order={order} onOrder={onOrder} />
          <OrderHeading name="best" order={order} onOrder={onOrder} />
          <th scope="col">Gap</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row) => (
          <TableRow key={row.driver.number} row={row} />
        ))}
      </tbody>
    </table>
  );
}

type OrderHeadingProps = { name: Order; order: Order; onOrder: (order: Order) => void };

function OrderHeading({ name, order, onOrder }: OrderHeadingProps) {
  return (
    <th scope="col" aria-sort={order === name ? 'ascending' : undefined}>
      <button type="button" className={styles['order']} onClick={() => onOrder(name)}>
        {name === 'best' ? 'Best' : 'Last'}
      </button>
    </th>
  );
}

function TableRow({ row }: { row: LiveRow }) {
  const { driver, position, gapMs, isOnTrack, hasSignal, status, sectors } = row;
  const isOff = driver.state === 'pits' || status === NO_SIGNAL;
  return (
    <tr data-row={driver.number} className={isOff ? styles['off'] : undefined}>
      <td className={styles['position']}>{position}</td>
      <th scope="row">
        <b>{driver.name}</b>
        {driver.car && <small>{driver.car}</small>}
      </th>
      <td className={styles['left']}>
        <Status isFilled={isOnTrack && hasSignal} status={status} />
      </td>
      <td className={styles['lap']}>{driver.lap ?? ''}</td>
      {sectors.map((sector, index) => (
        <td key={index} className={styles['sector']}>
          <Sector sector={sector} isOld={isOff} />
        </td>
      ))}
      <td className={styles['last']}>
        <LiveTime timeMs={driver.lastMs} mark={row.lastMark} />
      </td>
      <td className={styles['bestTime']}>
        <LiveTime timeMs={driver.bestMs} mark={row.bestMark} />
      </td>
      <td className={styles['gap']}>{gapMs === null ? firstGap(row) : formatDifference(gapMs)}</td>
    </tr>
  );
}

const firstGap = ({ position, driver }: LiveRow): string =>
  position === 1 && driver.bestMs !== null ? '—' : '';

export function Status({ isFilled, status }: { isFilled: boolean; status: string }) {
  return (
    <span className={classNames(styles['status'], !isFilled && styles['away'])}>
      <i aria-hidden="true" />
      {status}
    </span>
  );
}

function Sector({ sector: { timeMs, mark, runningShare }, isOld }: { sector: ShownSector; isOld: boolean }) {
  if (runningShare !== null)
    return (
      <i className={styles['running']} aria-hidden="true">
        <u style={{ width: `${Math.round(runningShare * 100)}%` }} />
      </i>
    );
  if (timeMs === null) return null;
  return (
    <span className={classNames(!isOld && mark && styles[mark])}>
      {formatSector(timeMs)}
      {!isOld && mark && (
        <span className="visually-hidden">{mark === 'best' ? ', best of the session' : ', own best'}</span>
      )}
    </span>
  );
}
