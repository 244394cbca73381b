import { Fragment } from 'react';
import type { ComparedStretch } from '#contract/lap-view/comparison.ts';
import { formatLength, roundSpeed, toShownSpeed } from '#web/ui/format.ts';
import { entry, nearestStation, type Column } from './lap-lines.ts';
import { splitAtHoles } from './line-chart.tsx';
import styles from './place-cards.module.css';
import { placeFigure } from './place-figure.ts';
import type { BrakingPoints, CauseFigures } from './place-messages.ts';
import type { ShownLap } from './shown-laps.ts';

const WIDTH = 350;
const HEIGHT = 116;
const LEFT = 30;
const TOP = 16;
const BOTTOM = 90;
/** The curves begin and end this much before and after the stretch. */
const MARGIN_METERS = 60;

type PlaceCurvesProps = {
  stretch: ComparedStretch;
  /** The difference that the sentence names; null without one. */
  cause: CauseFigures | null;
  braking: BrakingPoints | null;
  meters: Column;
  laps: readonly [reference: ShownLap, other: ShownLap];
};

/** Draws the speeds of two laps along a stretch, with their braking points, and the figures of its sentence at their points. */
export function PlaceCurves({ stretch, cause, braking, meters, laps }: PlaceCurvesProps) {
  const { startMeters, endMeters } = stretch;
  const brakings = braking ? [braking.referenceMeters, braking.meters] : [];
  const from = Math.max(0, Math.min(startMeters, ...brakings) - MARGIN_METERS);
  const to = Math.min(entry(meters, meters.length - 1), endMeters + MARGIN_METERS);
  const [first, last] = [nearestStation(meters, from), nearestStation(meters, to)];
  const seen = laps.flatMap(({ speedsKmh }) => speedsKmh.slice(first, last + 1).map(toShownSpeed));
  const low = Math.floor(Math.min(...seen) / 10) * 10;
  const high = Math.max(low + 10, Math.ceil(Math.max(...seen) / 10) * 10);
  const x = (along: number) => LEFT + ((along - from) / (to - from)) * (WIDTH - LEFT);
  const yOfShown = (speed: number) => TOP + ((high - speed) / (high - low)) * (BOTTOM - TOP);
  const y = (kmh: number) => yOfShown(toShownSpeed(kmh));
  return (
    <svg className={styles['curves']} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <rect
        x={x(startMeters)}
        y={TOP}
        width={x(endMeters) - x(startMeters)}
        height={BOTTOM - TOP}
        className={styles['ground']}
      />
      {[high, low].map((speed) => (
        <Fragment key={speed}>
          <path d={`M${LEFT} ${yOfShown(speed)}H${WIDTH}`} className={styles['level']} />
          <text x={LEFT - 6} y={yOfShown(speed)} className={styles['value']}>
            {speed}
          </text>
        </Fragment>
      ))}
      {laps.map((lap) => (
        <path
          key={lap.lapId}
          d={drawCurve(lap, meters, { first, last, x, y })}
          className={styles['curve']}
          stroke={`var(${lap.stroke.color})`}
          strokeDasharray={lap.stroke.dashes.join(' ')}
        />
      ))}
      {braking && <BrakingMarks {...{ braking, laps, meters, x, y }} />}
      {cause && cause.kind !== 'braking' && <SpeedMarks {...{ cause, brakings, laps, x, y }} />}
    </svg>
  );
}

type CurveScale = { first: number; last: number; x: (meters: number) => number; y: (kmh: number) => number };

/** Returns the speeds between two stations as an SVG path, with a break at each hole. */
function drawCurve({ speedsKmh, holes }: ShownLap, meters: Column, scale: CurveScale): string {
  const { first, last, x, y } = scale;
  return splitAtHoles(meters, holes)
    .drawn.map(([start, end]) => [Math.max(start, first), Math.min(end, last)] as const)
    .filter(([start, end]) => end > start)
    .map(([start, end]) => {
      const stations = Array.from({ length: end - start + 1 }, (_, count) => start + count);
      const points = stations.map(
        (index) => `${x(entry(meters, index)).toFixed(1)} ${y(entry(speedsKmh, index)).toFixed(1)}`,
      );
      return `M${points.join('L')}`;
    })
    .join('');
}

type MarksProps = Pick<PlaceCurvesProps, 'laps'> & {
  x: (meters: number) => number;
  y: (kmh: number) => number;
};

/** Marks both braking points, and joins them by their distance where it is certain. */
function BrakingMarks({
  braking: { referenceMeters, meters: ownMeters, apartMeters },
  laps,
  meters,
  x,
  y,
}: MarksProps & { braking: BrakingPoints; meters: Column }) {
  const points = [referenceMeters, ownMeters].map((along, index) => ({
    along,
    color: `var(${laps[index]?.stroke.color})`,
    kmh: entry(laps[index]?.speedsKmh ?? [], nearestStation(meters, along)),
  }));
  const [left, right = 0] = points.map(({ along }) => x(along)).toSorted((a, b) => a - b);
  return (
    <>
      {points.map(({ along, color, kmh }) => (
        <Fragment key={color}>
          <path d={`M${x(along)} ${y(kmh) - 4}l-5 -8h10z`} fill={color} />
          {apartMeters !== null && <path d={`M${x(along)} ${y(kmh)}V${BOTTOM + 8}`} stroke={color} />}
        </Fragment>
      ))}
      {apartMeters !== null && (
        <>
          <path d={`M${left} ${BOTTOM + 8}H${right}`} className={styles['span']} />
          <text x={right + 6} y={BOTTOM + 10} className={styles['distance']}>
            {formatLength(apartMeters)}
          </text>
        </>
      )}
    </>
  );
}

/** Marks both speeds of the sentence. */
function SpeedMarks({
  cause,
  brakings,
  laps: [reference, other],
  x,
  y,
}: MarksProps & { cause: Exclude<CauseFigures, { kind: 'braking' }>; brakings: readonly number[] }) {
  const points = [
    { along: cause.referenceMeters, color: `var(${reference.stroke.color})` },
    { along: cause.meters, color: `var(${other.stroke.color})` },
  ];
  const figures = [cause.referenceKmh, cause.kmh];
  const isAbove = (index: number) => (figures[index] ?? 0) >= (figures[1 - index] ?? 0);
  return points.map(({ along, color }, index) => (
    <Fragment key={color}>
      <circle cx={x(along)} cy={y(figures[index] ?? 0)} r="3" fill={color} />
      <text
        {...placeFigure(x(along), brakings.map(x), { left: LEFT, right: WIDTH })}
        y={y(figures[index] ?? 0) + (isAbove(index) ? -10 : 14)}
        className={styles['figure']}
        fill={color}
      >
        {roundSpeed(figures[index] ?? 0)}
      </text>
    </Fragment>
  ));
}
