import { useCallback, useState } from 'react';
import { entry, nearestStation, type Column } from './lap-lines.ts';
import { fitRange, type Range } from './zoom.ts';

/** The station that the reader points at and the visible range of the lap, shared by charts, map and figures. */
export type LapCursor = {
  index: number;
  range: Range;
  isZoomed: boolean;
  moveTo: (meters: number) => void;
  zoomTo: (range: Range) => void;
};

/** Keeps the cursor of a lap with these stations; it begins at `startMeters`, with the whole lap on the charts. */
export function useLapCursor(meters: Column, startMeters: number): LapCursor {
  const lengthMeters = entry(meters, meters.length - 1);
  const [index, setIndex] = useState(() => nearestStation(meters, startMeters));
  const [range, setRange] = useState<Range>([0, lengthMeters]);
  const moveTo = useCallback((target: number) => setIndex(nearestStation(meters, target)), [meters]);
  const zoomTo = useCallback(
    (wanted: Range) => {
      const fitted = fitRange(wanted, lengthMeters);
      setRange(fitted);
      // The cursor stays within the visible range.
      setIndex((current) => {
        const here = Math.min(Math.max(entry(meters, current), fitted[0]), fitted[1]);
        return nearestStation(meters, here);
      });
    },
    [meters, lengthMeters],
  );
  const isZoomed = range[1] - range[0] < lengthMeters;
  return { index, range, isZoomed, moveTo, zoomTo };
}
