import Maximize2 from 'lucide-react/icons/maximize-2';
import ZoomIn from 'lucide-react/icons/zoom-in';
import ZoomOut from 'lucide-react/icons/zoom-out';
import { useMemo, useRef, useState, type ComponentProps, type ReactNode } from 'react';
import { Button, IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { speedUnit, toShownSpeed } from '#web/ui/format.ts';
import { useBrowserValue } from '#web/ui/use-browser-value.ts';
import { ChannelCharts, ChannelChoice } from './channel-charts.tsx';
import { ChartAxis, ZOOM_STEP } from './chart-axis.tsx';
import { ChartSurface } from './chart-surface.tsx';
import { GapChart, type ChartParts } from './gap-chart.tsx';
import styles from './lap-charts.module.css';
import type { LapCursor } from './lap-cursor.ts';
import { entry, nearestStation } from './lap-lines.ts';
import { LineChart, type BrakingMark } from './line-chart.tsx';
import { lowerLap } from './place-messages.ts';
import { isWithin, type LapMap, type ShownLap, type ShownStretch } from './shown-laps.ts';
import { TurnNumbers } from './turn-numbers.tsx';
import type { LapChannels } from './use-lap-channels.ts';
import { useIsPhone } from './use-is-phone.ts';
import { zoomRange, type Range } from './zoom.ts';

type LapChartsProps = {
  map: LapMap;
  /** The laps, with the reference first. */
  laps: readonly ShownLap[];
  /** The lap whose gap is drawn with its band; null where only speeds are shown. */
  active: ShownLap | null;
  cursor: LapCursor;
  /** The figures under the cursor as text for screen readers. */
  valueText: string;
  /** The same figures for the eye, above the charts of wide screens. */
  readout: ReactNode;
  channels: LapChannels;
};

/** Draws gap and speeds on one axis, with one cursor for mouse, fingers and arrow keys; on phones the speeds come first. */
export function LapCharts({ map, laps, active, cursor, valueText, readout, channels }: LapChartsProps) {
  const slider = useRef<HTMLInputElement>(null);
  const isPhone = useIsPhone();
  const [countsFromLeft, setCountsFromLeft] = useState(true);
  const { meters, stretches, sectorMeters } = map;
  const { range, isZoomed, index, moveTo, zoomTo } = cursor;
  const here = entry(meters, index);
  const shaded = useShadedCorners(stretches, here);
  const parts = { meters, range, shaded, sectorMeters, index };
  const showWhole = () => zoomTo([0, entry(meters, meters.length - 1)]);
  const zoomBy = (factor: number) => zoomTo(zoomRange(range, here, factor));
  const left = isZoomed && countsFromLeft ? nearestStation(meters, range[0]) : null;
  const gap = active && <GapPart key="gap" {...{ parts, laps, active, left, isPhone }} />;
  const speed = <SpeedPart key="speed" {...{ laps, map, cursor, shaded }} />;
  const tools = (
    <ChartTools key="tools" {...{ isZoomed, zoomBy }} onWhole={showWhole}>
      {active && isZoomed && (
        <FromLeftButton isOn={countsFromLeft} onToggle={() => setCountsFromLeft(!countsFromLeft)} />
      )}
    </ChartTools>
  );
  return (
    <div className={styles['frame']} data-has-gap={active !== null}>
      {!isPhone && <Readout {...{ active, readout, tools }} />}
      <div className={styles['charts']}>
        <TurnNumbers range={range} stretches={stretches} here={here} />
        {isPhone ? [speed, gap] : [gap, speed]}
        <ChannelCharts {...{ parts, laps }} chosen={channels.chosen} />
        <ChartSurface
          meters={here}
          range={range}
          onPoint={moveTo}
          onZoom={zoomTo}
          // Arrow keys continue from the point that the reader picked.
          onPick={() => slider.current?.focus({ preventScroll: true })}
          onWhole={showWhole}
        />
      </div>
      <ChartAxis {...{ slider, meters, cursor, valueText, zoomBy }} />
      <div className={styles['foot']}>
        <ChannelChoice {...channels} />
        {isPhone && tools}
      </div>
    </div>
  );
}

function Readout({
  active,
  readout,
  tools,
}: Pick<LapChartsProps, 'active' | 'readout'> & { tools: ReactNode }) {
  return (
    <div className={styles['readout']}>
      {active && <GapHeading active={active} />}
      {readout}
      {tools}
    </div>
  );
}

function useShadedCorners(stretches: LapMap['stretches'], here: number) {
  const current = stretches.findIndex((stretch) => isWithin(here, stretch));
  return useMemo(
    () =>
      stretches.flatMap((stretch, index) =>
        stretch.kind === 'corner' ? [{ ...stretch, isCurrent: index === current }] : [],
      ),
    [stretches, current],
  );
}

type GapPartProps = Pick<ComponentProps<typeof GapChart>, 'laps' | 'active' | 'left'> & {
  parts: ChartParts;
  isPhone: boolean;
};

function GapPart({ parts, laps, active, left, isPhone }: GapPartProps) {
  return (
    <div className={styles['gapPart']}>
      {isPhone && <GapHeading active={active} />}
      <Plot className={styles['gap']}>
        <GapChart {...parts} {...{ laps, active, left }} />
      </Plot>
    </div>
  );
}

/** Says what the gap counts; on phones it is over the chart, elsewhere next to the figures at the cursor. */
function GapHeading({ active }: { active: ShownLap }) {
  return (
    <h2 className={classNames(styles['heading'], styles['gapHeading'])}>
      {`Gap, s. Above zero ${describeBehind(active)} behind; shaded: 95 %`}
    </h2>
  );
}

function SpeedPart(props: SpeedChartProps) {
  return (
    <div className={styles['speedPart']}>
      <h2 className={styles['heading']}>Speed, {speedUnit()}</h2>
      <Plot className={styles['speed']}>
        <SpeedChart {...props} />
      </Plot>
    </div>
  );
}

function describeBehind({ name, isYou }: ShownLap): string {
  return isYou ? 'you are' : `${lowerLap(name)} is`;
}

type SpeedChartProps = Pick<LapChartsProps, 'map' | 'laps' | 'cursor'> & {
  shaded: readonly (ShownStretch & { isCurrent: boolean })[];
};

/** Draws the speeds, with the braking points of the corner at the cursor. */
function SpeedChart({ laps, map, cursor: { range, index }, shaded }: SpeedChartProps) {
  const { meters, sectorMeters } = map;
  const lines = useMemo(
    () =>
      laps.map(({ lapId, stroke, speedsKmh, holes }) => ({
        ...stroke,
        id: lapId,
        values: speedsKmh.map(toShownSpeed),
        holes,
      })),
    [laps],
  );
  const current = shaded.find(({ isCurrent }) => isCurrent);
  const brakings = laps.flatMap(({ stroke, speedsKmh }, lap): BrakingMark[] => {
    const along = current?.brakingMeters[lap] ?? null;
    if (along === null) return [];
    const value = toShownSpeed(entry(speedsKmh, nearestStation(meters, along)));
    return [{ meters: along, value, color: stroke.color }];
  });
  return (
    <>
      <LineChart
        {...{ meters, range, shaded, sectorMeters, index, lines, brakings }}
        band={null}
        leastSpan={null}
        formatValue={String}
      />
      <HoleNotes range={range} laps={laps} />
    </>
  );
}

/** Says where a curve stops because the receiver had no signal. */
function HoleNotes({ range: [from, to], laps }: { range: Range; laps: readonly ShownLap[] }) {
  const holes = laps.flatMap((lap) =>
    lap.holes.map((hole) => ({ ...hole, lapId: lap.lapId, name: lap.name })),
  );
  return (
    <div className={styles['holes']}>
      {holes
        .filter(({ startMeters, endMeters }) => endMeters >= from && startMeters <= to)
        .map(({ lapId, name, startMeters, endMeters, lastsMs }) => (
          <span
            key={`${lapId} ${startMeters}`}
            style={{ left: `${(((startMeters + endMeters) / 2 - from) / (to - from)) * 100}%` }}
            title={`${name}: the receiver gave no positions here`}
          >
            no signal, {(lastsMs / 1000).toFixed(1)} s
          </span>
        ))}
    </div>
  );
}

type ChartToolsProps = {
  isZoomed: boolean;
  zoomBy: (factor: number) => void;
  onWhole: () => void;
  children: ReactNode;
};

/** Shows buttons for the gestures, for keyboards and for readers who cannot pinch. */
function ChartTools({ isZoomed, zoomBy, onWhole, children }: ChartToolsProps) {
  return (
    <div className={styles['tools']}>
      <IconButton label="Zoom in" icon={<ZoomIn size={18} />} onClick={() => zoomBy(ZOOM_STEP)} />
      <IconButton
        label="Zoom out"
        icon={<ZoomOut size={18} />}
        disabled={!isZoomed}
        onClick={() => zoomBy(1 / ZOOM_STEP)}
      />
      <IconButton
        label="Show the whole lap"
        icon={<Maximize2 size={16} />}
        disabled={!isZoomed}
        onClick={onWhole}
      />
      {children}
    </div>
  );
}

/** Keeps the room of a chart until it is there: in the page of the server, its paths would weigh more than all the rest. */
function Plot({ className, children }: { className: string | undefined; children: ReactNode }) {
  const isInBrowser = useBrowserValue(() => true, false);
  return <div className={className}>{isInBrowser && children}</div>;
}

/** Switches between the gap since the left edge of a zoomed chart and since the start of the lap. */
function FromLeftButton({ isOn, onToggle }: { isOn: boolean; onToggle: () => void }) {
  return (
    <Button
      size="small"
      variant="quiet"
      aria-pressed={isOn}
      className={styles['fromLeft']}
      onClick={onToggle}
    >
      Gap from the left edge
    </Button>
  );
}
