import ChevronDown from 'lucide-react/icons/chevron-down';
import { memo, useId, useMemo, useRef, useState, type ReactNode } from 'react';
import type { TrackId } from '#contract/ids.ts';
import { formatCarName, tireLabel } from '#contract/laps/labels.ts';
import { classNames } from '#web/ui/class-names.ts';
import { formatLapDate, formatSeconds } from '#web/ui/format.ts';
import { formatUncertainty } from '#web/ui/lap-time.tsx';
import { Position } from '#web/ui/position.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { GROUP_ROWS, type LongBoard } from './board-pages.ts';
import styles from './board-table.module.css';
import { Driver, EntryTime, TireBadge, VideoLink } from './entry.tsx';
import { drawGapBar, findGapScale } from './gap-bar.ts';
import { useIsPrinting } from './print-board.tsx';
import { useRowGroup } from './row-group.ts';
import { findSavedGroup, useScrollPosition, type ScrollPosition } from './scroll-position.ts';
import type { BoardRecord } from './read-board.ts';

type BoardTableProps = {
  trackId: TrackId;
  board: LongBoard;
  /** Screen readers read the caption before the table. */
  caption: string;
  /** The board of an earlier filter is shown until the next one is loaded. */
  isStale: boolean;
  saved: ScrollPosition | null;
  isReaching: boolean;
};

// All rows up to this number are rendered, for the browser's own search; more would slow down every return to a board.
const WHOLE_ROWS_MAX = 500;

/** Shows a board with the viewer's own record above. A long one renders only the groups of rows near the window. */
export function BoardTable({ trackId, board, caption, isStale, ...position }: BoardTableProps) {
  const table = useRef<HTMLTableElement>(null);
  const { records, own } = board;
  const rowsAbove = countRowsAbove(board);
  useScrollPosition(table, { board, firstRowIndex: rowsAbove + 1, isStale, ...position });
  const hasVideos = useMemo(() => records.some(({ videoUrl }) => videoUrl), [records]);
  const [isUncertaintyShown, setIsUncertaintyShown] = useState(false);
  const shared = { trackId, hasVideos, isUncertaintyShown, gapScaleMs: findGapScale(records) };
  return (
    <>
      <div className={classNames(styles['frame'], isStale && styles['stale'])} aria-busy={isStale}>
        <table
          ref={table}
          className={classNames(styles['table'], hasVideos && styles['withVideos'])}
          aria-rowcount={rowsAbove + records.length}
        >
          <caption className="visually-hidden">{caption}</caption>
          <BoardHead hasVideos={hasVideos}>
            <UncertaintySwitch isOn={isUncertaintyShown} onChange={setIsUncertaintyShown} />
          </BoardHead>
          <Rows board={board} savedGroup={findSavedGroup({ board, ...position })} {...shared} />
        </table>
      </div>
      <Legend hasOwn={own !== null && own.rank !== 1} isUncertaintyShown={isUncertaintyShown} />
    </>
  );
}

type Shared = {
  trackId: TrackId;
  hasVideos: boolean;
  isUncertaintyShown: boolean;
  /** The gap whose bar has the full width. */
  gapScaleMs: number;
};

/** The own record is pinned above the list, and not repeated right below it in first or second place. */
function isOwnOnTop({ records }: LongBoard): boolean {
  return records.slice(0, 2).some(({ isOwn }) => isOwn);
}

/** Counts the row of headings, and the own record where it is pinned and repeated. */
function countRowsAbove(board: LongBoard): number {
  return board.own && !isOwnOnTop(board) ? 2 : 1;
}

type RowsProps = Shared & {
  board: LongBoard;
  /** The group at the saved position, which has to be rendered before the page scrolls to it. */
  savedGroup: number | null;
};

function Rows({ board, savedGroup, ...shared }: RowsProps) {
  const { groups, records, own } = board;
  const isPrinting = useIsPrinting();
  const isWhole = records.length <= WHOLE_ROWS_MAX || isPrinting;
  const firstRow = countRowsAbove(board) + 1;
  return (
    <>
      {own && (
        <tbody aria-label="Your entry" className={styles['pinned']}>
          <BoardRow record={own} rowIndex={2} {...shared} />
        </tbody>
      )}
      {groups.map((group, index) => (
        <RowGroup
          key={group[0]?.lapId}
          records={group}
          isWhole={isWhole || index === savedGroup}
          isOwnAbove={isOwnOnTop(board)}
          firstRow={firstRow + index * GROUP_ROWS}
          {...shared}
        />
      ))}
    </>
  );
}

type RowGroupProps = Shared & {
  records: BoardRecord[];
  isWhole: boolean;
  /** The own record is pinned above and left out of the list. */
  isOwnAbove: boolean;
  firstRow: number;
};

const RowGroup = memo(function RowGroup(props: RowGroupProps) {
  const { records, isWhole, isOwnAbove, firstRow, ...shared } = props;
  const { ref, isNear, heightPx } = useRowGroup();
  const listed = isOwnAbove ? records.filter(({ isOwn }) => !isOwn) : records;
  const height = heightPx === undefined ? `calc(${listed.length} * (var(--row) + 1px))` : `${heightPx}px`;
  const firstListed = firstRow + records.length - listed.length;
  if (!isWhole && !isNear) return <tbody ref={ref} className={styles['far']} style={{ height }} />;
  return (
    <tbody ref={ref} className={styles['group']} style={{ containIntrinsicBlockSize: `auto ${height}` }}>
      {listed.map((record, index) => (
        <BoardRow key={record.lapId} record={record} rowIndex={firstListed + index} {...shared} />
      ))}
    </tbody>
  );
});

