import { lapNumberAt, passingTimes, timeLabel } from './drive-samples.ts';
import type { DrivenFix, SimulatedDrive } from './drive.ts';

/** Describes what of a drive the GPX file contains. */
export type GpxOptions = {
  /** 1.0 has the speed beside the time, 1.1 in an extension. */
  version?: '1.0' | '1.1';
  /** Begins a segment with every lap, as some loggers do, instead of one for the whole drive. */
  segmentPerLap?: boolean;
  driverName?: string;
};

/** A drive as a GPX file. */
export function writeGpx(drive: SimulatedDrive, options: GpxOptions = {}): string {
  const { version = '1.1', segmentPerLap = false, driverName } = options;
  const segments = segmentPerLap ? splitByLap(drive) : [drive.fixes];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<gpx version="${version}" creator="Pitboard simulated drive" xmlns="http://www.topografix.com/GPX/${version.replace('.', '/')}"` +
      ' xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">',
    ...(driverName === undefined ? [] : [`<metadata><author><name>${driverName}</name></author></metadata>`]),
    '<trk><name>Simulated drive</name>',
    ...segments.flatMap((fixes) => [
      '<trkseg>',
      ...fixes.map((fix) => trackPoint(fix, version)),
      '</trkseg>',
    ]),
    '</trk>',
    '</gpx>',
    '',
  ].join('\n');
}

function trackPoint(fix: DrivenFix, version: '1.0' | '1.1'): string {
  const time = `<time>${timeLabel(fix.timeMs)}Z</time>`;
  return `<trkpt lat="${fix.lat.toFixed(7)}" lon="${fix.lon.toFixed(7)}">${time}${speed(fix, version)}</trkpt>`;
}

function speed({ speedMetersPerSecond }: DrivenFix, version: '1.0' | '1.1'): string {
  if (Number.isNaN(speedMetersPerSecond)) return '';
  const value = speedMetersPerSecond.toFixed(2);
  if (version === '1.0') return `<speed>${value}</speed>`;
  const extension = `<gpxtpx:TrackPointExtension><gpxtpx:speed>${value}</gpxtpx:speed></gpxtpx:TrackPointExtension>`;
  return `<extensions>${extension}</extensions>`;
}

/** A new segment begins with the first fix after each passing of the line. */
function splitByLap({ fixes, trueLaps }: SimulatedDrive): DrivenFix[][] {
  const lapCount = passingTimes(trueLaps).length + 1;
  return Array.from({ length: lapCount }, (_, lap) =>
    fixes.filter((fix) => lapNumberAt(trueLaps, fix.timeMs) === lap),
  );
}
