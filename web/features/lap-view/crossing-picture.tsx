import { useId } from 'react';
import type { ProofBundle } from '#contract/lap-view/proof.ts';
import type { CheckedCrossing } from '#engine/proof/time-proof.ts';
import type { TimingLine } from '#engine/timing-line.ts';
import { formatCount, lengthUnit, metersPerUnit } from '#web/ui/format.ts';
import styles from './crossing-picture.module.css';
import { chooseScaleLength, locateCrossing, type LinePoint } from './locate-crossing.ts';

const WIDTH = 420;
const HEIGHT = 150;
const PADDING = 34;
/** More of the line than this beside the car would make the picture small. */
const BESIDE_METERS_MIN = 2;

type CrossingPictureProps = {
  title: string;
  measurement: ProofBundle['measurement'];
  line: TimingLine;
  crossing: CheckedCrossing;
};

/** Draws the line from above, the positions before and after it, and the interpolated crossing; the car drives to the right. */
export function CrossingPicture({ title, measurement, line, crossing }: CrossingPictureProps) {
  const id = useId();
  const located = locateCrossing(measurement, line, crossing);
  if (!located) return null;
  const { fixes, crossing: point, halfWidthMeters } = located;
  const alongs = fixes.map(({ along }) => along);
  const [least, most] = [Math.min(...alongs), Math.max(...alongs)];
  const rights = [...fixes, point].map(({ right }) => right);
  const middle = (Math.min(...rights) + Math.max(...rights)) / 2;
  const beside = Math.max((Math.max(...rights) - Math.min(...rights)) / 2, BESIDE_METERS_MIN);
  const scale = Math.min((WIDTH - 2 * PADDING) / (most - least), (HEIGHT / 2 - PADDING) / beside);
  const x = (along: number) => WIDTH / 2 + (along - (least + most) / 2) * scale;
  const y = (right: number) => HEIGHT / 2 + (right - middle) * scale;
  const [top, bottom] = [Math.max(8, y(-halfWidthMeters)), Math.min(HEIGHT - 22, y(halfWidthMeters))];
  const scaleLength = chooseScaleLength(80 / scale / metersPerUnit());
  const scaleWidth = scaleLength * metersPerUnit() * scale;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- An img element cannot take its colours from the theme.
    <svg className={styles['picture']} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
      <title id={id}>
        {`${title}: the line, the positions ${fixes.map(({ index }) => formatCount(index + 1)).join(', ')} around it, and the crossing between two of them`}
      </title>
      <path
        d={`M${fixes.map((fix) => `${x(fix.along)} ${y(fix.right)}`).join('L')}`}
        className={styles['way']}
      />
      <path d={`M${x(0)} ${top}V${bottom}`} className={styles['line']} />
      {fixes.map((fix) => (
        <FixMark key={fix.index} {...fix} x={x(fix.along)} y={y(fix.right)} />
      ))}
      <CrossingMark point={point} x={x} y={y} crossing={crossing} />
      <g transform={`translate(${PADDING} ${HEIGHT - 10})`} className={styles['scale']}>
        <path d={`M0 -4V0H${scaleWidth}V-4`} />
        <text x={scaleWidth + 6}>
          {scaleLength} {lengthUnit()}
        </text>
      </g>
      <path d={`M${WIDTH - 60} ${HEIGHT - 12}h26m-5 -4l5 4l-5 4`} className={styles['direction']} />
    </svg>
  );
}

/** The label stays on the same side of the line as its position. */
function FixMark({ index, along, x, y }: { index: number; along: number; x: number; y: number }) {
  const isBefore = along < 0;
  return (
    <>
      <circle cx={x} cy={y} r="4" className={styles['fix']} />
      <text
        x={x + (isBefore ? 4 : -4)}
        y={y + 18}
        className={styles['label']}
        textAnchor={isBefore ? 'end' : 'start'}
      >
        {formatCount(index + 1)}
      </text>
    </>
  );
}

type CrossingMarkProps = {
  point: LinePoint;
  x: (along: number) => number;
  y: (right: number) => number;
  crossing: CheckedCrossing;
};

function CrossingMark({ point, x, y, crossing: { afterFixMs } }: CrossingMarkProps) {
  return (
    <>
      <circle cx={x(point.along)} cy={y(point.right)} r="5" className={styles['crossing']} />
      <text x={x(point.along) + 9} y={y(point.right) - 10} className={styles['moment']}>
        +{afterFixMs.toFixed(1)} ms
      </text>
    </>
  );
}