const SKELETON_ROWS = ['1', '2', '3', '4', '5', '6', '7', '8'];

export function BoardSkeleton() {
  return (
    <div className={styles['frame']}>
      <output className={styles['loading']}>Loading leaderboard...</output>
      {SKELETON_ROWS.map((row) => (
        <div key={row} className={styles['skeleton']}>
          <Skeleton width={26} height={26} />
          <Skeleton width="70%" />
          <Skeleton width={84} />
        </div>
      ))}
    </div>
  );
}

/** Shows the tooltip of every lap time in its row: for touch and keyboards. */
function UncertaintySwitch({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <button
      type="button"
      className={styles['uncertaintySwitch']}
      aria-pressed={isOn}
      aria-label="Show the uncertainty of each lap time"
      title="Uncertainty of each lap time"
      onClick={() => onChange(!isOn)}
    >
      ±
    </button>
  );
}

/** Shows the names of the columns; `children` follow that of the lap times. */
function BoardHead({ hasVideos, children }: { hasVideos: boolean; children: ReactNode }) {
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
          <span className={styles['timeHead']}>
            Lap Time
            {children}
          </span>
        </th>
        <th scope="col" className={classNames(styles['number'], styles['wide'], styles['gap'])}>
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
        <th scope="col" className={styles['toggle']}>
          <span className="visually-hidden">Details</span>
        </th>
      </tr>
    </thead>
  );
}

type BoardRowProps = Shared & { record: BoardRecord; rowIndex: number };

function BoardRow({ trackId, record, rowIndex, ...shown }: BoardRowProps) {
  const { hasVideos, isUncertaintyShown, gapScaleMs } = shown;
  const [isOpen, setIsOpen] = useState(false);
  const detailsId = useId();
  const car = formatCarName(record);
  const date = formatLapDate(record.sessionDate);
  const gap = record.gapMs === 0 ? '—' : `+${formatSeconds(record.gapMs)}`;
  const gapBar = drawGapBar(record.gapMs, gapScaleMs);
  return (
    <tr aria-rowindex={rowIndex} className={record.isOwn ? styles['own'] : undefined}>
      <td>
        <Position rank={record.rank} />
      </td>
      <th scope="row" className={styles['driver']}>
        <Driver record={record} avatarSize={28} />
        <span className={styles['under']}>
          {record.isOwn && <b className={styles['you']}>You · </b>}
          {tireLabel(record.tireCompound)}
        </span>
      </th>
      <td className={classNames(styles['muted'], styles['wide'])}>{car}</td>
      <td className={classNames(styles['wide'], styles['tires'])}>
        <TireBadge record={record} />
      </td>
      <td className={classNames(styles['number'], styles['timed'])} style={gapBar}>
        <TimeOfRow {...{ trackId, record, isUncertaintyShown, gap }} />
      </td>
      <td
        className={classNames(styles['number'], styles['muted'], styles['wide'], styles['gap'])}
        style={gapBar}
      >
        {gap}
      </td>
      <td className={classNames(styles['number'], styles['muted'], styles['wide'])}>{date}</td>
      {hasVideos && (
        <td className={styles['video']}>
          <VideoLink record={record} />
        </td>
      )}
      <DetailsToggle
        record={record}
        isOpen={isOpen}
        detailsId={detailsId}
        onToggle={() => setIsOpen(!isOpen)}
      />
      {isOpen && <Details record={record} id={detailsId} car={car} date={date} />}
    </tr>
  );
}

type TimeOfRowProps = Pick<BoardRowProps, 'trackId' | 'record' | 'isUncertaintyShown'> & { gap: string };

function TimeOfRow({ trackId, record, isUncertaintyShown, gap }: TimeOfRowProps) {
  return (
    <>
      <span className={styles['time']}>
        <EntryTime record={record} trackId={trackId} />
      </span>
      {isUncertaintyShown && (
        <span className={styles['uncertainty']}>{formatUncertainty(record.uncertaintyMs)}</span>
      )}
      <span className={styles['under']}>{gap}</span>
    </>
  );
}

type DetailsToggleProps = { record: BoardRecord; isOpen: boolean; detailsId: string; onToggle: () => void };

function DetailsToggle({ record, isOpen, detailsId, onToggle }: DetailsToggleProps) {
  return (
    <td className={styles['toggle']}>
      <button
        type="button"
        aria-label={`Car and date of ${record.userName}`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? detailsId : undefined}
        onClick={onToggle}
      >
        <ChevronDown size={16} aria-hidden="true" />
      </button>
    </td>
  );
}

function Details({ record, id, car, date }: { record: BoardRecord; id: string; car: string; date: string }) {
  return (
    <td id={id} className={styles['details']}>
      <span>{[car, record.carRaceClass].filter(Boolean).join(' · ') || 'Unknown'}</span>
      <span>{date}</span>
      <VideoLink record={record} />
    </td>
  );
}

function Legend({ hasOwn, isUncertaintyShown }: { hasOwn: boolean; isUncertaintyShown: boolean }) {
  return (
    <p className={styles['legend']}>
      <span className={styles['keys']}>
        <span className={styles['best']}>Fastest of this board</span>
        {hasOwn && <span className={styles['pb']}>Your best</span>}
      </span>
      {isUncertaintyShown && <span>± holds for 95 of 100 laps</span>}
    </p>
  );
}
