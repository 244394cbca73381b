import type { ReactNode } from 'react';
import type { ComparedCorner, DrivenCorner } from '#contract/lap-view/comparison.ts';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatDifference, formatSeconds } from '#web/ui/format.ts';
import table from '#web/ui/table.module.css';
import styles from './comparison-tables.module.css';
import { describeBraking } from './comparison-messages.ts';

type CornerTableProps = {
  corners: readonly ComparedCorner[];
  lapIndex: number;
  /** The elements next to the heading. */
  children: ReactNode;
};

/** Shows the figures of one lap in every corner, next to the reference. */
export function CornerTable({ corners, lapIndex, children }: CornerTableProps) {
  if (corners.length === 0) return null;
  const mostLostMs = Math.max(1, ...corners.map(({ laps }) => Math.abs(laps[lapIndex]?.lostMs ?? 0)));
  return (
    <Card as="section" padded={false} className={styles['card']}>
      <CornerHeading>{children}</CornerHeading>
      <table className={classNames(table['table'], styles['figures'])}>
        <caption className="visually-hidden">Every corner against the reference</caption>
        <thead>
          <tr>
            <th scope="col">Turn</th>
            <th scope="col" className={classNames(table['number'], table['wide'])}>
              Braking point
            </th>
            <th scope="col" className={table['number']}>
              Slowest
            </th>
            <th scope="col" className={classNames(table['number'], table['wide'])}>
              Exit
            </th>
            <th scope="col" className={table['number']}>
              Lost, s
            </th>
          </tr>
        </thead>
        <tbody>
          {corners.map((corner) => (
            <CornerRow key={corner.number} {...{ corner, lapIndex, mostLostMs }} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

type CornerRowProps = { corner: ComparedCorner; lapIndex: number; mostLostMs: number };

const BAR_PX = 64;

function CornerRow({ corner: { number, name, laps }, lapIndex, mostLostMs }: CornerRowProps) {
  const [reference, lap] = [laps[0], laps[lapIndex]];
  if (!reference || !lap) return null;
  const isCertain = Math.abs(lap.lostMs) > lap.bandMs;
  return (
    <tr>
      <CornerCell number={number} name={name} />
      <td className={classNames(table['number'], table['wide'])}>
        {describeBraking(lap.brakingMeters, reference.brakingMeters)}
      </td>
      <td className={table['number']}>
        {Math.round(lap.minKmh)} <span className={styles['of']}>of {Math.round(reference.minKmh)} km/h</span>
      </td>
      <td className={classNames(table['number'], table['wide'])}>
        {Math.round(lap.exitKmh)}{' '}
        <span className={styles['of']}>of {Math.round(reference.exitKmh)} km/h</span>
      </td>
      <td className={table['number']}>
        <span className={isCertain ? undefined : styles['of']} title={`±${formatSeconds(lap.bandMs)} s`}>
          {formatDifference(lap.lostMs)}
        </span>
        <span className={styles['track']} aria-hidden="true">
          <span
            className={lap.lostMs > 0 ? styles['bar'] : styles['gained']}
            style={{ width: (Math.abs(lap.lostMs) / mostLostMs) * BAR_PX }}
          />
        </span>
      </td>
    </tr>
  );
}

/** Shows the figures of a lap without a reference in every corner. */
export function DrivenCornerTable({
  corners,
  children,
}: {
  corners: readonly DrivenCorner[];
  children: ReactNode;
}) {
  if (corners.length === 0) return null;
  const wide = classNames(table['number'], table['wide']);
  return (
    <Card as="section" padded={false} className={styles['card']}>
      <CornerHeading>{children}</CornerHeading>
      <table className={classNames(table['table'], styles['figures'])}>
        <caption className="visually-hidden">Every corner of the lap</caption>
        <thead>
          <tr>
            <th scope="col">Turn</th>
            <th scope="col" className={wide}>
              Brakes before the apex
            </th>
            <th scope="col" className={wide}>
              Entry, km/h
            </th>
            <th scope="col" className={table['number']}>
              Slowest, km/h
            </th>
            <th scope="col" className={table['number']}>
              Exit, km/h
            </th>
          </tr>
        </thead>
        <tbody>
          {corners.map(({ number, name, apexMeters, brakingMeters, entryKmh, minKmh, exitKmh }) => (
            <tr key={number}>
              <CornerCell number={number} name={name} />
              <td className={wide}>
                {brakingMeters === null ? '—' : `${Math.round(apexMeters - brakingMeters)} m`}
              </td>
              <td className={wide}>{Math.round(entryKmh)}</td>
              <td className={table['number']}>{Math.round(minKmh)}</td>
              <td className={table['number']}>{Math.round(exitKmh)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function CornerHeading({ children }: { children: ReactNode }) {
  return (
    <div className={styles['cornerHead']}>
      <h2 className={styles['heading']}>Corners</h2>
      {children}
    </div>
  );
}

/** Shows the number of a corner, as on charts and map, and its name if it has one. */
function CornerCell({ number, name }: { number: number; name: string | null }) {
  return (
    <th scope="row">
      {number}
      {name !== null && <span className={styles['cornerName']}> {name}</span>}
    </th>
  );
}
