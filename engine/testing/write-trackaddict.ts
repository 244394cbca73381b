import { lapNumberAt, passingTimes, timeLabel } from '../simulation/drive-samples.ts';
import type { DrivenFix, SimulatedDrive } from '../simulation/drive.ts';

/** Describes how the app was set up. */
export type TrackAddictOptions = {
  /** Unit that the driver has set in the app. */
  speedUnit?: 'Km/h' | 'MPH' | 'm/s';
  /** False for a file of version 3, which had no `UTC Time`. */
  hasUtcTime?: boolean;
};

/**
 * A drive as TrackAddict's log: twenty rows a second that repeat the last fix, a flag on the row of a new one, and comments between
 * the rows that give the lap times.
 */
export function writeTrackAddict(drive: SimulatedDrive, options: TrackAddictOptions = {}): string {
  const { speedUnit = 'Km/h', hasUtcTime = true } = options;
  const startMs = drive.fixes[0]?.timeMs ?? 0;
  const header = COLUMNS.filter((name) => hasUtcTime || name !== 'UTC Time').map((name) => `"${name}"`);
  const lines = [...PREAMBLE, header.join(',').replace('Speed', `Speed (${speedUnit})`)];
  let lap = 0;
  for (const { fix, rowMs } of formatRows(drive)) {
    for (const nextLap = lapNumberAt(drive.trueLaps, rowMs); lap < nextLap; lap++)
      lines.push(lapComment(drive, startMs, lap));
    const seconds = (rowMs - startMs) / 1000;
    const times = hasUtcTime ? [seconds, rowMs / 1000] : [seconds];
    const cells = [
      ...times.map((time) => time.toFixed(3)),
      lap,
      '0,0',
      rowMs === fix.timeMs ? 1 : 0,
      '0.000',
      fix.lat.toFixed(7),
      fix.lon.toFixed(7),
      (fix.speedMetersPerSecond / METERS_PER_SECOND_IN[speedUnit]).toFixed(1),
      '0.0,6.0,0.01,-0.02,0.98',
    ];
    lines.push(cells.join(','));
  }
  return `${[...lines, '# Session End'].join('\n')}\n`;
}

/** Formats every fix in the row of its own time, and again in rows until the next one. */
function formatRows({ fixes }: SimulatedDrive): { fix: DrivenFix; rowMs: number }[] {
  return fixes.flatMap((fix, index) => {
    const untilMs = fixes[index + 1]?.timeMs ?? fix.timeMs + 1;
    const count = Math.ceil((untilMs - fix.timeMs) / ROW_INTERVAL_MS);
    return Array.from({ length: count }, (_, row) => ({ fix, rowMs: fix.timeMs + row * ROW_INTERVAL_MS }));
  });
}

/** Returns the official time of a lap, written where it ends. The way to the first passing is lap 0. */
function lapComment(drive: SimulatedDrive, startMs: number, lap: number): string {
  const passings = passingTimes(drive.trueLaps);
  const durationMs = (passings[lap] ?? 0) - (passings[lap - 1] ?? startMs);
  return `# Lap ${lap}: ${timeLabel(durationMs).slice(11)}`;
}

const ROW_INTERVAL_MS = 50;

const METERS_PER_SECOND_IN = { 'Km/h': 1 / 3.6, MPH: 0.44704, 'm/s': 1 };

const PREAMBLE = [
  '# RaceRender Data: TrackAddict 4.8.2 on iOS 26.0 [iPhone14,2] (Mode: 0)',
  '# End Point: 0.00000, 0.00000  @ -1.00 deg',
  '# GPS: iOS; Mode: iOS',
];

const COLUMNS = [
  'Time',
  'UTC Time',
  'Lap',
  'Predicted Lap Time',
  'Predicted vs Best Lap',
  'GPS_Update',
  'GPS_Delay',
  'Latitude',
  'Longitude',
  'Speed',
  'Heading',
  'Accuracy (m)',
  'Accel X',
  'Accel Y',
  'Accel Z',
];
