import { useRef, useState, type KeyboardEvent } from 'react';
import type { ComparedStretch, StretchLap } from '#contract/lap-view/comparison.ts';
import { classNames } from '#web/ui/class-names.ts';
import { formatDifference, formatSeconds, roundSpeed, toShownSpeed } from '#web/ui/format.ts';
import { describeBraking } from './comparison-messages.ts';
import { DifferenceBar } from './difference-bar.tsx';
import styles from './stretch-table.module.css';
import { type LapStroke, type ShownLap, type ShownStretch } from './shown-laps.ts';

type StretchTableProps = {
  stretches: readonly ComparedStretch[];
  /** The same stretches with their titles. */
  shown: readonly ShownStretch[];
  lapIndex: number;
  /** The reference and the lap that the rows are about. */
  pair: readonly [reference: ShownLap, lap: ShownLap];
  gapMs: number;
  /** Phones have room for one speed a row. */
  isPhone: boolean;
  /** The row of the cursor. */
  currentRow: number;
  /** Is called with the index of the row under pointer or focus; null where there is none. */
  onFollow: (row: number | null) => void;
  onChoose: (row: number) => void;
};

/**
 * Shows straights and corners in order, with what a lap does differently in each. The rows are one stop for the Tab key;
 * arrows move between them, and Enter moves the cursor there.
 */
export function StretchTable(props: StretchTableProps) {
  const { stretches, shown, lapIndex, pair, gapMs, isPhone, currentRow, onFollow, onChoose } = props;
  const [reference, lap] = pair;
  const [tabStop, setTabStop] = useState(0);
  const body = useRef<HTMLTableSectionElement>(null);
  const mostMs = Math.max(1, ...stretches.map(({ laps }) => Math.abs(laps[lapIndex]?.lostMs ?? 0)));
  const strokes = [reference.stroke, lap.stroke] as const;
  const speedPx = isPhone ? null : chooseSpeedPx(stretches, lapIndex);
  const moveFocus = (event: KeyboardEvent) => {
    const target = findTargetRow(event.key, tabStop, stretches.length);
    if (target === null) return;
    event.preventDefault();
    setTabStop(target);
    body.current?.querySelectorAll('button')[target]?.focus();
  };
  return (
    <table className={styles['table']}>
      <caption className="visually-hidden">Every straight and corner against the reference</caption>
      <TableHead isYou={lap.isYou} isPhone={isPhone} />
      <tbody ref={body}>
        {stretches.map((stretch, row) => (
          <StretchRow
            key={stretch.startMeters}
            {...{ stretch, lapIndex, strokes, mostMs, speedPx, isPhone }}
            title={shown[row]?.title ?? ''}
            isCurrent={row === currentRow}
            isTabStop={row === tabStop}
            onKeyDown={moveFocus}
            onLeave={() => onFollow(null)}
            onChoose={() => onChoose(row)}
            onEnter={() => onFollow(row)}
            onFocus={() => {
              setTabStop(row);
              onFollow(row);
            }}
          />
        ))}
      </tbody>
      <TableFoot gapMs={gapMs} bandMs={lap.gap?.bandMs.at(-1) ?? 0} isPhone={isPhone} />
    </table>
  );
}

function TableFoot({ gapMs, bandMs, isPhone }: { gapMs: number; bandMs: number; isPhone: boolean }) {
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={isPhone ? 2 : 5}>
          Gap at the line
        </th>
        <td className={styles['lost']}>{formatDifference(gapMs)}</td>
        <td className={styles['band']}>±{formatSeconds(bandMs)}</td>
      </tr>
    </tfoot>
  );
}

type Strokes = readonly [LapStroke, LapStroke];

