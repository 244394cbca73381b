import type { CSSProperties } from 'react';
import type { LapId } from '#contract/ids.ts';
import { formatDifference, formatSector } from '#web/ui/format.ts';
import { classNames } from '#web/ui/class-names.ts';
import styles from './sector-cells.module.css';
import type { LapStroke } from './shown-laps.ts';

export type LapSectors = {
  lapId: LapId;
  sectorNames: readonly string[];
  sectorTimesMs: readonly (number | null)[];
};

type SectorCellsProps = {
  /** The laps in the order of their strokes. */
  laps: readonly LapSectors[];
  names: readonly string[];
  strokes: readonly LapStroke[];
  /** The ends of the sectors on the axis of the charts, in metres; the last one is the length of the lap. */
  endMeters: readonly number[];
};

/** Shows the sectors of laps as cells, each as wide as its part of the charts below. */
export function SectorCells({ laps, names, strokes, endMeters }: SectorCellsProps) {
  const [reference] = laps;
  if (!reference || reference.sectorTimesMs.length < 2) return null;
  return (
    <ul
      className={classNames(styles['cells'], endMeters.length === 0 && styles['withoutCharts'])}
      aria-label="Sectors"
    >
      {reference.sectorNames.map((sectorName, sector) => {
        const [from, to] = [endMeters[sector - 1] ?? 0, endMeters[sector]];
        const style: CSSProperties & { '--share': number } = { '--share': to === undefined ? 1 : to - from };
        return (
          <li key={sectorName} style={style}>
            <b>{sectorName}</b>
            {laps.map(({ lapId, sectorTimesMs }, index) => (
              <span key={lapId} style={{ color: `var(${strokes[index]?.color ?? '--text'})` }}>
                <span className="visually-hidden">{names[index]} </span>
                {formatSector(sectorTimesMs[sector])}
              </span>
            ))}
            <strong>{formatLoss(laps, sector)}</strong>
          </li>
        );
      })}
    </ul>
  );
}

/** Formats the difference of the second lap from the first one; empty with fewer or more laps, or a time that is missing. */
function formatLoss(laps: SectorCellsProps['laps'], sector: number): string {
  const [first, second, ...others] = laps.map(({ sectorTimesMs }) => sectorTimesMs[sector] ?? null);
  const isComplete = typeof first === 'number' && typeof second === 'number' && others.length === 0;
  return isComplete ? formatDifference(second - first) : '';
}
