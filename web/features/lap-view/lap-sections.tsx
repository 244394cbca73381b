import type { ComponentProps, ReactNode, Ref } from 'react';
import type { TrackId } from '#contract/ids.ts';
import { Card } from '#web/ui/card.tsx';
import styles from './compared-laps.module.css';
import { LapCharts } from './lap-charts.tsx';
import { CHANNEL_TITLES, describeChannel } from './lap-channels.ts';
import type { LapCursor } from './lap-cursor.ts';
import { entry } from './lap-lines.ts';
import { MapPanel } from './map-panel.tsx';
import { NameCorners } from './name-corners.tsx';
import { ReadoutLine, speakFigures, type Figures } from './readout.tsx';
import { SectorCells, type LapSectors } from './sector-cells.tsx';
import type { LapMap, ShownLap, TrackCorners } from './shown-laps.ts';
import { useLapChannels } from './use-lap-channels.ts';
import { useIsPhone } from './use-is-phone.ts';

type ChartsCardProps = {
  trackId: TrackId;
  ref?: Ref<HTMLDivElement>;
  map: LapMap;
  laps: readonly ShownLap[];
  sectors: readonly LapSectors[];
  /** The lap whose gap is drawn; null for one lap alone. */
  active: ShownLap | null;
  cursor: LapCursor;
  figures: Figures;
};

/** Shows the charts of laps with their sectors: above them on wide screens, below on phones. */
export function ChartsCard({ trackId, ref, map, laps, sectors, active, cursor, figures }: ChartsCardProps) {
  const isPhone = useIsPhone();
  const channels = useLapChannels(trackId, laps, map.meters);
  const channelFigures = channels.chosen.map(({ name, laps: shown }) => ({
    title: CHANNEL_TITLES[name].title,
    values: describeChannel(name, shown, cursor.index),
  }));
  const cells = (
    <SectorCells
      key="sectors"
      laps={sectors}
      names={laps.map(({ name }) => name)}
      strokes={laps.map(({ stroke }) => stroke)}
      endMeters={[...map.sectorMeters, entry(map.meters, map.meters.length - 1)]}
    />
  );
  const charts = (
    <LapCharts
      key="charts"
      {...{ map, laps, active, cursor, channels }}
      valueText={speakFigures(figures, channelFigures)}
      readout={<ReadoutLine figures={figures} channels={channelFigures} />}
    />
  );
  return (
    <Card
      as="section"
      padded={false}
      aria-label={active ? 'Gap and speed' : 'Speed'}
      className={styles['charts']}
    >
      <div ref={ref} className={styles['chartsBody']}>
        {isPhone ? [charts, cells] : [cells, charts]}
      </div>
    </Card>
  );
}

/** Shows where to go from the lap: below the charts on phones, above them elsewhere. */
export function Links({ children }: { children: ReactNode }) {
  return <div className={styles['links']}>{children}</div>;
}

/** Shows the lap on the ground. */
export function MapCard(props: ComponentProps<typeof MapPanel>) {
  return (
    <Card as="section" padded={false} aria-label="Map" className={styles['map']}>
      <MapPanel {...props} />
    </Card>
  );
}

type TableCardProps = TrackCorners & {
  title: string;
  note?: string;
  children: ReactNode;
};

/** Shows a table of stretches or corners, with the button that names the corners. */
export function TableCard({ title, note, children, ...corners }: TableCardProps) {
  return (
    <Card as="section" padded={false} className={styles['table']}>
      <div className={styles['tableHead']}>
        <h2>{title}</h2>
        {note && <p>{note}</p>}
        <NameCorners {...corners} />
      </div>
      {children}
    </Card>
  );
}
