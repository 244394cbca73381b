import ArrowLeftRight from 'lucide-react/icons/arrow-left-right';
import Flag from 'lucide-react/icons/flag';
import Move from 'lucide-react/icons/move';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash';
import { useRef, useState } from 'react';
import type { Position } from '#engine/geo.ts';
import { Button } from '#web/ui/button.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { formatLength } from '#web/ui/format.ts';
import {
  findLine,
  lineAt,
  nearestPoint,
  findPose,
  poseWithEnd,
  findLineRange,
  REACH_METERS,
  SKEW_DEGREES_MAX,
  turned,
  withFinish,
  withLine,
  withoutLine,
  withSector,
  type LineKey,
  type LinePose,
  type TrackLines,
  type Path,
} from './edit-lines.ts';
import type { LineGrip } from './line-handles.tsx';
import common from '#web/ui/common.module.css';
import styles from './track-editor.module.css';
import { TrackMap, type DrawnTrack, type MapTiles } from './track-map.tsx';

type TrackEditorProps = {
  /** The path of the lines; it stays the same while lines move on it. */
  path: Path;
  lines: TrackLines;
  onChange: (lines: TrackLines) => void;
  sectorsMax: number;
  /** True where the lap ends where it begins, so that the finish cannot be elsewhere. */
  isCircuit?: boolean;
  /** Other tracks, drawn below the path. */
  others?: readonly DrawnTrack[];
  highlightedId?: string | null;
  tiles?: MapTiles | null;
  /** Describes the track below the map; the sliders and buttons are then behind a button beside it. */
  summary?: string;
};

/** Edits the lines of a track on a map or with sliders; sector lines and a finish line can be added and removed. */
export function TrackEditor(props: TrackEditorProps) {
  const { path, lines, onChange, sectorsMax, isCircuit = false, summary, ...map } = props;
  const [isOpen, setIsOpen] = useState(summary === undefined);
  const [chosen, setSelected] = useState<LineKey>('start');
  const selected = findLine(lines, chosen) === null ? 'start' : chosen;

  function moveLine(key: LineKey, pose: LinePose): void {
    const changed = withLine(path, lines, key, lineAt(path, pose));
    setSelected(changed.key);
    onChange(changed.lines);
  }

  function drag(key: LineKey, grip: LineGrip, to: Position): void {
    const line = findLine(lines, key);
    if (line === null) return;
    const pose = findPose(path, line);
    const moved = { ...pose, index: nearestPoint(path, to, findLineRange(path, lines, key)) };
    moveLine(key, grip === 'line' ? moved : poseWithEnd(path, pose, grip, to));
  }

  return (
    <div className={common['list']}>
      <TrackMap {...{ path, lines, selected, ...map }} onSelect={setSelected} onDrag={drag} />
      {summary !== undefined && (
        <div className={styles['summary']}>
          <p>{summary}</p>
          <Button size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            <Move size={16} aria-hidden="true" /> Move the line
          </Button>
        </div>
      )}
      {isOpen && (
        <>
          <LineControls {...{ path, lines, selected, moveLine }} onSelect={setSelected} />
          <LineButtons
            {...{ path, lines, selected, sectorsMax, isCircuit, onChange }}
            onSelect={setSelected}
          />
        </>
      )}
    </div>
  );
}

type LineButtonsProps = Pick<TrackEditorProps, 'path' | 'lines' | 'sectorsMax' | 'isCircuit' | 'onChange'> & {
  selected: LineKey;
  onSelect: (key: LineKey) => void;
};

function LineButtons(props: LineButtonsProps) {
  const { path, lines, selected, sectorsMax, isCircuit, onChange, onSelect } = props;
  const turn = useRef<HTMLButtonElement>(null);
  function addSector(): void {
    const added = withSector(path, lines);
    onSelect(added.key);
    onChange(added.lines);
  }

  return (
    <div className={common['row']}>
      <Button size="small" onClick={addSector} disabled={lines.sectors.length >= sectorsMax}>
        <Plus size={16} aria-hidden="true" /> Sector line
      </Button>
      {lines.finishLine === null && !isCircuit && (
        <Button
          size="small"
          onClick={() => {
            onChange(withFinish(path, lines));
            onSelect('finish');
          }}
        >
          <Flag size={16} aria-hidden="true" /> Finish elsewhere
        </Button>
      )}
      <Button ref={turn} size="small" onClick={() => onChange(turned(lines))}>
        <ArrowLeftRight size={16} aria-hidden="true" /> Turn direction
      </Button>
      {selected !== 'start' && (
        <Button
          size="small"
          variant="destructive"
          onClick={() => {
            // This button goes with the line.
            turn.current?.focus();
            onChange(withoutLine(lines, selected));
            onSelect('start');
          }}
        >
          <Trash2 size={16} aria-hidden="true" /> Remove {formatLineName(lines, selected)}
        </Button>
      )}
    </div>
  );
}

