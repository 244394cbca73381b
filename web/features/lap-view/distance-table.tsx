import { useState } from 'react';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatDifference, formatSeconds } from '#web/ui/format.ts';
import table from '#web/ui/table.module.css';
import styles from './figure-table.module.css';
import { entry, nearestStation, type Column } from './lap-lines.ts';
import type { ShownLap } from './shown-laps.ts';

const TABLE_STEP_METERS = 100;

type DistanceTableProps = { meters: Column; laps: readonly ShownLap[] };

/** Offers the figures of the charts every 100 m: for screen readers, and for readers who prefer a table. */
export function DistanceTable(props: DistanceTableProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles['details']} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Figures every 100 m</summary>
      {/* The table of a long track has more elements than all charts together, and few readers open it. */}
      {isOpen && <FiguresByDistance {...props} />}
    </details>
  );
}

function FiguresByDistance({ meters, laps }: DistanceTableProps) {
  const count = Math.floor(entry(meters, meters.length - 1) / TABLE_STEP_METERS) + 1;
  return (
    <Card
      as="section"
      padded={false}
      className={styles['scrolling']}
      aria-label="Figures every 100 m"
      tabIndex={0}
    >
      <table className={classNames(table['table'], styles['figures'])}>
        <caption className="visually-hidden">Speed and gap every 100 m of the lap</caption>
        <thead>
          <tr>
            <th scope="col">Distance</th>
            {laps.map(({ lapId, name }) => (
              <th key={lapId} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: count }, (_, step) => {
            const index = nearestStation(meters, step * TABLE_STEP_METERS);
            return (
              <tr key={step}>
                <th scope="row">{step * TABLE_STEP_METERS} m</th>
                {laps.map(({ lapId, speedsKmh, gap }) => (
                  <td key={lapId}>
                    {Math.round(entry(speedsKmh, index))} km/h
                    {gap && (
                      <span className={table['part']}>
                        {formatDifference(entry(gap.gapMs, index))} s ±
                        {formatSeconds(entry(gap.bandMs, index))}
                      </span>
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Card>
  );
}
