import { bearingDegrees, distanceMeters } from '../geo.ts';
import { lapNumberAt, passingTimes, shortDecimal, stateAt, timeLabel } from './drive-samples.ts';
import type { DrivenFix, SimulatedDrive } from './drive.ts';

/** Describes what is exported, and how the logger was set up. */
export type RaceChronoOptions = {
  /** Rate at which the other sensors of the logger write a row of their own. */
  sensorRateHz?: number;
  /** Only this lap with a few seconds around it, like the export of a single lap; 1 for the first timed lap. */
  onlyLap?: number;
  /** False for a car without a connection to the phone: no columns from its data bus. */
  hasCarChannels?: boolean;
  driverName?: string;
  trackName?: string;
};

/**
 * A drive as RaceChrono's CSV v3 export: rows of all sensors with positions interpolated between the fixes, and a row put in at every
 * passing of the line and of the sector lines, with its exact elapsed time.
 */
export function writeRaceChronoV3(drive: SimulatedDrive, options: RaceChronoOptions = {}): string {
  const startMs = Math.floor(drive.fixes[0]?.timeMs ?? 0);
  const { fromMs, toMs } = exportedSpan(drive, options.onlyLap);
  const columnCount = (options.hasCarChannels ?? true) ? COLUMNS.length : RECEIVER_COLUMNS;
  const lines = [...preamble(startMs, options), ...headerLines(columnCount)];
  const rateHz = shortDecimal(fixRateHz(drive.fixes), 1);
  const meters = metersAtFixes(drive.fixes);
  let fix = 0;
  for (const { timeMs, isCrossing } of rowTimes(drive, options.sensorRateHz ?? 20)) {
    while (isAtOrBefore(drive.fixes[fix + 1], timeMs)) fix++;
    if (timeMs < fromMs || timeMs > toMs) continue;
    const lap = lapNumberAt(drive.trueLaps, timeMs);
    const row = { timeMs, isCrossing, startMs, fix, lap, rateHz, meters: meters[fix] ?? 0 };
    lines.push(rowCells(drive, row).slice(0, columnCount).join(','));
  }
  return `${lines.join('\r\n')}\r\n`;
}

function isAtOrBefore(fix: DrivenFix | undefined, timeMs: number): boolean {
  return fix !== undefined && fix.timeMs <= timeMs;
}

function metersAtFixes(fixes: readonly DrivenFix[]): number[] {
  let meters = 0;
  return fixes.map((fix, index) => (meters += distanceMeters(fixes[index - 1] ?? fix, fix)));
}

function fixRateHz(fixes: readonly DrivenFix[]): number {
  const spanMs = (fixes.at(-1)?.timeMs ?? 0) - (fixes[0]?.timeMs ?? 0);
  return Math.round((1000 * (fixes.length - 1)) / Math.max(1, spanMs));
}

function preamble(
  startMs: number,
  { driverName = '', trackName = 'Simulated drive' }: RaceChronoOptions,
): string[] {
  const [date, time] = timeLabel(startMs).split('T');
  const [year, month, day] = (date ?? '').split('-');
  return [
    'This file is created using RaceChrono Pro v9.1.3 ( http://racechrono.com/ ).',
    'Format,3',
    'Session title,"Simulated drive"',
    'Session type,Lap timing',
    `Track name,"${trackName}"`,
    `Driver name,${driverName === '' ? '' : `"${driverName}"`}`,
    `Created,${day}/${month}/${year},${time?.slice(0, 5)}`,
    'Note,"Nobody drove this, and nobody ""was hurt"""',
    '',
  ];
}

const COLUMNS: readonly [name: string, unit: string, source: string][] = [
  ['timestamp', 'unix time', ''],
  ['fragment_id', '', ''],
  ['lap_number', '', ''],
  ['elapsed_time', 's', ''],
  ['distance_traveled', 'm', ''],
  ['accuracy', 'm', '100: gps'],
  ['altitude', 'm', '100: gps'],
  ['bearing', 'deg', '100: gps'],
  ['device_update_rate', 'Hz', '100: gps'],
  ['fix_type', '', '100: gps'],
  ['latitude', 'deg', '100: gps'],
  ['longitude', 'deg', '100: gps'],
  ['satellites', 'sats', '100: gps'],
  ['speed', 'm/s', '100: gps'],
  ['combined_acc', 'G', 'calc'],
  ['device_update_rate', 'Hz', 'calc'],
  ['lateral_acc', 'G', 'calc'],
  ['lean_angle', 'deg', 'calc'],
  ['longitudinal_acc', 'G', 'calc'],
  ['speed', 'm/s', 'calc'],
  ['accelerator_pos', '%', '200: canbus'],
  ['air_temp', '.C', '200: canbus'],
  ['brake_pos', '%', '200: canbus'],
  ['coolant_temp', '.C', '200: canbus'],
  ['engine_oil_temp', '.C', '200: canbus'],
  ['fuel_level', '%', '200: canbus'],
  ['gear', '', '200: canbus'],
  ['rpm', 'rpm', '200: canbus'],
  ['speed', 'm/s', '200: canbus'],
  ['throttle_pos', '%', '200: canbus'],
];