type StretchRowProps = {
  stretch: ComparedStretch;
  lapIndex: number;
  title: string;
  strokes: Strokes;
  mostMs: number;
  speedPx: number | null;
  isPhone: boolean;
  isCurrent: boolean;
  isTabStop: boolean;
  onEnter: () => void;
  onLeave: () => void;
  onFocus: () => void;
  onChoose: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

function StretchRow(props: StretchRowProps) {
  const { stretch, lapIndex, title, strokes, mostMs, speedPx, isPhone, isCurrent, isTabStop } = props;
  const [first, second] = [stretch.laps[0], stretch.laps[lapIndex]];
  if (!first || !second) return null;
  const isUnsure = Math.abs(second.lostMs) <= second.bandMs;
  return (
    <tr
      className={classNames(stretch.kind === 'straight' && styles['straight'], isUnsure && styles['unsure'])}
      data-current={isCurrent}
      onPointerEnter={props.onEnter}
      onPointerLeave={props.onLeave}
      onClick={props.onChoose}
    >
      <th scope="row">
        <button
          type="button"
          tabIndex={isTabStop ? 0 : -1}
          onFocus={props.onFocus}
          onBlur={props.onLeave}
          onKeyDown={props.onKeyDown}
        >
          {title}
        </button>
      </th>
      <Figures kind={stretch.kind} lap={second} reference={first} {...{ strokes, speedPx, isPhone }} />
      <td className={styles['lost']} title={`±${formatSeconds(second.bandMs)} s`}>
        {formatDifference(second.lostMs)}
      </td>
      <td className={styles['bar']}>
        <DifferenceBar
          value={second.lostMs}
          scale={1 / mostMs}
          widthPx={LOSS_BAR_PX}
          stroke={isUnsure ? null : strokes[second.lostMs > 0 ? 0 : 1]}
        />
      </td>
    </tr>
  );
}

const LOSS_BAR_PX = 96;

function findTargetRow(key: string, row: number, count: number): number | null {
  const targets: Partial<Record<string, number>> = {
    ArrowDown: Math.min(row + 1, count - 1),
    ArrowUp: Math.max(row - 1, 0),
    Home: 0,
    End: count - 1,
  };
  return targets[key] ?? null;
}

function TableHead({ isYou, isPhone }: { isYou: boolean; isPhone: boolean }) {
  const speeds = isPhone ? ['Slowest or end'] : ['In', 'Slowest', 'Out'];
  return (
    <thead>
      <tr>
        <th scope="col">Stretch</th>
        {!isPhone && <th scope="col">{isYou ? 'You brake' : 'Brakes'}</th>}
        {speeds.map((title) => (
          <th key={title} scope="col" className={styles['speedTitle']}>
            {title}
          </th>
        ))}
        <th scope="col">Lost, s</th>
        <th scope="col">
          <span className="visually-hidden">As a bar</span>
        </th>
      </tr>
    </thead>
  );
}

type FiguresProps = {
  kind: ComparedStretch['kind'];
  lap: StretchLap;
  reference: StretchLap;
  strokes: Strokes;
  speedPx: number | null;
  isPhone: boolean;
};

function Figures({ kind, lap, reference, strokes, speedPx, isPhone }: FiguresProps) {
  const isStraight = kind === 'straight';
  const speeds = isPhone
    ? ([isStraight ? 'end' : 'slowest'] as const)
    : (['start', 'slowest', 'end'] as const);
  return (
    <>
      {!isPhone && <td className={styles['braking']}>{!isStraight && describeBraking(lap, reference)}</td>}
      {speeds.map((speed) => (
        <td key={speed}>
          <Speed
            kmh={lap[`${speed}Kmh`]}
            referenceKmh={reference[`${speed}Kmh`]}
            doubtKmh={lap[`${speed}DoubtKmh`]}
            {...{ strokes, speedPx }}
          />
        </td>
      ))}
    </>
  );
}

const SPEED_PX_MAX = 1.9;
const SPEED_BAR_PX = 36;

/** Returns the length of a bar for each unit of speed, so that the bar of the largest difference is the longest. */
function chooseSpeedPx(stretches: readonly ComparedStretch[], lapIndex: number): number {
  const differences = stretches.flatMap(({ laps }) => {
    const [first, second] = [laps[0], laps[lapIndex]];
    if (!first || !second) return [];
    const slowest = (second.slowestKmh ?? 0) - (first.slowestKmh ?? 0);
    return [second.startKmh - first.startKmh, slowest, second.endKmh - first.endKmh].map((kmh) =>
      toShownSpeed(Math.abs(kmh)),
    );
  });
  return Math.min(SPEED_PX_MAX, SPEED_BAR_PX / 2 / Math.max(1, ...differences));
}

type SpeedProps = {
  kmh: number | null;
  referenceKmh: number | null;
  /** Half width of the 95 % interval of the difference. */
  doubtKmh: number;
  strokes: Strokes;
  /** The length of the bar for each unit of speed; null where there is no room for bars. */
  speedPx: number | null;
};

/**
 * Shows a speed of the lap, its difference from the reference, and a bar of that in the colour of the faster lap. A difference within
 * its doubt is none, so the doubt stands in its place.
 */
function Speed({ kmh, referenceKmh, doubtKmh, strokes, speedPx }: SpeedProps) {
  if (kmh === null || referenceKmh === null) return null;
  const difference = roundSpeed(kmh) - roundSpeed(referenceKmh);
  const isCertain = Math.abs(kmh - referenceKmh) >= doubtKmh;
  return (
    <span className={styles['speed']}>
      {roundSpeed(kmh)}
      <i>{isCertain ? formatWhole(difference) : `±${Math.ceil(toShownSpeed(doubtKmh))}`}</i>
      {speedPx !== null && (
        <DifferenceBar
          value={!isCertain || Math.abs(difference) <= 1 ? 0 : difference}
          scale={(2 * speedPx) / SPEED_BAR_PX}
          widthPx={SPEED_BAR_PX}
          stroke={strokes[difference < 0 ? 0 : 1]}
        />
      )}
    </span>
  );
}

function formatWhole(difference: number): string {
  if (difference === 0) return '0';
  return `${difference > 0 ? '+' : '−'}${Math.abs(difference)}`;
}
