import { toPosition, planeAround, type Position } from '../geo.ts';
import type { TimingLine } from '../timing-line.ts';
import type { OutlinePoint, Track } from '../track.ts';

const [RADIUS_X, RADIUS_Y] = [180, 90];

/** KART_TRACK is an oval of about 870 m with two sector lines, driven anticlockwise: small, so that tests that drive it are quick. */
export const KART_TRACK = kartTrackAt({ lat: 48.1, lon: 11.6 });

/** Returns the kart track with its centre anywhere on Earth. */
export function kartTrackAt(center: Position): Track {
  return {
    id: 'kart-track',
    name: 'Kart Track',
    configuration: null,
    lengthMeters: 870,
    centerLat: center.lat,
    centerLon: center.lon,
    radiusMeters: 300,
    startFinishLine: lineAt(center, 0),
    sectors: [
      { name: 'S1', ...lineAt(center, 2) },
      { name: 'S2', ...lineAt(center, 4) },
    ],
    outline: Array.from({ length: 48 }, (_, corner): OutlinePoint => {
      const { lat, lon } = positionAt(center, (corner * Math.PI) / 24, 0);
      return [lat, lon];
    }),
  };
}

/** Returns a line where laps of `KART_TRACK` begin, from so many metres to so many to the outside; its other side is 360 m inside. */
export function kartLineAcross(fromMeters: number, toMeters: number): TimingLine {
  const center = { lat: KART_TRACK.centerLat, lon: KART_TRACK.centerLon };
  return { a: positionAt(center, 0, fromMeters), b: positionAt(center, 0, toMeters), bearingDeg: null };
}

/** Returns a position beside the middle of the road: an angle from the east, anticlockwise, and metres to the outside. */
function positionAt(center: Position, angle: number, outsideMeters: number): Position {
  const point = {
    x: (RADIUS_X + outsideMeters) * Math.cos(angle),
    y: (RADIUS_Y + outsideMeters) * Math.sin(angle),
  };
  return toPosition(planeAround(center), point);
}

/** Anticlockwise, the inside is to the left. */
function lineAt(center: Position, angle: number): TimingLine {
  return { a: positionAt(center, angle, -12), b: positionAt(center, angle, 12), bearingDeg: null };
}
