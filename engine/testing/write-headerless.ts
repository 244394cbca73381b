import { passingTimes, stateAt, timeLabel } from '../simulation/drive-samples.ts';
import type { SimulatedDrive } from '../simulation/drive.ts';

/**
 * Writes a drive as Lemon-Pi does: time of day, seconds since 1970, a counter, latitude, longitude, speed and heading,
 * without a header.
 */
export function writeHeaderless({ fixes }: SimulatedDrive): string {
  const rows = fixes.map(({ timeMs, lat, lon, speedMetersPerSecond }) =>
    [
      `${timeLabel(timeMs).slice(11)}000000`,
      (timeMs / 1000).toFixed(3),
      999,
      lat.toFixed(9),
      lon.toFixed(9),
      Math.round(speedMetersPerSecond * 2.237),
      108,
    ].join(','),
  );
  return `${rows.join('\n')}\n`;
}

/** Writes SpeedAngle's log: ten rows a second without a time, between which the drive is interpolated where it has others. */
export function writeSpeedAngle({ fixes, trueLaps }: SimulatedDrive): string {
  const [startMs, endMs] = [fixes[0]?.timeMs ?? 0, fixes.at(-1)?.timeMs ?? 0];
  const [date = '', time = ''] = timeLabel(startMs).split('T');
  const [year, month, day] = date.split('-');
  const rows: string[] = [];
  let index = 0;
  for (let timeMs = startMs; timeMs <= endMs; timeMs += 100) {
    while ((fixes[index + 1]?.timeMs ?? Number.POSITIVE_INFINITY) <= timeMs) index += 1;
    const { lat, lon, speedMetersPerSecond } = stateAt(fixes, index, timeMs);
    rows.push(
      `${lat.toFixed(7)},${lon.toFixed(7)},-32,-31,24,22,${Math.round(speedMetersPerSecond * 3.6)},-80,12,1,0`,
    );
  }
  const passes = passingTimes(trueLaps).flatMap((passMs) => {
    const seconds = (passMs - startMs) / 1000;
    const label = `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(3).padStart(6, '0')}`;
    return [`#1,${label}`, '100,194,0,0,31,-38'];
  });
  return [
    '; APEX Trace $Revision: 3.0.1 $ (c)2009-2014 SpeedAngle.com',
    '#V=4.0.0=',
    `#D=${month}-${day}-${year} ${time.slice(0, 8)}=`,
    '<timer #unit=KM/h>',
    ...passes,
    '</timer>',
    `<trace #pt=${rows.length}>`,
    ...rows,
    '</trace>',
    '',
  ].join('\n');
}
