import { Link } from 'wouter';
import { Badge } from '#web/ui/badge.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatDifference } from '#web/ui/format.ts';
import { formatUncertainty, LapTime } from '#web/ui/lap-time.tsx';
import { profileHref } from '#web/ui/page-hrefs.ts';
import { Position } from '#web/ui/position.tsx';
import table from '#web/ui/table.module.css';
import type { EventView, ShownEntry, ShownRow, ShownRun } from './event-view.ts';
import { RunChip } from './run-chip.tsx';
import styles from './results-table.module.css';

type ResultsTableProps = {
  caption: string;
  view: EventView;
  rows: readonly ShownRow[];
  /** True in the ranking of all classes, whose rows name the class in the place of the runs. */
  isOverall?: boolean;
  onRun: (run: ShownRun, entry: ShownEntry) => void;
};

/** Shows the ranking of a class, or of all; on a phone a card per entry. */
export function ResultsTable({ caption, view, rows, isOverall = false, onRun }: ResultsTableProps) {
  const runColumns = isOverall ? [] : view.courses;
  return (
    <div className={classNames(table['frame'], styles['frame'])}>
      <table className={classNames(table['table'], styles['table'])}>
        <caption className="visually-hidden">{caption}</caption>
        <ResultsHead columns={runColumns} isOverall={isOverall} />
        <tbody>
          {rows.map((row) => (
            <ResultRow
              key={row.entry.id}
              row={row}
              columns={runColumns}
              isOverall={isOverall}
              onRun={onRun}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type ColumnsProps = { columns: EventView['courses']; isOverall: boolean };

function ResultsHead({ columns, isOverall }: ColumnsProps) {
  return (
    <thead>
      <tr>
        <th scope="col" className={styles['place']}>
          Pos
        </th>
        <th scope="col" className={styles['number']}>
          No.
        </th>
        <th scope="col">Driver</th>
        {isOverall && <th scope="col">Class</th>}
        <th scope="col">Car</th>
        {columns.map(({ number, name }) => (
          <th key={number} scope="col">
            {columns.length > 1 ? name : 'Runs'}
          </th>
        ))}
        <th scope="col" className={styles['figure']}>
          Total
        </th>
        <th scope="col" className={styles['figure']}>
          Gap
        </th>
      </tr>
    </thead>
  );
}

type ResultRowProps = ColumnsProps & { row: ShownRow; onRun: ResultsTableProps['onRun'] };

function ResultRow({ row, columns, isOverall, onRun }: ResultRowProps) {
  return (
    <tr className={classNames(row.entry.isOwn && styles['own']) || undefined}>
      <td className={styles['place']}>{row.place !== null && <Position rank={row.place} />}</td>
      <td className={styles['number']}>{row.entry.number}</td>
      <th scope="row" className={styles['driver']}>
        <DriverName entry={row.entry} />
      </th>
      {isOverall && <td className={styles['class']}>{row.entry.className}</td>}
      <td className={styles['car']}>{row.entry.car}</td>
      {columns.map(({ number, name }) => (
        <td key={number} className={styles['runs']}>
          <Runs row={row} course={number} label={columns.length > 1 ? name : null} onRun={onRun} />
        </td>
      ))}
      <td className={styles['total']}>
        <Total row={row} />
      </td>
      <td className={styles['gap']}>{row.gapMs !== null && row.gapMs > 0 && formatDifference(row.gapMs)}</td>
    </tr>
  );
}

/** Shows who drives, with a link to the profile of somebody with an account. */
export function DriverName({ entry: { userId, name, isOwn } }: { entry: ShownEntry }) {
  return (
    <span className={styles['name']}>
      {userId === null ? name : <Link href={isOwn ? '/profile' : profileHref(userId)}>{name}</Link>}
      {isOwn && <Badge tone="accent">You</Badge>}
    </span>
  );
}

type RunsProps = { row: ShownRow; course: number; label: string | null; onRun: ResultsTableProps['onRun'] };

function Runs({ row: { runs, entry }, course, label, onRun }: RunsProps) {
  const shown = runs.filter(({ courseNumber }) => courseNumber === course);
  if (shown.length === 0) return null;
  return (
    <>
      {label !== null && <span className={styles['course']}>{label}</span>}
      <ul className={styles['chips']}>
        {shown.map((run) => (
          <li key={run.key}>
            <RunChip run={run} onOpen={() => onRun(run, entry)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Total({ row: { totalMs, uncertaintyMs, isWithin } }: { row: ShownRow }) {
  if (totalMs === null) return <span className={styles['none']}>No time</span>;
  return (
    <>
      <LapTime lapTimeMs={totalMs} className={styles['time']} />
      {uncertaintyMs !== null && <span className={styles['part']}>{formatUncertainty(uncertaintyMs)}</span>}
      {isWithin && <span className={styles['part']}>within ±</span>}
    </>
  );
}
