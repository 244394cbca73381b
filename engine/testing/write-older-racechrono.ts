import { lapNumberAt, passingTimes, timeLabel } from '../simulation/drive-samples.ts';
import type { SimulatedDrive } from '../simulation/drive.ts';
import { DAY_MS } from '../durations.ts';

/** A drive as RaceChrono's CSV v1: seconds since midnight, and the date only in the preamble. */
export function writeRaceChronoV1(drive: SimulatedDrive): string {
  const startMs = drive.fixes[0]?.timeMs ?? 0;
  const [date = '', time = ''] = timeLabel(startMs).split('T');
  const header =
    'Lap #,Timestamp (s),Locked satellites,Latitude (deg),Longitude (deg),Speed (m/s),Speed (km/h),Trap name';
  const rows = drive.fixes.map(({ timeMs, lat, lon, speedMetersPerSecond }) =>
    [
      lapCell(drive, timeMs, 'N/A'),
      ((timeMs % DAY_MS) / 1000).toFixed(3),
      13,
      lat.toFixed(7),
      lon.toFixed(7),
      speedMetersPerSecond.toFixed(3),
      (speedMetersPerSecond * 3.6).toFixed(2),
      '',
    ].join(','),
  );
  const preamble = [
    'This file is created using RaceChrono v10.2.3 ( http://racechrono.com/ ).',
    '',
    'Session title,"Kart track"',
    `Created,${date.split('-').toReversed().join('/')},${time.slice(0, 5)}`,
    'Note,',
    '',
  ];
  return [...preamble, header, ...rows, ''].join('\n');
}

/** A drive as RaceChrono's CSV v2: seconds since 1970, and sources behind the names of columns. */
export function writeRaceChronoV2(drive: SimulatedDrive): string {
  const header =
    'Time (s),Session fragment #,Lap #,Trap name,Speed (m/s),Latitude (deg),Longitude (deg),Speed (m/s) *obd';
  const rows = drive.fixes.map(({ timeMs, lat, lon, speedMetersPerSecond }) =>
    [
      (timeMs / 1000).toFixed(3),
      0,
      lapCell(drive, timeMs, ''),
      '',
      speedMetersPerSecond.toFixed(3),
      lat.toFixed(7),
      lon.toFixed(7),
      '0.0',
    ].join(','),
  );
  const preamble = [
    'This file is created using RaceChrono Pro v9.1.3 ( http://racechrono.com/ ).',
    'Format,2,"Format 1 = static columns","Format 2 = new format with dynamic columns."',
    'Session title,"Kart track"',
    '',
  ];
  return [...preamble, header, ...rows, ''].join('\n');
}

function lapCell({ trueLaps }: SimulatedDrive, timeMs: number, outside: string): string {
  const lap = lapNumberAt(trueLaps, timeMs);
  return lap === 0 || lap === passingTimes(trueLaps).length ? outside : String(lap);
}