// The columns of the receiver and what is calculated from them come first.
const RECEIVER_COLUMNS = COLUMNS.findIndex(([, , source]) => source === '200: canbus');

function headerLines(columnCount: number): string[] {
  return [0, 1, 2].map((part) =>
    COLUMNS.slice(0, columnCount)
      .map((column) => column[part])
      .join(','),
  );
}

type RowTime = { timeMs: number; isCrossing: boolean };

/** Returns the fixes and the rows of the other sensors, in whole milliseconds, and the moments at the lines, all in order. */
function rowTimes(drive: SimulatedDrive, sensorRateHz: number): RowTime[] {
  const fixTimes = drive.fixes.map((fix) => Math.round(fix.timeMs));
  const [first = 0, last = 0] = [fixTimes[0], fixTimes.at(-1)];
  const sensorRows = Math.floor(((last - first) / 1000) * sensorRateHz);
  const sensorTimes = Array.from(
    { length: sensorRows },
    (_, row) => first + Math.round((1000 * row) / sensorRateHz),
  );
  const ordinary = [...new Set([...fixTimes, ...sensorTimes])].map((timeMs) => ({
    timeMs,
    isCrossing: false,
  }));
  const crossings = crossingTimes(drive).map((timeMs) => ({ timeMs, isCrossing: true }));
  return [...ordinary, ...crossings].toSorted((a, b) => a.timeMs - b.timeMs);
}

function crossingTimes(drive: SimulatedDrive): number[] {
  const splits = drive.trueLaps.flatMap((lap) => {
    let timeMs = lap.startTimeMs;
    return lap.sectorTimesMs.slice(0, -1).map((sectorMs) => (timeMs += sectorMs));
  });
  return [...passingTimes(drive.trueLaps), ...splits];
}

// RaceChrono adds this much to the export of a single lap.
const MARGIN_MS = 4000;

function exportedSpan(drive: SimulatedDrive, onlyLap: number | undefined): { fromMs: number; toMs: number } {
  const lap = onlyLap === undefined ? undefined : drive.trueLaps[onlyLap - 1];
  if (lap === undefined) return { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
  return { fromMs: lap.startTimeMs - MARGIN_MS, toMs: lap.startTimeMs + lap.lapTimeMs + MARGIN_MS };
}

type Row = RowTime & {
  startMs: number;
  /** The fix at or before the row, and how far the car had gone there. */
  fix: number;
  meters: number;
  lap: number;
  rateHz: string;
};

function rowCells(
  drive: SimulatedDrive,
  { timeMs, isCrossing, startMs, fix, meters, lap, rateHz }: Row,
): (string | number)[] {
  const state = stateAt(drive.fixes, fix, timeMs);
  const { lat, lon, speedMetersPerSecond: speed } = state;
  const [before = state, after = state] = [drive.fixes[fix], drive.fixes[fix + 1]];
  const elapsed = (timeMs - startMs) / 1000;
  // The values are invented, but as long and as varied as those of a real car.
  const wave = Math.sin(timeMs / 700);
  return [
    (Math.round(timeMs) / 1000).toString(),
    '0',
    lap === 0 ? '' : lap,
    isCrossing ? elapsed.toFixed(5) : shortDecimal(elapsed, 3),
    shortDecimal(meters + distanceMeters(before, state), 5),
    '0.5',
    shortDecimal(120 + 10 * wave, 3),
    shortDecimal(bearingDegrees(before, after), 2),
    rateHz,
    '3.0',
    lat.toFixed(7),
    lon.toFixed(7),
    '14.0',
    shortDecimal(speed, 5),
    shortDecimal(Math.abs(wave), 5),
    '20.0',
    shortDecimal(wave, 5),
    shortDecimal(40 * wave, 5),
    shortDecimal(-wave / 2, 5),
    shortDecimal(speed, 5),
    shortDecimal(50 + 50 * wave, 5),
    '21.0',
    shortDecimal(Math.max(0, -100 * wave), 3),
    shortDecimal(91 + wave, 3),
    shortDecimal(109 + wave, 3),
    '44.0',
    '4',
    shortDecimal(5000 + 2500 * wave, 5),
    shortDecimal(speed * 1.01, 5),
    shortDecimal(50 + 49 * wave, 5),
  ];
}
