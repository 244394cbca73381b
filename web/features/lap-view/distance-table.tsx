import { useState } from 'react';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatDifference, formatLength, formatSeconds, formatSpeed, metersPerUnit } from '#web/ui/format.ts';
import table from '#web/ui/table.module.css';
import styles from './figure-table.module.css';
import { entry, nearestStation, type Column } from './lap-lines.ts';
import { isInHole, type ShownLap } from './shown-laps.ts';

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

/** A speed in a hole of the recording was not measured. */
export function FiguresByDistance({ meters, laps }: DistanceTableProps) {
  const stepMeters = chooseStepMeters();
  const every = `every ${formatLength(stepMeters)}`;
  // An out lap begins, and an in lap ends, somewhere on the lap.
  const first = Math.ceil(entry(meters, 0) / stepMeters);
  const last = Math.floor(entry(meters, meters.length - 1) / stepMeters);
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
          {Array.from({ length: last - first + 1 }, (_, row) => {
            const along = (first + row) * stepMeters;
            const index = nearestStation(meters, along);
            return (
              <tr key={row}>
                <th scope="row">{formatLength(along)}</th>
                {laps.map((lap) => (
                  <td key={lap.lapId}>
                    {isInHole(entry(meters, index), lap) ? '—' : formatSpeed(entry(lap.speedsKmh, index))}
                    {lap.gap && (
                      <span className={table['part']}>
                        {formatDifference(entry(lap.gap.gapMs, index))} s ±
                        {formatSeconds(entry(lap.gap.bandMs, index))}
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
