import { planeAround, toPosition, type PlanePoint, type Position } from '../geo.ts';
import { undirectedLine, type TimingLine } from '../timing-line.ts';
import { type OutlinePoint, type Track, trackFromLine } from '../track.ts';

/** Describes a straight, or a bend: to the right with a positive angle, to the left with a negative one. */
export type TrackPiece = { meters: number } | { degrees: number; radiusMeters: number };

const PLANE = planeAround({ lat: 50, lon: 7 });
const STEP_METERS = 4;
const HALF_WIDTH_METERS = 12;

/**
 * Returns a track of straights and bends that begins at the start/finish line. A circuit must lead back there by
 * itself; a stage ends at a finish line.
 */
export function trackOfPieces(pieces: readonly TrackPiece[], kind: 'circuit' | 'stage'): Track {
  const turtle: Turtle = { x: 0, y: 0, heading: Math.PI / 2 };
  const outline = [toOutlinePoint(turtle)];
  const startFinishLine = lineAcross(turtle);
  let lengthMeters = 0;
  for (const piece of pieces) {
    const meters = pieceLength(piece);
    const steps = Math.ceil(meters / STEP_METERS);
    const turn = 'degrees' in piece ? (piece.degrees * Math.PI) / 180 / steps : 0;
    for (let step = 0; step < steps; step += 1) {
      turtle.heading -= turn / 2;
      turtle.x += (meters / steps) * Math.cos(turtle.heading);
      turtle.y += (meters / steps) * Math.sin(turtle.heading);
      turtle.heading -= turn / 2;
      outline.push(toOutlinePoint(turtle));
    }
    lengthMeters += meters;
  }
  return {
    ...trackFromLine(startFinishLine),
    id: 'pieces',
    radiusMeters: lengthMeters,
    lengthMeters,
    outline,
    ...(kind === 'stage' ? { finishLine: lineAcross(turtle) } : {}),
  };
}

/** Returns the length along the middle of the track. */
export function pieceLength(piece: TrackPiece): number {
  return 'meters' in piece ? piece.meters : (Math.abs(piece.degrees) * Math.PI * piece.radiusMeters) / 180;
}

type Turtle = PlanePoint & { heading: number };

function toOutlinePoint(point: PlanePoint): OutlinePoint {
  const { lat, lon } = toPosition(PLANE, point);
  return [lat, lon];
}

function lineAcross({ x, y, heading }: Turtle): TimingLine {
  const end = (side: number): Position =>
    toPosition(PLANE, {
      x: x + side * HALF_WIDTH_METERS * Math.sin(heading),
      y: y - side * HALF_WIDTH_METERS * Math.cos(heading),
    });
  return undirectedLine(end(-1), end(1));
}
