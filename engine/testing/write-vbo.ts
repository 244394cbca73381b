import { planeAround, toPlane, toPosition, type Position } from '../geo.ts';
import type { Track } from '../track.ts';
import type { SimulatedDrive } from '../simulation/drive.ts';

/** States which logger wrote the file, and whether it gives a line. */
export type VboOptions = {
  /** Writer whose order of columns and way to write down the line the file has. */
  writer?: 'racechrono' | 'racebox';
  /** The track whose line is written down; none without it. */
  track?: Track;
};

/** A drive as VBO: minutes in all, west positive, times of day to a thousandth. */
export function writeVbo(drive: SimulatedDrive, { writer = 'racechrono', track }: VboOptions = {}): string {
  const first = new Date(drive.fixes[0]?.timeMs ?? 0).toISOString();
  const created = `${first.slice(8, 10)}/${first.slice(5, 7)}/${first.slice(0, 4)} @ ${first.slice(11, 16)}`;
  const rows = drive.fixes.map((fix) => {
    const time = new Date(fix.timeMs).toISOString().slice(11, 23).replaceAll(':', '');
    const place = `${minutes(fix.lat, 5)} ${minutes(-fix.lon, 5)}`;
    const speed = (fix.speedMetersPerSecond * 3.6).toFixed(3).padStart(7, '0');
    return writer === 'racebox' ? `${time} ${place} ${speed} 12` : `012 ${time} ${place} ${speed}`;
  });
  const line = track?.startFinishLine ?? null;
  return [
    `File created on ${created}`,
    '',
    '[header]',
    'velocity kmh',
    '',
    ...(line === null ? [] : ['[laptiming]', `Start   ${endsFor(writer, line.a, line.b)} ¬ Start`, '']),
    '[column names]',
    writer === 'racebox' ? 'time lat lng velocity sats' : 'sats time lat long velocity',
    '',
    '[data]',
    ...rows,
    '',
  ].join('\r\n');
}

function minutes(degrees: number, width: number): string {
  const digits = Math.abs(degrees * 60).toFixed(8);
  return (degrees < 0 ? '-' : '+') + digits.padStart(width + 9, '0');
}

/** Returns both ends for RaceBox; the middle and a point 35 m before it for RaceChrono. */
function endsFor(writer: 'racechrono' | 'racebox', a: Position, b: Position): string {
  if (writer === 'racebox') return `${latFirst(a)} ${latFirst(b)}`;
  const plane = planeAround({ lat: (a.lat + b.lat) / 2, lon: (a.lon + b.lon) / 2 });
  const [left, right] = [toPlane(plane, a), toPlane(plane, b)];
  const reach = 35 / Math.hypot(right.x - left.x, right.y - left.y);
  const behind = { x: (right.y - left.y) * reach, y: (left.x - right.x) * reach };
  return `${lonFirst(plane.origin)} ${lonFirst(toPosition(plane, behind))}`;
}

function latFirst({ lat, lon }: Position): string {
  return `${minutes(lat, 5)} ${minutes(-lon, 5)}`;
}

function lonFirst({ lat, lon }: Position): string {
  return `${minutes(-lon, 4)} ${minutes(lat, 4)}`;
}
