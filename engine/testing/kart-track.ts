import { toPosition, planeAround } from '../geo.ts';
import type { TimingLine } from '../timing-line.ts';
import type { OutlinePoint, Track } from '../track.ts';

const CENTER = { lat: 48.1, lon: 11.6 };
const [RADIUS_X, RADIUS_Y] = [180, 90];

/** An oval of about 870 m with two sector lines, driven anticlockwise: small, so that tests that drive it are quick. */
export const KART_TRACK: Track = {
  id: 'kart-track',
  name: 'Kart Track',
  configuration: null,
  lengthMeters: 870,
  centerLat: CENTER.lat,
  centerLon: CENTER.lon,
  radiusMeters: 300,
  startFinishLine: lineAt(0),
  sectors: [
    { name: 'S1', ...lineAt(2) },
    { name: 'S2', ...lineAt(4) },
  ],
  outline: Array.from({ length: 48 }, (_, corner): OutlinePoint => {
    const { lat, lon } = positionAt((corner * Math.PI) / 24, 0);
    return [lat, lon];
  }),
};

/** A place beside the middle of the road: an angle from the east, anticlockwise, and metres to the outside. */
function positionAt(angle: number, outside: number): { lat: number; lon: number } {
  const point = { x: (RADIUS_X + outside) * Math.cos(angle), y: (RADIUS_Y + outside) * Math.sin(angle) };
  return toPosition(planeAround(CENTER), point);
}

/** Anticlockwise, the inside is to the left. */
function lineAt(angle: number): TimingLine {
  return { a: positionAt(angle, -12), b: positionAt(angle, 12), bearingDeg: null };
}
