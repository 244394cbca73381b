import Maximize from 'lucide-react/icons/maximize';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { middle, type PlanePoint, type Position } from '#engine/geo.ts';
import type { OutlinePoint } from '#engine/track.ts';
import { classNames } from '#web/ui/class-names.ts';
import { IconButton } from '#web/ui/button.tsx';
import { findLine, type LineKey, type TrackLines, type Path } from './edit-lines.ts';
import { LineHandles, type LineGrip } from './line-handles.tsx';
import {
  atPixel,
  centered,
  fitView,
  panned,
  listTiles,
  toPixel,
  zoomed,
  type MapSize,
  type MapView,
} from './map-view.ts';
import styles from './track-map.module.css';
import { useMapGestures } from './use-map-gestures.ts';

/** A background map: a URL with {z}, {x} and {y}, and the attribution of its source. */
export type MapTiles = { url: string; attribution: string };

export type DrawnTrack = { id: string; outline: readonly OutlinePoint[]; isClosed: boolean };

type TrackMapProps = {
  path: Path;
  lines: TrackLines;
  selected: LineKey;
  onSelect: (key: LineKey) => void;
  /** Is called with the position of the pointer while a line, or an end of it, is dragged. */
  onDrag: (key: LineKey, grip: LineGrip, to: Position) => void;
  others?: readonly DrawnTrack[];
  /** The id of the other track that is highlighted. */
  highlightedId?: string | null;
  tiles?: MapTiles | null;
};

const ZOOM_STEP = 1.5;
const PAN_PIXELS = 40;
/** The size before the layout of the map. */
const FIRST_SIZE: MapSize = { width: 480, height: 300 };

/** Shows a map of laps from above with draggable lines; pointers, wheel and keys move and zoom it. */
export function TrackMap(props: TrackMapProps) {
  const { path, lines, selected, onSelect, onDrag, others = [], highlightedId = null, tiles = null } = props;
  const { ref, size, view, setView, fit } = useMapView(path.outline);
  const project = (position: Position): PlanePoint => toPixel(view, size, position);
  const zoomToLine = (factor: number) =>
    setView((view) => zoomed(atLine(view, lines, selected), size, factor));
  const gestures = useMapGestures({
    onPan: (byX, byY) => setView((view) => panned(view, byX, byY)),
    onZoom: (factor, pixel) => setView((view) => zoomed(view, size, factor, pixel)),
  });
  return (
    <div className={styles['frame']}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- moved and zoomed by keys, which only an application gets */}
      <div
        ref={ref}
        className={styles['map']}
        role="application"
        aria-label="Map of your laps. Arrow keys move it, plus and minus zoom."
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys are described in its name
        tabIndex={0}
        onKeyDown={(event) => handleKey(event, { zoomBy: zoomToLine, setView, fit })}
      >
        <svg width={size.width} height={size.height} aria-hidden="true" {...gestures}>
          {tiles && <Tiles view={view} size={size} tiles={tiles} />}
          {others.map(({ id, outline, isClosed }) => (
            <OutlinePath
              key={id}
              {...{ outline, isClosed, project }}
              className={classNames(styles['other'], id === highlightedId && styles['highlighted'])}
            />
          ))}
          <OutlinePath
            outline={path.outline}
            isClosed={!path.isOpen}
            project={project}
            className={styles['path']}
          />
          <Lines
            {...{ lines, selected, onSelect, project }}
            onDrag={(key, grip, pixel) => onDrag(key, grip, atPixel(view, size, pixel))}
          />
        </svg>
      </div>
      <ZoomButtons onZoom={zoomToLine} onFit={fit} />
      {tiles && <span className={styles['attribution']}>{tiles.attribution}</span>}
    </div>
  );
}

type LinesProps = Pick<TrackMapProps, 'lines' | 'selected' | 'onSelect'> & {
  project: (position: Position) => PlanePoint;
  onDrag: (key: LineKey, grip: LineGrip, pixel: PlanePoint) => void;
};

function Lines({ lines, selected, onSelect, project, onDrag }: LinesProps) {
  return listDrawnLines(lines, selected).flatMap((key) => {
    const line = findLine(lines, key);
    if (line === null) return [];
    return (
      <LineHandles
        key={key}
        {...{ line, project }}
        kind={typeof key === 'number' ? 'sector' : key}
        isSelected={key === selected}
        onSelect={() => onSelect(key)}
        onDrag={(grip, pixel) => onDrag(key, grip, pixel)}
      />
    );
  });
}

