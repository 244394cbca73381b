import { useState } from 'react';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatDifference, formatLength, formatSeconds, formatSpeed, metersPerUnit } from '#web/ui/format.ts';
import table from '#web/ui/table.module.css';
import styles from './figure-table.module.css';
import { entry, nearestStation, type Column } from './lap-lines.ts';
import type { ShownLap } from './shown-laps.ts';

type DistanceTableProps = { meters: Column; laps: readonly ShownLap[] };

/** Offers the figures of the charts every 100 m or 300 ft: for screen readers, and for readers who prefer a table. */
export function DistanceTable(props: DistanceTableProps) {
  const step = formatLength(chooseStepMeters());
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles['details']} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Figures every {step}</summary>
      {/* The table of a long track has more elements than all charts together, and few readers open it. */}
      {isOpen && <FiguresByDistance {...props} />}
    </details>
  );
}

function FiguresByDistance({ meters, laps }: DistanceTableProps) {
  const stepMeters = chooseStepMeters();
  const every = `every ${formatLength(stepMeters)}`;
  const count = Math.floor(entry(meters, meters.length - 1) / stepMeters) + 1;
  return (
    <Card
      as="section"
      padded={false}
      className={styles['scrolling']}
      aria-label={`Figures ${every}`}
      tabIndex={0}
    >
      <table className={classNames(table['table'], styles['figures'])}>
        <caption className="visually-hidden">Speed and gap {every} of the lap</caption>
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
            const index = nearestStation(meters, step * stepMeters);
            return (
              <tr key={step}>
                <th scope="row">{formatLength(step * stepMeters)}</th>
                {laps.map(({ lapId, speedsKmh, gap }) => (
                  <td key={lapId}>
                    {formatSpeed(entry(speedsKmh, index))}
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

/** Returns a step of about a hundred metres that is round in the reader's unit. */
function chooseStepMeters(): number {
  return metersPerUnit() === 1 ? 100 : 300 * metersPerUnit();
}
