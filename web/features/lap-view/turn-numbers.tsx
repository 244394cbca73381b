import { useRef } from 'react';
import { useWidth } from './chart-axis.tsx';
import styles from './lap-charts.module.css';
import { isWithin, type ShownStretch } from './shown-laps.ts';
import type { Range } from './zoom.ts';

type TurnNumbersProps = { range: Range; stretches: readonly ShownStretch[]; here: number };

const NUMBER_PX = 20;

/** Shows the numbers of the corners above the charts, in the middle of their bands, as far as there is room. */
export function TurnNumbers({ range, stretches, here }: TurnNumbersProps) {
  const row = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(row);
  const shown = placeInRow(stretches, range, widthPx);
  return (
    <div className={styles['turns']} aria-hidden="true">
      <span>Turn</span>
      <div ref={row}>
        {shown.map((stretch) => (
          <span
            key={stretch.number}
            data-current={isWithin(here, stretch)}
            style={{ left: `${stretch.share * 100}%` }}
          >
            {stretch.number}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Lists the corners in view with their shares of the width; one without room beside the previous number is left out. */
function placeInRow(stretches: readonly ShownStretch[], [from, to]: Range, widthPx: number) {
  const placed: (ShownStretch & { share: number })[] = [];
  let freeFromPx = 0;
  for (const stretch of stretches) {
    const share = ((stretch.startMeters + stretch.endMeters) / 2 - from) / (to - from);
    if (stretch.kind !== 'corner' || share < 0 || share > 1) continue;
    const startPx = share * widthPx - NUMBER_PX / 2;
    if (widthPx > 0 && startPx < freeFromPx) continue;
    freeFromPx = startPx + NUMBER_PX;
    placed.push({ ...stretch, share });
  }
  return placed;
}
