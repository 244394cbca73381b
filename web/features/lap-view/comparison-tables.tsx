import type { ComparedCorner } from '#contract/lap-comparison.ts';
import type { LapView } from '#contract/lap-view.ts';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatDifference, formatSeconds } from '#web/ui/format.ts';
import table from '#web/ui/table.module.css';
import styles from './comparison-tables.module.css';
import { cornerTitle, describeBraking } from './comparison-words.ts';
import { entry, nearestStation, type Column } from './lap-lines.ts';
import type { ShownLap } from './shown-laps.ts';

/** How one lap drove through every corner, next to the reference. */
export function CornerTable({ corners, lapIndex }: { corners: readonly ComparedCorner[]; lapIndex: number }) {
  if (corners.length === 0) return null;
  const mostLostMs = Math.max(1, ...corners.map(({ laps }) => Math.abs(laps[lapIndex]?.lostMs ?? 0)));
  return (
    <Card as="section" padded={false} className={styles['card']}>
      <h2 className={styles['heading']}>Corners</h2>
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
      <th scope="row">{name === null ? number : cornerTitle(number, name)}</th>
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

/** The sectors of every lap, and what each differs from the reference. */
export function SectorTable({ laps }: { laps: readonly LapView[] }) {
  const [reference] = laps;
  if (!reference || reference.sectorTimesMs.length < 2) return null;
  return (
    <Card as="section" padded={false} className={styles['card']}>
      <h2 className={styles['heading']}>Sectors</h2>
      <table className={classNames(table['table'], styles['figures'])}>
        <caption className="visually-hidden">The sectors of every lap against the reference</caption>
        <thead>
          <tr>
            <th scope="col">Sector</th>
            {laps.map(({ lapId, userName }, index) => (
              <th key={lapId} scope="col">
                {index === 0 ? 'Reference' : userName}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {reference.sectorNames.map((name, sector) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {laps.map((lap) => (
                <td key={lap.lapId} className={table['number']}>
                  <SectorTime lap={lap} reference={reference} sector={sector} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function SectorTime({ lap, reference, sector }: { lap: LapView; reference: LapView; sector: number }) {
  const [timeMs, referenceMs] = [lap.sectorTimesMs[sector] ?? null, reference.sectorTimesMs[sector] ?? null];
  if (timeMs === null) return '—';
  return (
    <>
      {formatSeconds(timeMs)}
      {lap !== reference && referenceMs !== null && (
        <span className={table['part']}>{formatDifference(timeMs - referenceMs)}</span>
      )}
    </>
  );
}

const TABLE_STEP_METERS = 100;

/** What the charts show, every 100 m in figures: for screen readers, and for readers who prefer a table. */
export function DistanceTable({ meters, laps }: { meters: Column; laps: readonly ShownLap[] }) {
  const count = Math.floor(entry(meters, meters.length - 1) / TABLE_STEP_METERS) + 1;
  return (
    <details className={styles['details']}>
      <summary>Figures every 100 m</summary>
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
              {laps.map(({ lapId, driver }) => (
                <th key={lapId} scope="col">
                  {driver}
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
    </details>
  );
}
