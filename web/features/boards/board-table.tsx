import { classNames } from '#web/ui/class-names.ts';
import { formatLapDate } from '#web/ui/lap-date.ts';
import { carText, type Board, type RankedRecord } from './board.ts';
import { tireLabel } from './board-filter.ts';
import styles from './board-table.module.css';
import { Driver, EntryTime, Position, TireBadge, VideoLink } from './entry.tsx';

type BoardTableProps = {
  board: Board;
  /** Read out before the table. */
  caption: string;
  /** The table shows the answer to an earlier question while the next one is on its way. */
  isStale: boolean;
};

/** A board as a table, with the viewer's own record and its rank above the list. */
export function BoardTable({ board, caption, isStale }: BoardTableProps) {
  const leader = board.records[0];
  const hasVideos = board.records.some(({ videoUrl }) => videoUrl);
  const row = (record: RankedRecord) => (
    <BoardRow
      key={record.lapId}
      record={record}
      gapMs={gapOf(record, leader)}
      hasVideos={hasVideos}
      isTinted={record.isOwn}
    />
  );
  return (
    <>
      <div className={classNames(styles['frame'], isStale && styles['stale'])} aria-busy={isStale}>
        <table className={styles['table']}>
          <caption className="visually-hidden">{caption}</caption>
          <BoardHead hasVideos={hasVideos} />
          {board.own && <tbody aria-label="Your entry">{row(board.own)}</tbody>}
          <tbody>{board.records.map(row)}</tbody>
        </table>
      </div>
      <Legend hasOwn={board.own !== null && board.own.rank !== 1} />
    </>
  );
}

function BoardHead({ hasVideos }: { hasVideos: boolean }) {
  return (
    <thead>
      <tr>
        <th scope="col">Pos</th>
        <th scope="col">Driver</th>
        <th scope="col" className={styles['wide']}>
          Car
        </th>
        <th scope="col" className={styles['wide']}>
          Tires
        </th>
        <th scope="col" className={styles['number']}>
          Lap Time
        </th>
        <th scope="col" className={classNames(styles['number'], styles['wide'])}>
          Gap
        </th>
        <th scope="col" className={classNames(styles['number'], styles['wide'])}>
          Date
        </th>
        {hasVideos && (
          <th scope="col" className={styles['video']}>
            <span className="visually-hidden">Video</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

type BoardRowProps = { record: RankedRecord; gapMs: number; hasVideos: boolean; isTinted: boolean };

function BoardRow({ record, gapMs, hasVideos, isTinted }: BoardRowProps) {
  const car = carText(record);
  const date = formatLapDate(record.sessionDate);
  const gap = formatGap(gapMs);
  return (
    <tr className={isTinted ? styles['own'] : undefined}>
      <td>
        <Position rank={record.rank} />
      </td>
      <th scope="row" className={styles['driver']}>
        <Driver record={record} avatarSize={28} />
        <span className={styles['under']}>
          <span className={styles['car']}>{car}</span>
          <span>{tireLabel(record.tireCompound)}</span>
        </span>
      </th>
      <td className={classNames(styles['muted'], styles['wide'])}>{car}</td>
      <td className={styles['wide']}>
        <TireBadge record={record} />
      </td>
      <td className={styles['number']}>
        <span className={styles['time']}>
          <EntryTime record={record} />
        </span>
        <span className={styles['under']}>
          <span className={styles['dateAndVideo']}>
            <VideoLink record={record} />
            {date}
          </span>
        </span>
      </td>
      <td className={classNames(styles['number'], styles['muted'], styles['wide'])}>{gap}</td>
      <td className={classNames(styles['number'], styles['muted'], styles['wide'])}>{date}</td>
      {hasVideos && (
        <td className={styles['video']}>
          <VideoLink record={record} />
        </td>
      )}
    </tr>
  );
}

function Legend({ hasOwn }: { hasOwn: boolean }) {
  return (
    <p className={styles['legend']}>
      <span className={styles['keys']}>
        <span className={styles['best']}>Fastest of this board</span>
        {hasOwn && <span className={styles['pb']}>Your best</span>}
      </span>
    </p>
  );
}

function gapOf(record: RankedRecord, leader: RankedRecord | undefined): number {
  return record.gapMs ?? (leader ? record.lapTimeMs - leader.lapTimeMs : 0);
}

function formatGap(gapMs: number): string {
  return gapMs === 0 ? '—' : `+${(gapMs / 1000).toFixed(3)}`;
}
