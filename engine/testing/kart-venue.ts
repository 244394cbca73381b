import { planeAround, toPlane, toPosition, type PlanePoint, type Position } from '../geo.ts';
import type { TimingLine } from '../timing-line.ts';
import type { OutlinePoint, Track } from '../track.ts';
import { buildRoad } from '../simulation/road.ts';

/** The made-up kart venue is here, unless it is put elsewhere. */
const VENUE = { lat: 45.42, lon: 11.28 };

/** Every layout begins on one straight, eastwards, and comes back to it around the same last bend. */
const WAY_OUT: Corner[] = [
  [-60, 0],
  [0, 0],
  [60, 0],
  [98, 2],
  [115, 10],
  [119, 24],
  [108, 38],
];
const WAY_BACK: Corner[] = [
  [-116, 42],
  [-122, 24],
  [-113, 7],
  [-95, 1],
];

/** Each layout differs in its infield: metres east and north of the start. */
const INFIELDS: [configuration: string, corners: Corner[]][] = [
  [
    'Short',
    [
      [60, 42],
      [0, 45],
      [-60, 42],
      [-98, 46],
    ],
  ],
  [
    'Club',
    [
      [70, 42],
      [48, 52],
      [38, 78],
      [12, 94],
      [-14, 82],
      [-24, 54],
      [-52, 45],
      [-98, 48],
    ],
  ],
  [
    'Hairpin',
    [
      [70, 42],
      [48, 52],
      [38, 78],
      [12, 94],
      [-12, 84],
      [-20, 62],
      [-38, 56],
      [-50, 72],
      [-54, 92],
      [-76, 92],
      [-80, 66],
      [-98, 50],
    ],
  ],
  [
    'National',
    [
      [86, 48],
      [76, 70],
      [60, 98],
      [0, 104],
      [-60, 98],
      [-78, 72],
      [-98, 52],
    ],
  ],
  [
    'International',
    [
      [86, 48],
      [78, 72],
      [96, 104],
      [80, 136],
      [30, 142],
      [-30, 142],
      [-80, 136],
      [-106, 108],
      [-102, 66],
    ],
  ],
  [
    'Chicane',
    [
      [86, 48],
      [78, 72],
      [96, 104],
      [80, 136],
      [36, 141],
      [16, 120],
      [-16, 118],
      [-36, 141],
      [-80, 136],
      [-106, 108],
      [-102, 66],
    ],
  ],
];

type Corner = [east: number, north: number];

/** The six layouts of a kart venue, 480 to 880 m long, over one start/finish line and through the same first and last bends. */
export function kartLayouts(start: Position = VENUE, name = 'Kart Venue'): Track[] {
  return INFIELDS.map(([configuration, infield]) =>
    routeTrack([...WAY_OUT, ...infield, ...WAY_BACK], { start, name, configuration }),
  );
}

type RouteNames = { start?: Position; name: string; configuration?: string };

/**
 * Returns a closed path through corners in metres east and north of `start`, where the line is, eastwards. Its outline
 * has a point every few metres of the path that a driver takes through the corners.
 */
export function routeTrack(
  corners: readonly Corner[],
  { start = VENUE, name, configuration }: RouteNames,
): Track {
  const plane = planeAround(start);
  const positions = corners.map(([x, y]) => toPosition(plane, { x, y }));
  const track: Track = {
    id: [name, configuration ?? []].flat().join(' ').toLowerCase().replaceAll(' ', '-'),
    name,
    configuration: configuration ?? null,
    lengthMeters: null,
    centerLat: start.lat,
    centerLon: start.lon,
    radiusMeters: 400,
    startFinishLine: lineAt(start),
    sectors: [],
    outline: positions.map(({ lat, lon }): OutlinePoint => [lat, lon]),
  };
  const road = buildRoad(track, false).points;
  const shape = road.filter((_, index) => index % OUTLINE_STEP === 0);
  return {
    ...track,
    lengthMeters: road.length,
    outline: shape.map((point): OutlinePoint => {
      const { lat, lon } = toPosition(plane, point);
      return [lat, lon];
    }),
  };
}

/** A road has a point every metre; outlines are drawn coarser. */
const OUTLINE_STEP = 6;
const LINE_HALF_WIDTH_METERS = 8;

/** Returns a line from north to south, passed to the east. */
function lineAt(start: Position): TimingLine {
  const plane = planeAround(start);
  return {
    a: toPosition(plane, { x: 0, y: LINE_HALF_WIDTH_METERS }),
    b: toPosition(plane, { x: 0, y: -LINE_HALF_WIDTH_METERS }),
    bearingDeg: 90,
  };
}

/** The same layout driven the other way round, as a track of its own. */
export function reverseTrack(track: Track): Track {
  return {
    ...track,
    id: `${track.id}-reverse`,
    startFinishLine: track.startFinishLine && turned(track.startFinishLine),
    sectors: track.sectors.toReversed().map(turned),
    outline: track.outline && track.outline.toReversed(),
  };
}

function turned<Line extends TimingLine>(line: Line): Line {
  const { a, b, bearingDeg } = line;
  return { ...line, a: b, b: a, bearingDeg: bearingDeg === null ? null : (bearingDeg + 180) % 360 };
}

/** Returns the same track so many metres to the east and north. */
export function movedTrack(track: Track, meters: PlanePoint, id: string): Track {
  const plane = planeAround({ lat: track.centerLat, lon: track.centerLon });
  const move = (position: Position): Position => {
    const { x, y } = toPlane(plane, position);
    return toPosition(plane, { x: x + meters.x, y: y + meters.y });
  };
  const moveLine = <Line extends TimingLine>(line: Line): Line => ({
    ...line,
    a: move(line.a),
    b: move(line.b),
  });
  const center = move(plane.origin);
  return {
    ...track,
    id,
    centerLat: center.lat,
    centerLon: center.lon,
    startFinishLine: track.startFinishLine && moveLine(track.startFinishLine),
    sectors: track.sectors.map(moveLine),
    outline:
      track.outline &&
      track.outline.map(([lat, lon]): OutlinePoint => {
        const moved = move({ lat, lon });
        return [moved.lat, moved.lon];
      }),
  };
}