/** The step of the slider along the path, in points of its outline. */
const INDEX_STEP = 0.5;

type LineControlsProps = {
  path: Path;
  lines: TrackLines;
  selected: LineKey;
  moveLine: (key: LineKey, pose: LinePose) => void;
  onSelect: (key: LineKey) => void;
};

/** Shows sliders for everything that can be dragged: for keyboards and for fingers. */
function LineControls({ path, lines, selected, moveLine, onSelect }: LineControlsProps) {
  const line = findLine(lines, selected);
  if (line === null) return null;
  const pose = findPose(path, line);
  const keys: LineKey[] = [
    'start',
    ...(lines.finishLine ? (['finish'] as const) : []),
    ...lines.sectors.keys(),
  ];
  const { first, last } = findLineRange(path, lines, selected);
  const set = (change: Partial<LinePose>) => moveLine(selected, { ...pose, ...change });
  const name = formatLineName(lines, selected);
  return (
    <div className={styles['controls']}>
      <SelectField
        label="Line"
        value={String(selected)}
        onChange={(event) => {
          const { value } = event.currentTarget;
          onSelect(value === 'start' || value === 'finish' ? value : Number(value));
        }}
      >
        {keys.map((key) => (
          <option key={key} value={String(key)}>
            {capitalize(formatLineName(lines, key))}
          </option>
        ))}
      </SelectField>
      <Slider
        label={`Move the ${name} along the lap`}
        min={first}
        max={last - (path.isOpen ? 0 : INDEX_STEP)}
        step={INDEX_STEP}
        format={null}
        value={pose.index}
        onChange={(index) => set({ index })}
      />
      <EndControls pose={pose} onChange={set} />
    </div>
  );
}

const REACH = {
  min: REACH_METERS.min,
  max: REACH_METERS.max,
  step: 0.5,
  format: (meters: number) => formatLength(meters, 1),
};

function EndControls({ pose, onChange }: { pose: LinePose; onChange: (change: Partial<LinePose>) => void }) {
  return (
    <details className={styles['more']}>
      <summary>Width and angle</summary>
      <div className={common['list']}>
        <Slider
          label="Left end"
          {...REACH}
          value={pose.leftMeters}
          onChange={(leftMeters) => onChange({ leftMeters })}
        />
        <Slider
          label="Right end"
          {...REACH}
          value={pose.rightMeters}
          onChange={(rightMeters) => onChange({ rightMeters })}
        />
        <Slider
          label="Angle, 0 is square to the lap"
          min={-SKEW_DEGREES_MAX}
          max={SKEW_DEGREES_MAX}
          step={1}
          format={(degrees) => `${degrees}°`}
          value={pose.skewDegrees}
          onChange={(skewDegrees) => onChange({ skewDegrees })}
        />
      </div>
    </details>
  );
}

type SliderProps = {
  label: string;
  min: number;
  max: number;
  step: number;
  /** Writes the value; null if it has no meaning for a reader. */
  format: ((value: number) => string) | null;
  value: number;
  onChange: (value: number) => void;
};

function Slider({ label, format, value, onChange, ...range }: SliderProps) {
  const rounded = Math.round(value / range.step) * range.step;
  return (
    <label className={styles['slider']}>
      <span>
        {label}
        {format !== null && <span className={styles['value']}> {format(rounded)}</span>}
      </span>
      <input
        type="range"
        {...range}
        value={rounded}
        {...(format !== null && { 'aria-valuetext': format(rounded) })}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}

function formatLineName({ finishLine, sectors }: TrackLines, key: LineKey): string {
  if (key === 'start') return finishLine === null ? 'start/finish line' : 'start line';
  if (key === 'finish') return 'finish line';
  return `sector line ${sectors[key]?.name ?? ''}`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
