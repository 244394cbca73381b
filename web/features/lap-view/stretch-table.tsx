import { useRef, useState, type KeyboardEvent } from 'react';
import type { ComparedStretch, StretchLap } from '#contract/lap-view/comparison.ts';
import { classNames } from '#web/ui/class-names.ts';
import { formatDifference, formatSeconds } from '#web/ui/format.ts';
import { describeBraking } from './comparison-messages.ts';
import { DifferenceBar } from './difference-bar.tsx';
import styles from './stretch-table.module.css';
import { isWithin, type LapStroke, type ShownLap, type ShownStretch } from './shown-laps.ts';

type StretchTableProps = {
  stretches: readonly ComparedStretch[];
  /** The same stretches with their titles. */
  shown: readonly ShownStretch[];
  lapIndex: number;
  reference: ShownLap;
  lap: ShownLap;
  gapMs: number;
  /** The point of the cursor, in metres. */
  here: number;
  /** Is called with the index of the row under pointer or focus; null where there is none. */
  onFollow: (row: number | null) => void;
  onChoose: (row: number) => void;
};

/**
 * Shows straights and corners in order, with what a lap does differently in each. The rows are one stop for the Tab key;
 * arrows move between them, and Enter moves the cursor there.
 */
export function StretchTable(props: StretchTableProps) {
  const { stretches, shown, lapIndex, lap, reference, gapMs, here, onFollow, onChoose } = props;
  const [tabStop, setTabStop] = useState(0);
  const body = useRef<HTMLTableSectionElement>(null);
  const mostMs = Math.max(1, ...stretches.map(({ laps }) => Math.abs(laps[lapIndex]?.lostMs ?? 0)));
  const moveFocus = (event: KeyboardEvent) => {
    const target = findTargetRow(event.key, tabStop, stretches.length);
    if (target === null) return;
    event.preventDefault();
    setTabStop(target);
    body.current?.querySelectorAll('button')[target]?.focus();
  };
  return (
    <table className={styles['table']} onPointerLeave={() => onFollow(null)}>
      <caption className="visually-hidden">Every straight and corner against the reference</caption>
      <TableHead isYou={lap.isYou} />
      <tbody ref={body} onKeyDown={moveFocus} onBlur={() => onFollow(null)}>
        {stretches.map((stretch, row) => {
          const [first, second] = [stretch.laps[0], stretch.laps[lapIndex]];
          const named = shown[row];
          if (!first || !second || !named) return null;
          return (
            <tr
              key={stretch.startMeters}
              className={classNames(
                stretch.kind === 'straight' && styles['straight'],
                Math.abs(second.lostMs) <= second.bandMs && styles['unsure'],
              )}
              data-current={isWithin(here, stretch)}
              onPointerEnter={() => onFollow(row)}
              onFocus={() => {
                setTabStop(row);
                onFollow(row);
              }}
              onClick={() => onChoose(row)}
            >
              <th scope="row">
                <button type="button" tabIndex={row === tabStop ? 0 : -1}>
                  {named.title}
                </button>
              </th>
              <Figures
                kind={stretch.kind}
                lap={second}
                reference={first}
                strokes={[reference.stroke, lap.stroke]}
              />
              <td className={styles['lost']} title={`±${formatSeconds(second.bandMs)} s`}>
                {formatDifference(second.lostMs)}
              </td>
              <td className={styles['bar']}>
                <DifferenceBar
                  value={second.lostMs}
                  scale={1 / mostMs}
                  widthPx={96}
                  stroke={pickStroke(second, [reference.stroke, lap.stroke])}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Gap at the line</th>
          <td className={styles['wide']} colSpan={3} />
          <td className={styles['narrow']} />
          <td className={styles['wide']} />
          <td>{formatDifference(gapMs)}</td>
          <td />
        </tr>
      </tfoot>
    </table>
  );
}

function findTargetRow(key: string, row: number, count: number): number | null {
  const targets: Partial<Record<string, number>> = {
    ArrowDown: Math.min(row + 1, count - 1),
    ArrowUp: Math.max(row - 1, 0),
    Home: 0,
    End: count - 1,
  };
  return targets[key] ?? null;
}

function TableHead({ isYou }: { isYou: boolean }) {
  return (
    <thead>
      <tr>
        <th scope="col">Stretch</th>
        <th scope="col" className={styles['wide']}>
          {isYou ? 'You brake' : 'Brakes'}
        </th>
        <th scope="col" className={styles['wide']}>
          In
        </th>
        <th scope="col" className={styles['wide']}>
          Slowest
        </th>
        <th scope="col" className={styles['narrow']}>
          Slowest or end
        </th>
        <th scope="col" className={styles['wide']}>
          Out
        </th>
        <th scope="col">Lost, s</th>
        <td />
      </tr>
    </thead>
  );
}

type FiguresProps = {
  kind: ComparedStretch['kind'];
  lap: StretchLap;
  reference: StretchLap;
  strokes: readonly [LapStroke, LapStroke];
};

function Figures({ kind, lap, reference, strokes }: FiguresProps) {
  const isStraight = kind === 'straight';
  const slowest = [lap.slowestKmh, reference.slowestKmh] as const;
  const end = [lap.endKmh, reference.endKmh] as const;
  return (
    <>
      <td className={classNames(styles['wide'], styles['braking'])}>
        {!isStraight && describeBraking(lap, reference)}
      </td>
      <td className={styles['wide']}>
        <Speed kmh={lap.startKmh} referenceKmh={reference.startKmh} strokes={strokes} />
      </td>
      <td className={styles['wide']}>
        <Speed kmh={slowest[0]} referenceKmh={slowest[1]} strokes={strokes} />
      </td>
      <td className={styles['narrow']}>
        <Speed
          kmh={(isStraight ? end : slowest)[0]}
          referenceKmh={(isStraight ? end : slowest)[1]}
          strokes={strokes}
        />
      </td>
      <td className={styles['wide']}>
        <Speed kmh={end[0]} referenceKmh={end[1]} strokes={strokes} />
      </td>
    </>
  );
}

const KMH_PX = 1.9;
const SPEED_BAR_PX = 36;

type SpeedProps = {
  kmh: number | null;
  referenceKmh: number | null;
  strokes: readonly [LapStroke, LapStroke];
};

/** Shows a speed of the lap, its difference from the reference, and a bar of that in the colour of the faster lap. */
function Speed({ kmh, referenceKmh, strokes }: SpeedProps) {
  if (kmh === null || referenceKmh === null) return null;
  const difference = Math.round(kmh) - Math.round(referenceKmh);
  return (
    <span className={styles['speed']}>
      {Math.round(kmh)}
      <i>{difference === 0 ? '0' : `${difference > 0 ? '+' : '−'}${Math.abs(difference)}`}</i>
      <DifferenceBar
        value={Math.abs(difference) <= 1 ? 0 : difference}
        scale={(2 * KMH_PX) / SPEED_BAR_PX}
        widthPx={SPEED_BAR_PX}
        stroke={strokes[difference < 0 ? 0 : 1]}
      />
    </span>
  );
}

/** Returns the stroke of the lap that is faster in a stretch; null where that is not certain. */
function pickStroke(
  { lostMs, bandMs }: StretchLap,
  [reference, lap]: readonly [LapStroke, LapStroke],
): LapStroke | null {
  if (Math.abs(lostMs) <= bandMs) return null;
  return lostMs > 0 ? reference : lap;
}
