import { useMemo, type ReactNode } from 'react';
import type { DrivenCorner } from '#contract/lap-view/comparison.ts';
import type { LapView } from '#contract/lap-view/schemas.ts';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { FailedState } from '#web/ui/state-message.tsx';
import styles from './compared-laps.module.css';
import { cornerTitle } from './comparison-messages.ts';
import { DistanceTable } from './distance-table.tsx';
import { ChartsCard, TableTitle } from './lap-sections.tsx';
import { useLapCursor } from './lap-cursor.ts';
import { useTrace, type LapColumns } from './lap-queries.ts';
import { MapPanel } from './map-panel.tsx';
import { readFigures } from './readout.tsx';
import { findSectorMeters } from './sector-meters.ts';
import { isWithin, LAP_STROKES, type LapMap, type ShownLap } from './shown-laps.ts';
import table from './stretch-table.module.css';
import { useIsPhone } from './use-is-phone.ts';

type LoneLapProps = { lap: LapView; children: ReactNode };

/** Shows a lap that there is no other one for: its speeds, its line and its corners. */
export function LoneLap({ lap, children }: LoneLapProps) {
  const { data, isError, refetch } = useTrace(lap.trackId, lap);
  if (isError) return <FailedState title="The line could not be loaded." onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={560} />;
  return (
    <TracedLap lap={lap} trace={data}>
      {children}
    </TracedLap>
  );
}

function TracedLap({ lap, trace, children }: LoneLapProps & { trace: LapColumns }) {
  const { meters, corners } = trace;
  const isPhone = useIsPhone();
  const map = useMemo(() => toLapMap(trace, lap), [trace, lap]);
  const laps = useMemo(() => [toShownLap(lap, trace)], [lap, trace]);
  const cursor = useLapCursor(meters, 0);
  const figures = readFigures(map, laps, { active: null, index: cursor.index });
  const marked = map.stretches.find((stretch) => isWithin(figures.meters, stretch)) ?? null;
  const mapCard = (
    <Card key="map" as="section" padded={false} aria-label="Map" className={styles['map']}>
      <MapPanel {...{ map, laps, figures, marked }} compared={null} index={cursor.index} />
    </Card>
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
  return (
    <>
      {children}
      <div className={classNames(styles['grid'], styles['lone'])}>
        {isPhone ? [mapCard, chartsCard] : [chartsCard, mapCard]}
        <Card as="section" padded={false} className={styles['table']}>
          <TableTitle title="Corners" trackId={lap.trackId} corners={corners} stations={map} />
          <CornerTable corners={corners} />
        </Card>
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

function toShownLap({ lapId, isOwn, userName }: LapView, { speedsKmh }: LapColumns): ShownLap {
  const name = isOwn ? 'You' : userName;
  return { lapId, name, isYou: isOwn, stroke: LAP_STROKES[0], speedsKmh, holes: [], gap: null };
}

/** Shows the figures of the lap in every corner. */
function CornerTable({ corners }: { corners: readonly DrivenCorner[] }) {
  return (
    <table className={table['table']}>
      <caption className="visually-hidden">Every corner of the lap</caption>
      <thead>
        <tr>
          <th scope="col">Turn</th>
          <th scope="col">In, km/h</th>
          <th scope="col">Slowest, km/h</th>
          <th scope="col">Out, km/h</th>
        </tr>
      </thead>
      <tbody>
        {corners.map(({ number, name, entryKmh, minKmh, exitKmh }) => (
          <tr key={number}>
            <th scope="row">{cornerTitle(number, name)}</th>
            <td>{Math.round(entryKmh)}</td>
            <td>{Math.round(minKmh)}</td>
            <td>{Math.round(exitKmh)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
