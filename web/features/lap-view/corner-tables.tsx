import type { ReactNode } from 'react';
import type { ComparedStretch, DrivenCorner, LapComparison } from '#contract/lap-view/comparison.ts';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatDifference, formatSeconds } from '#web/ui/format.ts';
import table from '#web/ui/table.module.css';
import styles from './comparison-tables.module.css';
import { describeBraking, stretchTitle } from './comparison-messages.ts';

type StretchTableProps = {
  stretches: readonly ComparedStretch[];
  corners: LapComparison['corners'];
  lapIndex: number;
  /** The elements next to the heading. */
  children: ReactNode;
};

/** Shows the figures of one lap in every straight and corner, next to the reference. */
export function StretchTable({ stretches, corners, lapIndex, children }: StretchTableProps) {
  const mostLostMs = Math.max(1, ...stretches.map(({ laps }) => Math.abs(laps[lapIndex]?.lostMs ?? 0)));
  return (
    <Card as="section" padded={false} className={styles['card']}>
      <TableHeading title="Where the time goes">{children}</TableHeading>
      <table className={classNames(table['table'], styles['figures'])}>
        <caption className="visually-hidden">Every straight and corner against the reference</caption>
        <thead>
          <tr>
            <th scope="col">Stretch</th>
            <th scope="col" className={classNames(table['number'], table['wide'])}>
              Braking point
            </th>
            <th scope="col" className={table['number']}>
              Slowest
            </th>
            <th scope="col" className={classNames(table['number'], table['wide'])}>
              End
            </th>
            <th scope="col" className={table['number']}>
              Lost, s
            </th>
          </tr>
        </thead>
        <tbody>
          {stretches.map((stretch) => (
            <StretchRow key={stretch.startMeters} {...{ stretch, corners, lapIndex, mostLostMs }} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

type StretchRowProps = Pick<StretchTableProps, 'corners' | 'lapIndex'> & {
  stretch: ComparedStretch;
  mostLostMs: number;
};

const BAR_PX = 64;

function StretchRow({ stretch, corners, lapIndex, mostLostMs }: StretchRowProps) {
  const [reference, lap] = [stretch.laps[0], stretch.laps[lapIndex]];
  if (!reference || !lap) return null;
  const isCertain = Math.abs(lap.lostMs) > lap.bandMs;
  return (
    <tr>
      <th scope="row">{stretchTitle(stretch, corners)}</th>
      <td className={classNames(table['number'], table['wide'])}>{describeBraking(lap, reference)}</td>
      <td className={table['number']}>
        <SpeedCell kmh={lap.slowestKmh} referenceKmh={reference.slowestKmh} />
      </td>
      <td className={classNames(table['number'], table['wide'])}>
        <SpeedCell kmh={lap.endKmh} referenceKmh={reference.endKmh} />
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

function SpeedCell({ kmh, referenceKmh }: { kmh: number | null; referenceKmh: number | null }) {
  if (kmh === null || referenceKmh === null) return '—';
  return (
    <>
      {Math.round(kmh)} <span className={styles['of']}>of {Math.round(referenceKmh)} km/h</span>
    </>
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
      <TableHeading title="Corners">{children}</TableHeading>
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

function TableHeading({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles['cornerHead']}>
      <h2 className={styles['heading']}>{title}</h2>
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