/** Lists the lines in the order in which they are drawn: the selected one lies on top. */
function listDrawnLines(lines: TrackLines, selected: LineKey): LineKey[] {
  const keys: LineKey[] = [
    ...lines.sectors.keys(),
    ...(lines.finishLine ? (['finish'] as const) : []),
    'start',
  ];
  return keys.toSorted((a, b) => Number(a === selected) - Number(b === selected));
}

/** Buttons and keys bring the line that is being edited closer. */
function atLine(view: MapView, lines: TrackLines, key: LineKey): MapView {
  const line = findLine(lines, key);
  return line === null ? view : centered(view, middle(line.a, line.b));
}

function ZoomButtons({ onZoom, onFit }: { onZoom: (factor: number) => void; onFit: () => void }) {
  const look = { variant: 'secondary' } as const;
  return (
    <div className={styles['zoom']}>
      <IconButton {...look} label="Zoom in" icon={<Plus size={18} />} onClick={() => onZoom(ZOOM_STEP)} />
      <IconButton
        {...look}
        label="Zoom out"
        icon={<Minus size={18} />}
        onClick={() => onZoom(1 / ZOOM_STEP)}
      />
      <IconButton {...look} label="Show everything" icon={<Maximize size={18} />} onClick={onFit} />
    </div>
  );
}

type ViewChange = (change: (view: MapView) => MapView) => void;

/** Keeps the view of a map, which fits its outline until the user moves it. */
function useMapView(outline: readonly OutlinePoint[]) {
  const ref = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(FIRST_SIZE);
  const [moved, setMoved] = useState<MapView | null>(null);
  const fitted = fitView(outline, size);
  const view = moved ?? fitted;
  const setView: ViewChange = (change) => setMoved((before) => change(before ?? fitted));

  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useWheelZoom(ref, (factor, pixel) => setView((view) => zoomed(view, size, factor, pixel)));
  return { ref, size, view, setView, fit: () => setMoved(null) };
}

/** Listens to the wheel itself, because a passive listener could not keep the page from scrolling. */
function useWheelZoom(
  ref: RefObject<HTMLDivElement | null>,
  onZoom: (factor: number, pixel: PlanePoint) => void,
): void {
  const latest = useRef(onZoom);
  useEffect(() => {
    latest.current = onZoom;
  });
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const zoom = (event: WheelEvent) => {
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      latest.current(Math.exp(-event.deltaY * WHEEL_SPEED), {
        x: event.clientX - left,
        y: event.clientY - top,
      });
    };
    element.addEventListener('wheel', zoom, { passive: false });
    return () => element.removeEventListener('wheel', zoom);
  }, [ref]);
}

const WHEEL_SPEED = 0.002;

type KeyActions = { zoomBy: (factor: number) => void; setView: ViewChange; fit: () => void };

function handleKey(event: KeyboardEvent, { zoomBy, setView, fit }: KeyActions): void {
  const pan = PAN_KEYS[event.key];
  if (pan !== undefined) setView((view) => panned(view, ...pan));
  else if (event.key === '+' || event.key === '=') zoomBy(ZOOM_STEP);
  else if (event.key === '-') zoomBy(1 / ZOOM_STEP);
  else if (event.key === '0') fit();
  else return;
  event.preventDefault();
}

const PAN_KEYS: Record<string, [byX: number, byY: number]> = {
  ArrowLeft: [PAN_PIXELS, 0],
  ArrowRight: [-PAN_PIXELS, 0],
  ArrowUp: [0, PAN_PIXELS],
  ArrowDown: [0, -PAN_PIXELS],
};

type OutlinePathProps = {
  outline: readonly OutlinePoint[];
  isClosed: boolean;
  project: (position: Position) => PlanePoint;
  className: string | undefined;
};

function OutlinePath({ outline, isClosed, project, className }: OutlinePathProps) {
  const points = outline.map(([lat, lon]) => {
    const { x, y } = project({ lat, lon });
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return isClosed ? (
    <polygon points={points.join(' ')} className={className} />
  ) : (
    <polyline points={points.join(' ')} className={className} />
  );
}

function Tiles({ view, size, tiles }: { view: MapView; size: MapSize; tiles: MapTiles }) {
  return listTiles(view, size, tiles.url).map(({ url, ...box }) => (
    <image key={url} href={url} {...box} preserveAspectRatio="none" />
  ));
}
