import { useMemo } from 'react';
import { drawPositions } from '#engine/drawing/circuit-path.ts';
import type { ComparedStretch } from '#contract/lap-view/comparison.ts';
import { formatSpeed } from '#web/ui/format.ts';
import { classifySpeeds, entry, joinEqual, nearestStation } from './lap-lines.ts';
import { LineKey } from './line-key.tsx';
import styles from './map-panel.module.css';
import { ReadoutList, type Figures } from './readout.tsx';
import type { LapMap, ShownLap, ShownStretch } from './shown-laps.ts';
import { TrackMap, type MapBox, type MapPiece } from './track-map.tsx';
import { useIsPhone } from './use-is-phone.ts';

type MapPanelProps = {
  map: LapMap;
  laps: readonly ShownLap[];
  /** The map is coloured by the losses of this comparison; null for one lap alone, whose speed it shows. */
  compared: { stretches: readonly ComparedStretch[]; lapIndex: number } | null;
  figures: Figures;
  index: number;
  /** The stretch that the reader looks at. */
  marked: ShownStretch | null;
};

/** Shows the lap on the ground, coloured by who is faster, with the figures at the cursor. */
export function MapPanel({ map, laps, compared, figures, index, marked }: MapPanelProps) {
  const { meters, lats, lons, corners } = map;
  const box = useMapBox(map);
  const points = useMemo(
    () =>
      drawPositions(
        lats.map((lat, station) => ({ lat, lon: entry(lons, station) })),
        box,
      ),
    [lats, lons, box],
  );
  const pieces = useMemo(
    () => (compared ? colorByFaster(map, laps, compared) : colorBySpeed(laps[0])),
    [map, laps, compared],
  );
  const numbered = useMemo(
    () => corners.map((corner) => ({ ...corner, index: nearestStation(meters, corner.apexMeters) })),
    [corners, meters],
  );
  const other = compared && laps[compared.lapIndex];
  return (
    <div className={styles['panel']}>
      <h2 className={styles['heading']}>
        {compared ? 'Track, coloured by who is faster' : 'Track, coloured by speed'}
      </h2>
      <div>
        <TrackMap
          {...{ box, points, pieces }}
          corners={numbered}
          cursor={index}
          marked={
            marked && {
              from: nearestStation(meters, marked.startMeters),
              to: nearestStation(meters, marked.endMeters),
              cornerNumber: marked.kind === 'corner' ? marked.number : null,
            }
          }
        />
      </div>
      <div className={styles['side']}>
        <ReadoutList figures={figures} />
        {other ? <FasterLegend laps={[laps[0], other]} /> : <SpeedLegend lap={laps[0]} />}
      </div>
    </div>
  );
}

const DESK = { width: 380, padding: 34, clearance: 14 };
const PHONE = { width: 190, padding: 24, clearance: 11 };
const HEIGHT_SHARE = { least: 0.6, most: 1.1 };

/** Chooses a box of the track's own proportions, as far as they are not extreme. */
function useMapBox({ lats, lons }: LapMap): MapBox {
  const isPhone = useIsPhone();
  return useMemo(() => {
    const given = isPhone ? PHONE : DESK;
    const [south, north] = [Math.min(...lats), Math.max(...lats)];
    const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180);
    const widthDeg = (Math.max(...lons) - Math.min(...lons)) * shrink;
    const share = Math.min(Math.max((north - south) / widthDeg, HEIGHT_SHARE.least), HEIGHT_SHARE.most);
    return { ...given, height: Math.round(given.width * share) };
  }, [lats, lons, isPhone]);
}

/** Gives each stretch the colour of the lap that is faster there; none where the difference may be chance. */
function colorByFaster(
  { meters }: LapMap,
  laps: readonly ShownLap[],
  { stretches, lapIndex }: NonNullable<MapPanelProps['compared']>,
): MapPiece[] {
  return stretches.map(({ startMeters, endMeters, laps: figures }) => {
    const { lostMs = 0, bandMs = 0 } = figures[lapIndex] ?? {};
    const faster = Math.abs(lostMs) <= bandMs ? null : laps[lostMs > 0 ? 0 : lapIndex];
    return {
      from: nearestStation(meters, startMeters),
      to: nearestStation(meters, endMeters),
      stroke: faster
        ? { color: `var(${faster.stroke.color})`, isDashed: faster.stroke.dashes.length > 0 }
        : { color: 'var(--text-3)', isThin: true },
    };
  });
}

const SPEED_COLORS = [0, 20, 40, 60, 80, 100].map(
  (share) => `color-mix(in oklab, var(--lap-a) ${share}%, var(--lap-b))`,
);

function colorBySpeed(lap: ShownLap | undefined): MapPiece[] {
  return joinEqual(classifySpeeds(lap?.speedsKmh ?? [])).map(({ from, to, value }) => ({
    from,
    to,
    stroke: { color: SPEED_COLORS[value] ?? 'var(--text)' },
  }));
}

const UNSURE_STROKE = { color: '--text-3', dashes: [] };

function FasterLegend({ laps }: { laps: readonly [ShownLap | undefined, ShownLap] }) {
  return (
    <p className={styles['legend']}>
      {laps.map(
        (lap) =>
          lap && (
            <span key={lap.lapId}>
              <LineKey stroke={lap.stroke} /> {lap.name} faster
            </span>
          ),
      )}
      <span>
        <LineKey stroke={UNSURE_STROKE} /> too close to say
      </span>
    </p>
  );
}

function SpeedLegend({ lap }: { lap: ShownLap | undefined }) {
  const speeds = lap?.speedsKmh ?? [];
  return (
    <p className={styles['legend']}>
      <span>
        {formatSpeed(Math.min(...speeds))}
        <span className={styles['ramp']} aria-hidden="true" />
        {formatSpeed(Math.max(...speeds))}
      </span>
    </p>
  );
}
