import { useMemo, type ReactNode } from 'react';
import type { DrivenCorner } from '#contract/lap-view/comparison.ts';
import type { LapView } from '#contract/lap-view/schemas.ts';
import { holeMsAt } from '#engine/trace/holes.ts';
import { classNames } from '#web/ui/class-names.ts';
import { roundSpeed, speedUnit } from '#web/ui/format.ts';
import styles from './compared-laps.module.css';
import { cornerTitle } from './comparison-messages.ts';
import { DistanceTable } from './distance-table.tsx';
import { ChartsCard, Links, MapCard, TableCard } from './lap-sections.tsx';
import { useLapCursor } from './lap-cursor.ts';
import type { LapColumns } from './use-laps.ts';
import { readFigures } from './readout.tsx';
import { findSectorMeters } from './sector-meters.ts';
import { entry, type Column } from './lap-lines.ts';
import { isWithin, LAP_STROKES, type Hole, type LapMap, type ShownLap } from './shown-laps.ts';
import table from './stretch-table.module.css';
import { useIsPhone } from './use-is-phone.ts';
import { VideoSlot } from './video/video-slot.tsx';

/** Shows a lap that there is no other one for: its speeds, its line and its corners. */
export function LoneLap({ lap, trace, children }: { lap: LapView; trace: LapColumns; children: ReactNode }) {
  const { meters, corners } = trace;
  const isPhone = useIsPhone();
  const map = useMemo(() => toLapMap(trace, lap), [trace, lap]);
  const laps = useMemo(() => [toShownLap(lap, trace)], [lap, trace]);
  const cursor = useLapCursor(meters, 0);
  const figures = readFigures(map, laps, { active: null, index: cursor.index });
  const marked = map.stretches.find((stretch) => isWithin(figures.meters, stretch)) ?? null;
  const mapCard = (
    <MapCard key="map" {...{ map, laps, figures, marked }} compared={null} index={cursor.index} />
  );
  const chartsCard = (
    <ChartsCard
      key="charts"
      {...{ map, laps, cursor, figures }}
      trackId={lap.trackId}
      sectors={[lap]}
      active={null}
    />
  );
  const links = <Links key="links">{children}</Links>;
  return (
    <>
      <div className={classNames(styles['grid'], styles['lone'])}>
        <VideoSlot trackId={lap.trackId} sectors={[lap]} {...{ laps, map, cursor }} />
        {isPhone ? [mapCard, chartsCard, links] : [links, chartsCard, mapCard]}
        {corners.length > 0 && (
          <TableCard title="Corners" trackId={lap.trackId} corners={corners} stations={map}>
            <CornerTable corners={corners} />
          </TableCard>
        )}
      </div>
      <DistanceTable meters={meters} laps={laps} />
    </>
  );
}

function toLapMap(trace: LapColumns, { sectorTimesMs }: LapView): LapMap {
  const { meters, timesMs, corners } = trace;
  return {
    ...trace,
    elapsedMs: timesMs,
    sectorMeters: findSectorMeters({ meters, elapsedMs: timesMs }, sectorTimesMs),
    stretches: corners.map((corner) => ({
      ...corner,
      kind: 'corner',
      title: cornerTitle(corner.number, corner.name),
      brakingMeters: [corner.brakingMeters],
    })),
  };
}

function toShownLap({ lapId, isOwn, userName }: LapView, trace: LapColumns): ShownLap {
  const name = isOwn ? 'You' : userName;
  const holes = listHoles(trace);
  return { lapId, name, isYou: isOwn, stroke: LAP_STROKES[0], speedsKmh: trace.speedsKmh, holes, gap: null };
}

/** Lists where the receiver gave no positions; a comparison of the lap tells of the same holes. */
function listHoles({ timesMs, meters }: Pick<LapColumns, 'timesMs' | 'meters'>): Hole[] {
  const intervalMs = findMedian(timesMs.slice(1).map((timeMs, index) => timeMs - entry(timesMs, index)));
  const leastMs = holeMsAt(intervalMs);
  return timesMs.slice(1).flatMap((endMs, index) => {
    const lastsMs = endMs - entry(timesMs, index);
    if (lastsMs < leastMs) return [];
    return [{ startMeters: entry(meters, index), endMeters: entry(meters, index + 1), lastsMs }];
  });
}

function findMedian(values: Column): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Shows the figures of the lap in every corner. */
function CornerTable({ corners }: { corners: readonly DrivenCorner[] }) {
  return (
    <table className={`${table['table']} ${table['corners']}`}>
      <caption className="visually-hidden">Every corner of the lap</caption>
      <thead>
        <tr>
          <th scope="col">Turn</th>
          <th scope="col">In, {speedUnit()}</th>
          <th scope="col">Slowest, {speedUnit()}</th>
          <th scope="col">Out, {speedUnit()}</th>
        </tr>
      </thead>
      <tbody>
        {corners.map(({ number, name, entryKmh, minKmh, exitKmh }) => (
          <tr key={number}>
            <th scope="row">{cornerTitle(number, name)}</th>
            <td>{roundSpeed(entryKmh)}</td>
            <td>{roundSpeed(minKmh)}</td>
            <td>{roundSpeed(exitKmh)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
