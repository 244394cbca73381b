import type { ReactNode } from 'react';
import type { EvidenceCurve as Curve } from '#contract/moderation/evidence.ts';
import { distanceUnit, formatLength, metersPerDistanceUnit, speedUnit } from '#web/ui/format.ts';
import { curveWords, describeHeld, toShownCurve } from './describe-flag.ts';
import { drawBand, drawColumn, listTicks } from './draw-column.ts';
import styles from './evidence.module.css';

/** Shows the measured quantity along the lap with its limit, and the speed below. */
export function EvidenceCurve({ curve: measured }: { curve: Curve }) {
  const curve = toShownCurve(measured);
  const { quantity, meters, speedsKmh, held, others } = curve;
  const { title, unit, others: whose } = curveWords(quantity);
  const end = (meters.at(-1) ?? 0) / metersPerDistanceUnit();
  const hasSpeeds = speedsKmh !== null && quantity !== 'speed';
  return (
    <div>
      <h3 className={styles['title']}>
        {title}, {unit}
      </h3>
      <p className="visually-hidden">{describeCurve(curve)}</p>
      <div aria-hidden="true">
        <Quantity curve={curve} />
        {hasSpeeds && (
          <>
            <p className={styles['title']}>Speed, {speedUnit()}</p>
            <Chart top={1.05 * mostOf(speedsKmh)} curve={curve} ticks={3} isLow>
              {(top) => <path d={drawColumn(speedsKmh, top)} className={styles['lap']} />}
            </Chart>
          </>
        )}
        <p className={styles['distances']}>
          {listTicks(end, 5).map((distance) => (
            <span key={distance} style={{ left: `${(100 * distance) / end}%` }}>
              {distance} {distanceUnit()}
            </span>
          ))}
        </p>
      </div>
      <p className={styles['key']}>
        <span data-line="lap">{quantity === 'outline' ? 'This lap, along the outline' : 'This lap'}</span>
        {held && <span data-line="beyond">Beyond the limit</span>}
        {others && (
          <span data-line="others">
            {others.count === 1 ? '1 other' : `${others.count} others`} {whose}
          </span>
        )}
      </p>
    </div>
  );
}

function describeCurve(curve: Curve): string {
  const { quantity, held, limit } = curve;
  const { title, unit, decimals } = curveWords(quantity);
  const place = held ? ` at ${formatLength(held.atMeters)}` : '';
  const along = quantity === 'outline' ? 'outline' : 'lap';
  return `${title} along the ${along}: ${describeHeld(curve)}${place}, limit ${limit.toFixed(decimals)} ${unit}`;
}

function mostOf(values: readonly (number | null)[]): number {
  return Math.max(1, ...values.filter((value) => value !== null));
}

function Quantity({ curve }: { curve: Curve }) {
  const { quantity, values, others, othersMost, limit, held } = curve;
  const { unit, decimals } = curveWords(quantity);
  const known = values.filter((value) => value !== null);
  const top = 1.1 * Math.max(limit, othersMost ?? 0, ...known);
  return (
    <Chart
      top={top}
      curve={curve}
      ticks={6}
      labels={
        <>
          <b className={styles['limitLabel']} style={{ bottom: `${(100 * limit) / top}%` }}>
            {limit.toFixed(decimals)}
          </b>
          {othersMost !== null && (
            <span
              className={styles['mostLabel']}
              data-below={othersMost < limit}
              style={{ bottom: `${(100 * othersMost) / top}%` }}
            >
              {othersMost.toFixed(decimals)} {unit}, most of others
            </span>
          )}
          <Mark curve={curve} />
        </>
      }
    >
      {() => (
        <>
          {others && <path d={drawBand(others, top)} className={styles['band']} />}
          {othersMost !== null && <path d={`M0 ${1 - othersMost / top}H1`} className={styles['most']} />}
          <path d={`M0 ${1 - limit / top}H1`} className={styles['limit']} />
          <path d={drawColumn(values, top)} className={styles['lap']} />
          {held && <path d={drawColumn(values, top, held)} className={styles['beyond']} />}
        </>
      )}
    </Chart>
  );
}

// A mark that begins farther right would be cut off.
const MARK_SHARE_MAX = 0.6;

/** Writes the figure at the stretch that is meant. */
function Mark({ curve }: { curve: Curve }) {
  const { held, values } = curve;
  if (!held) return null;
  const [from, to] = [held.from, held.to].map((station) => station / (values.length - 1));
  if (from === undefined || to === undefined) return null;
  const style = to > MARK_SHARE_MAX ? { right: `${100 * (1 - from)}%` } : { left: `${100 * to}%` };
  return (
    <strong className={styles['mark']} style={style}>
      {describeHeld(curve)}
    </strong>
  );
}

type ChartProps = {
  top: number;
  curve: Curve;
  /** The most ticks of the axis. */
  ticks: number;
  isLow?: boolean;
  labels?: ReactNode;
  children: (top: number) => ReactNode;
};

/** Shows a chart in a box of one by one, with the stretch that is meant on its ground. */
function Chart({
  top,
  curve: { held, values, limit, quantity },
  ticks,
  isLow,
  labels,
  children,
}: ChartProps) {
  const end = values.length - 1;
  // The limit has a label of its own in the same place.
  const isFree = (value: number) => isLow || Math.abs(value - limit) > top / 20;
  return (
    <div className={styles['chart']} data-low={isLow} data-quantity={quantity}>
      <svg viewBox="0 0 1 1" preserveAspectRatio="none">
        {held && (
          <rect
            x={held.from / end}
            width={Math.max(0.01, (held.to - held.from) / end)}
            height={1}
            className={styles['ground']}
          />
        )}
        {listTicks(top, ticks).map((value) => (
          <path key={value} d={`M0 ${1 - value / top}H1`} className={styles['grid']} />
        ))}
        {children(top)}
      </svg>
      {listTicks(top, ticks)
        .filter(isFree)
        .map((value) => (
          <span key={value} className={styles['tick']} style={{ bottom: `${(100 * value) / top}%` }}>
            {value}
          </span>
        ))}
      {labels}
    </div>
  );
}
