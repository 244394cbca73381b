import type { LapEvidenceOfFlag } from '#contract/moderation/evidence.ts';
import { planeAround, planeX, planeY } from '#engine/geo.ts';
import { formatLength, formatSpeed } from '#web/ui/format.ts';
import styles from './evidence.module.css';

type Path = NonNullable<LapEvidenceOfFlag['path']>;
type Point = { x: number; y: number };
type Project = (path: Path) => Point[];

const WIDTH = 250;
const HEIGHT = 176;
const CLOSE_UP_HEIGHT = 110;
const PADDING = 14;

/** Shows the way of the lap with the place that the flag means, and that place close up. */
export function EvidenceMap({ evidence }: { evidence: LapEvidenceOfFlag }) {
  const { path, place, closeUp, curve } = evidence;
  if (!path)
    return (
      <p className={styles['nothing']}>The line of this lap is private, or its file is not there any more.</p>
    );
  return (
    <div className={styles['maps']}>
      <div>
        <h3 className={styles['title']}>
          {curve?.held ? describePlace(curve.held) : 'The lap'}
          <span>{curve?.held && describeSpot(curve.held)}</span>
        </h3>
        <Map path={path} place={place} />
      </div>
      {closeUp && (
        <div>
          <h3 className={styles['title']}>
            Close up
            {closeUp.fixesPerSecond !== null && `, ${Math.round(closeUp.fixesPerSecond)} fixes per second`}
          </h3>
          <CloseUp closeUp={closeUp} place={place} />
        </div>
      )}
    </div>
  );
}

type Held = NonNullable<NonNullable<LapEvidenceOfFlag['curve']>['held']>;

function describePlace({ cornerNumber }: Held): string {
  return cornerNumber === null ? 'The place' : `Turn ${cornerNumber}`;
}

function describeSpot({ atMeters, speedKmh }: Held): string {
  const place = formatLength(atMeters);
  return speedKmh === null ? place : `${place}, ${formatSpeed(speedKmh)}`;
}

function Map({ path, place }: { path: Path; place: Path | null }) {
  const project = projectInto([path, ...(place ? [place] : [])], HEIGHT);
  const points = project(path);
  const [start, next] = points;
  const marked = place && project(place);
  const middle = marked?.[Math.floor(marked.length / 2)];
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" className={styles['map']}>
      <path d={drawLine(points)} className={styles['way']} />
      {start && next && <path d={drawAcross(start, next)} className={styles['start']} />}
      {marked && <path d={drawLine(marked)} className={styles['place']} />}
      {middle && <circle cx={middle.x} cy={middle.y} r={12} className={styles['ring']} />}
    </svg>
  );
}

type CloseUpProps = { closeUp: NonNullable<LapEvidenceOfFlag['closeUp']>; place: Path | null };

function CloseUp({ closeUp: { lap, others }, place }: CloseUpProps) {
  const project = projectInto([lap], CLOSE_UP_HEIGHT);
  const marked = place ? project(place) : [];
  const view = `0 0 ${WIDTH} ${CLOSE_UP_HEIGHT}`;
  return (
    <svg viewBox={view} aria-hidden="true" className={styles['map']}>
      {others.map((other, index) => (
        // The paths have nothing else that tells them apart.
        <path key={index} d={drawLine(project(other))} className={styles['otherWay']} />
      ))}
      <path d={drawLine(project(lap))} className={styles['fixLine']} />
      <path d={drawDots(project(lap))} className={styles['fixes']} />
      <path d={drawDots(marked)} className={styles['markedFixes']} />
    </svg>
  );
}

/** Returns a projection of positions into the box, north up, in which all of these paths fit. */
function projectInto(paths: readonly Path[], height: number): Project {
  const plane = planeAround({ lat: paths[0]?.lats[0] ?? 0, lon: paths[0]?.lons[0] ?? 0 });
  const toPlane: Project = ({ lats, lons }) =>
    lats.map((lat, index) => ({ x: planeX(plane, lons[index] ?? 0), y: planeY(plane, lat) }));
  const all = paths.flatMap(toPlane);
  const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(
    (WIDTH - 2 * PADDING) / Math.max(1, right - left),
    (height - 2 * PADDING) / Math.max(1, top - bottom),
  );
  return (path) =>
    toPlane(path).map(({ x, y }) => ({
      x: WIDTH / 2 + scale * (x - (left + right) / 2),
      y: height / 2 - scale * (y - (bottom + top) / 2),
    }));
}

function drawLine(points: readonly Point[]): string {
  return points.length === 0 ? '' : `M${points.map(write).join('L')}`;
}

function drawDots(points: readonly Point[]): string {
  return points.map((point) => `M${write(point)}h0`).join('');
}

function write({ x, y }: Point): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

const START_HALF = 9;

/** Draws a line across the way at its start. */
function drawAcross(start: Point, next: Point): string {
  const length = Math.hypot(next.x - start.x, next.y - start.y) || 1;
  const [x, y] = [(-START_HALF * (next.y - start.y)) / length, (START_HALF * (next.x - start.x)) / length];
  return `M${write({ x: start.x + x, y: start.y + y })}L${write({ x: start.x - x, y: start.y - y })}`;
}
