import { useMemo } from 'react';
import { drawPositions, type DrawnPoint } from '#engine/drawing/circuit-path.ts';
import { Card } from '#web/ui/card.tsx';
import { formatDifference, formatSeconds } from '#web/ui/format.ts';
import { cornerTitle } from './comparison-messages.ts';
import styles from './evidence.module.css';
import { LapCharts } from './lap-charts.tsx';
import type { LapCursor } from './lap-cursor.ts';
import {
  accelerationG,
  classifySpeeds,
  entry,
  findGainers,
  joinEqual,
  nearestStation,
  type Stretch,
} from './lap-lines.ts';
import type { LapStroke, MarkedCorner, ShownLap, Stations } from './shown-laps.ts';
import { MAP_BOX, TrackMap, type MapStroke } from './track-map.tsx';

type EvidenceProps = {
  stations: Stations;
  /** The laps, with the reference first. */
  laps: readonly ShownLap[];
  /** The lap that the map compares with the reference; null for a single lap. */
  active: ShownLap | null;
  corners: readonly MarkedCorner[];
  cursor: LapCursor;
};

/** Charts and map of one lap or several, with one cursor and its figures. */
export function Evidence({ stations, laps, active, corners, cursor }: EvidenceProps) {
  const { meters, lats, lons } = stations;
  const points = useMemo(() => drawLap({ lats, lons }, MAP_BOX), [lats, lons]);
  const stretches = useMemo(() => colorMap(stations, laps, active), [stations, laps, active]);
  const marks = useMemo(
    () => corners.map((corner) => ({ ...corner, index: nearestStation(meters, corner.apexMeters) })),
    [corners, meters],
  );
  const figures = readFigures({ stations, laps, corners, index: cursor.index });
  return (
    <div className={styles['evidence']}>
      <Card padded={false} className={styles['charts']}>
        <LapCharts {...{ meters, laps, active, corners, cursor }} valueText={describeFigures(figures)} />
      </Card>
      <Card padded={false} className={styles['map']}>
        <h2 className={styles['heading']}>
          {active ? 'Track, coloured by who gains' : 'Track, coloured by speed'}
        </h2>
        <TrackMap {...{ points, stretches }} corners={marks} cursor={cursor.index} />
        {active ? <GainLegend reference={laps[0]} active={active} /> : <SpeedLegend lap={laps[0]} />}
        <Readout figures={figures} />
      </Card>
    </div>
  );
}

/** Converts the stations to points of a drawing. */
export function drawLap(
  { lats, lons }: Pick<Stations, 'lats' | 'lons'>,
  box: { width: number; height: number; padding: number },
): DrawnPoint[] {
  return drawPositions(
    lats.map((lat, index) => ({ lat, lon: entry(lons, index) })),
    box,
  );
}

const SPEED_COLORS = [0, 20, 40, 60, 80, 100].map(
  (share) => `color-mix(in oklab, var(--lap-a) ${share}%, var(--lap-b))`,
);

function colorMap(
  { meters }: Stations,
  laps: readonly ShownLap[],
  active: ShownLap | null,
): Stretch<MapStroke>[] {
  if (active?.gap) {
    const strokes = {
      reference: { color: 'var(--lap-a)' },
      other: { color: `var(${active.stroke.color})`, isDashed: true },
      none: { color: 'var(--line-strong)', isThin: true },
    };
    return joinEqual(findGainers(meters, active.gap.gapMs)).map(({ from, to, value }) => ({
      from,
      to,
      value: strokes[value],
    }));
  }
  return joinEqual(classifySpeeds(laps[0]?.speedsKmh ?? [])).map(({ from, to, value }) => ({
    from,
    to,
    value: { color: SPEED_COLORS[value] ?? 'var(--text)' },
  }));
}

function GainLegend({ reference, active }: { reference: ShownLap | undefined; active: ShownLap }) {
  return (
    <p className={styles['legend']}>
      {[reference, active].map(
        (lap) =>
          lap && (
            <span key={lap.lapId}>
              <LineKey stroke={lap.stroke} /> {lap.driver === 'You' ? 'You gain' : `${lap.driver} gains`}
            </span>
          ),
      )}
    </p>
  );
}

