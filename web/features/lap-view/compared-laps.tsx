import {
  memo,
  useCallback,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
  type RefObject,
} from 'react';
import type { TrackId } from '#contract/ids.ts';
import type { ComparedStretch } from '#contract/lap-view/comparison.ts';
import { speedUnit } from '#web/ui/format.ts';
import { useRestOfPage } from '#web/ui/navigation.ts';
import styles from './compared-laps.module.css';
import { stretchTitle } from './comparison-messages.ts';
import { DistanceTable } from './distance-table.tsx';
import { ChartsCard, Links, MapCard, TableCard } from './lap-sections.tsx';
import { useLapCursor, type LapCursor } from './lap-cursor.ts';
import { entry } from './lap-lines.ts';
import type { ShownComparison } from './use-laps.ts';
import { PlaceCards } from './place-cards.tsx';
import { lowerLap } from './place-messages.ts';
import { readFigures } from './readout.tsx';
import { findSectorMeters } from './sector-meters.ts';
import type { LapSectors } from './sector-cells.tsx';
import { isWithin, type LapMap, type ShownLap, type TrackCorners } from './shown-laps.ts';
import { StretchTable } from './stretch-table.tsx';
import { useIsPhone } from './use-is-phone.ts';
import { VideoSlot } from './video/video-slot.tsx';

type ComparedLapsProps = {
  trackId: TrackId;
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
export function ComparedLaps(props: ComparedLapsProps) {
  const [reference, active] = [props.laps[0], props.laps[props.lapIndex]];
  return reference && active?.gap ? <ComparedPair {...props} pair={[reference, active]} /> : null;
}

type PairProps = ComparedLapsProps & { pair: readonly [reference: ShownLap, active: ShownLap] };

function ComparedPair({ trackId, comparison, laps, sectors, lapIndex, pair, children }: PairProps) {
  const { reference, stretches, corners } = comparison;
  const map = useLapMap(comparison, sectors[0]);
  const isPhone = useIsPhone();
  const charts = useRef<HTMLDivElement>(null);
  const rows = comparison.placesToGain[lapIndex - 1] ?? NO_ROWS;
  const cursor = useLapCursor(reference.meters, findPoint(stretches[rows[0] ?? -1], lapIndex));
  const compared = useMemo(() => ({ stretches, lapIndex }), [stretches, lapIndex]);
  const here = entry(reference.meters, cursor.index);
  const gapMs = pair[1].gap?.gapMs.at(-1) ?? 0;
  const figures = readFigures(map, laps, { active: pair[1], index: cursor.index });
  const { choose, open } = useStretchChoice(cursor, compared, charts);
  const { currentRow, marked, setFollowed } = useMarkedStretch(map.stretches, here);
  const shared = { stretches, shown: map.stretches, lapIndex, gapMs };
  const mapCard = (
    <MapCard key="map" {...{ map, laps, compared, figures }} index={cursor.index} marked={marked} />
  );
  const chartsCard = (
    <ChartsCard
      key="charts"
      ref={charts}
      {...{ trackId, map, laps, sectors, cursor, figures }}
      active={pair[1]}
    />
  );
  const places = (
    <Places key="places" {...{ rows, ...shared }} meters={reference.meters} laps={pair} onOpen={open} />
  );
  const table = (
    <StretchCard
      key="table"
      {...{ trackId, corners, pair, isPhone, ...shared }}
      currentRow={currentRow}
      stations={reference}
      onFollow={setFollowed}
      onChoose={choose}
    />
  );
  const isSingle = Boolean(children);
  const filmed = useMemo(() => (isSingle ? pair.slice(1) : pair), [isSingle, pair]);
  const video = <VideoSlot {...{ trackId, map, cursor, sectors }} laps={filmed} />;
  const links = children && <Links key="links">{children}</Links>;
  return (
    <>
      <div className={styles['grid']}>
        {video}
        {isPhone ? [mapCard, chartsCard, links, places, table] : [links, places, chartsCard, table, mapCard]}
      </div>
      <Figures meters={reference.meters} laps={laps} />
    </>
  );
}

const NO_ROWS: readonly number[] = [];

/** Finds the stretch that the map marks, and the row of the table that belongs to the cursor. */
function useMarkedStretch(stretches: LapMap['stretches'], here: number) {
  const [followed, setFollowed] = useState<number | null>(null);
  const currentRow = stretches.findIndex((stretch) => isWithin(here, stretch));
  return { currentRow, marked: stretches[followed ?? currentRow] ?? null, setFollowed };
}

/** Moves the cursor to a stretch of the table, or zooms the charts to it and brings them into view. */
function useStretchChoice(
  { moveTo, zoomTo }: Pick<LapCursor, 'moveTo' | 'zoomTo'>,
  { stretches, lapIndex }: Pick<PairProps['comparison'], 'stretches'> & { lapIndex: number },
  charts: RefObject<HTMLDivElement | null>,
): { choose: (row: number) => void; open: (row: number) => void } {
  const choose = useCallback(
    (row: number) => moveTo(findPoint(stretches[row], lapIndex)),
    [moveTo, stretches, lapIndex],
  );
  const open = useCallback(
    (row: number) => {
      const stretch = stretches[row];
      if (!stretch) return;
      zoomTo([stretch.startMeters - MARGIN_METERS, stretch.endMeters + MARGIN_METERS]);
      choose(row);
      charts.current?.scrollIntoView({ block: 'nearest' });
    },
    [zoomTo, choose, stretches, charts],
  );
  return { choose, open };
}

// The cursor moves with every frame, and these parts do not; the table follows it when the rest is drawn.
const Places = memo(PlaceCards);
const Figures = memo(DistanceTable);

type StretchCardProps = TrackCorners & ComponentProps<typeof StretchTable>;

const StretchCard = memo(function StretchCard({ trackId, corners, stations, ...table }: StretchCardProps) {
  const isRestShown = useRestOfPage();
  return (
    <TableCard
      title="Where the time goes"
      note={describeSpeeds(table.pair)}
      {...{ trackId, corners, stations }}
    >
      {isRestShown && <StretchTable {...table} />}
    </TableCard>
  );
});

/** Says whose speeds a table shows: 'Your km/h, against Luca Lockupini'. */
function describeSpeeds([reference, lap]: PairProps['pair']): string {
  const whose = lap.isYou ? 'Your' : `${lap.name}’s`;
  return `${whose} ${speedUnit()}, against ${lowerLap(reference.name)}`;
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
        brakingMeters: stretch.laps.map(({ brakingMeters, isBrakingClear }) =>
          isBrakingClear ? brakingMeters : null,
        ),
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
