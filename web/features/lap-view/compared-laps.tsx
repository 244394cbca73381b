import { useMemo, useRef, useState, type ReactNode } from 'react';
import type { ComparedStretch } from '#contract/lap-view/comparison.ts';
import { Card } from '#web/ui/card.tsx';
import styles from './compared-laps.module.css';
import { stretchTitle } from './comparison-messages.ts';
import { DistanceTable } from './distance-table.tsx';
import { LapCharts } from './lap-charts.tsx';
import { useLapCursor } from './lap-cursor.ts';
import { entry } from './lap-lines.ts';
import type { ShownComparison } from './lap-queries.ts';
import { MapPanel } from './map-panel.tsx';
import { NameCorners } from './name-corners.tsx';
import { PlaceCards } from './place-cards.tsx';
import { readFigures, ReadoutLine, speakFigures } from './readout.tsx';
import { findSectorMeters } from './sector-meters.ts';
import { SectorCells, type LapSectors } from './sector-cells.tsx';
import { isWithin, type LapMap, type ShownLap } from './shown-laps.ts';
import { StretchTable } from './stretch-table.tsx';
import { useIsPhone } from './use-is-phone.ts';

type ComparedLapsProps = {
  trackId: string;
  comparison: ShownComparison;
  /** The laps, with the reference first. */
  laps: readonly ShownLap[];
  sectors: readonly LapSectors[];
  /** The index of the lap that is looked at, among all laps. */
  lapIndex: number;
  /** Follows the charts on phones, and leads the page elsewhere. */
  children?: ReactNode;
};

/** Charts shown for a place begin and end this much before and after it. */
const MARGIN_METERS = 60;

/** Shows where time is lost against the reference: the places, the lines, the map and the table, with one cursor. */
export function ComparedLaps({ trackId, comparison, laps, sectors, lapIndex, children }: ComparedLapsProps) {
  const { reference, stretches, corners } = comparison;
  const map = useLapMap(comparison, sectors[0]);
  const isPhone = useIsPhone();
  const charts = useRef<HTMLDivElement>(null);
  const [followed, setFollowed] = useState<number | null>(null);
  const [first, active] = [laps[0], laps[lapIndex]];
  const rows = comparison.placesToGain[lapIndex - 1] ?? [];
  const cursor = useLapCursor(reference.meters, findPoint(stretches[rows[0] ?? -1], lapIndex));
  const compared = useMemo(() => ({ stretches, lapIndex }), [stretches, lapIndex]);
  if (!first || !active?.gap) return null;
  const here = entry(reference.meters, cursor.index);
  const gapMs = active.gap.gapMs.at(-1) ?? 0;
  const figures = readFigures(map, laps, { active, index: cursor.index });
  const choose = (row: number) => cursor.moveTo(findPoint(stretches[row], lapIndex));
  const open = (row: number) => {
    const stretch = stretches[row];
    if (!stretch) return;
    cursor.zoomTo([stretch.startMeters - MARGIN_METERS, stretch.endMeters + MARGIN_METERS]);
    choose(row);
    charts.current?.scrollIntoView({ block: 'nearest' });
  };
  const marked = map.stretches[followed ?? map.stretches.findIndex((stretch) => isWithin(here, stretch))];
  const shared = { stretches, shown: map.stretches, lapIndex };
  const cells = (
    <SectorCells
      key="sectors"
      laps={sectors}
      names={laps.map(({ name }) => name)}
      strokes={laps.map(({ stroke }) => stroke)}
      endMeters={[...map.sectorMeters, entry(reference.meters, reference.meters.length - 1)]}
    />
  );
  const lines = (
    <LapCharts
      key="lines"
      {...{ map, laps, active, cursor }}
      valueText={speakFigures(figures)}
      readout={<ReadoutLine figures={figures} />}
    />
  );
  const parts = {
    map: (
      <Card key="map" as="section" padded={false} aria-label="Map" className={styles['map']}>
        <MapPanel {...{ map, laps, compared, figures }} index={cursor.index} marked={marked ?? null} />
      </Card>
    ),
    charts: (
      <Card key="charts" as="section" padded={false} aria-label="Gap and speed" className={styles['charts']}>
        <div ref={charts}>{isPhone ? [lines, cells] : [cells, lines]}</div>
      </Card>
    ),
    places: (
      <section key="places" aria-label="Places to gain" className={styles['places']}>
        <PlaceCards
          {...{ rows, gapMs, ...shared }}
          meters={reference.meters}
          laps={[first, active]}
          onOpen={open}
        />
      </section>
    ),
    table: (
      <Card key="table" as="section" padded={false} className={styles['table']}>
        <div className={styles['tableHead']}>
          <h2>Where the time goes</h2>
          <NameCorners {...{ trackId, corners }} stations={reference} />
        </div>
        <StretchTable
          {...{ gapMs, here, ...shared }}
          reference={first}
          lap={active}
          onFollow={setFollowed}
          onChoose={choose}
        />
      </Card>
    ),
  };
  const links = children && (
    <div key="links" className={styles['links']}>
      {children}
    </div>
  );
  return (
    <>
      <div className={styles['grid']}>
        {isPhone
          ? [parts.map, parts.charts, links, parts.places, parts.table]
          : [links, parts.places, parts.charts, parts.table, parts.map]}
      </div>
      <DistanceTable meters={reference.meters} laps={laps} />
    </>
  );
}

/** Joins what charts and map share. */
function useLapMap(
  { reference, stretches, corners }: ShownComparison,
  sectors: LapSectors | undefined,
): LapMap {
  return useMemo(
    () => ({
      ...reference,
      corners,
      stretches: stretches.map((stretch) => ({
        ...stretch,
        title: stretchTitle(stretch, corners),
        brakingMeters: stretch.laps.map(({ brakingMeters }) => brakingMeters),
      })),
      sectorMeters: findSectorMeters(reference, sectors?.sectorTimesMs ?? []),
    }),
    [reference, stretches, corners, sectors],
  );
}

/** Returns the slowest point of a lap in a corner, the middle of a straight, or the start of the lap. */
function findPoint(stretch: ComparedStretch | undefined, lapIndex: number): number {
  if (!stretch) return 0;
  return stretch.laps[lapIndex]?.slowestMeters ?? (stretch.startMeters + stretch.endMeters) / 2;
}