function SpeedLegend({ lap }: { lap: ShownLap | undefined }) {
  const speeds = lap?.speedsKmh ?? [];
  return (
    <p className={styles['legend']}>
      <span>{Math.round(Math.min(...speeds))} km/h</span>
      <span className={styles['ramp']} aria-hidden="true" />
      <span>{Math.round(Math.max(...speeds))} km/h</span>
    </p>
  );
}

/** Draws a piece of a lap's line for legends. */
export function LineKey({ stroke: { color, dashes } }: { stroke: LapStroke }) {
  return (
    <svg width="26" height="4" viewBox="0 0 26 4" aria-hidden="true" className={styles['key']}>
      <path d="M0 2H26" stroke={`var(${color})`} strokeWidth="3" strokeDasharray={dashes.join(' ')} />
    </svg>
  );
}

type LapFigures = Pick<ShownLap, 'lapId' | 'driver' | 'stroke'> & {
  speedKmh: number;
  accelerationG: number;
  gapMs: number | null;
};

type Figures = {
  meters: number;
  corner: MarkedCorner | undefined;
  laps: LapFigures[];
  elapsedMs: number;
};

function readFigures({
  stations: { meters, elapsedMs },
  laps,
  corners,
  index,
}: Pick<EvidenceProps, 'stations' | 'laps' | 'corners'> & { index: number }): Figures {
  const here = entry(meters, index);
  return {
    meters: here,
    elapsedMs: entry(elapsedMs, index),
    corner: corners.find(({ startMeters, endMeters }) => here >= startMeters && here <= endMeters),
    laps: laps.map(({ lapId, driver, stroke, speedsKmh, gap }) => ({
      lapId,
      driver,
      stroke,
      speedKmh: entry(speedsKmh, index),
      accelerationG: accelerationG(meters, speedsKmh, index),
      gapMs: gap && entry(gap.gapMs, index),
    })),
  };
}

/** Joins the figures to one sentence for screen readers. */
function describeFigures({ meters, corner, laps }: Figures): string {
  const place = [`${Math.round(meters)} metres`, corner && cornerTitle(corner.number, corner.name)];
  const parts = laps.map(({ driver, speedKmh, gapMs }) => {
    const gap = gapMs === null ? '' : `, gap ${formatDifference(gapMs)} seconds`;
    return `${driver} ${Math.round(speedKmh)} km/h${gap}`;
  });
  return [...place, ...parts].filter(Boolean).join(', ');
}

/** Shows the figures at the cursor. */
function Readout({ figures: { meters, corner, laps, elapsedMs } }: { figures: Figures }) {
  const isCompared = laps.length > 1;
  return (
    <table className={styles['readout']}>
      <caption className="visually-hidden">At the cursor</caption>
      <thead>
        <tr>
          <th scope="col" className={laps.length > 2 ? styles['narrowWhere'] : styles['where']}>
            At {Math.round(meters)} m{corner && `, ${cornerTitle(corner.number, corner.name)}`}
          </th>
          {laps.map(({ lapId, driver, stroke }, index) => (
            <th key={lapId} scope="col">
              {laps.length > 2 && <LineKey stroke={stroke} />}
              <span className={laps.length > 2 ? 'visually-hidden' : undefined}>
                {isCompared && index === 0 ? 'Reference' : driver}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Speed, km/h</th>
          {laps.map(({ lapId, speedKmh }) => (
            <td key={lapId}>{Math.round(speedKmh)}</td>
          ))}
        </tr>
        <tr>
          <th scope="row">{isCompared ? 'Gap, s' : 'Time, s'}</th>
          {laps.map(({ lapId, gapMs }) => (
            <td key={lapId}>
              {isCompared ? gapMs !== null && formatDifference(gapMs) : formatSeconds(elapsedMs)}
            </td>
          ))}
        </tr>
        <tr>
          <th scope="row">Braking, g</th>
          {laps.map(({ lapId, accelerationG }) => (
            <td key={lapId}>{accelerationG < -0.05 ? (-accelerationG).toFixed(2) : '—'}</td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}
