import { CHANNEL_NAMES, type ChannelName } from '../channels.ts';
import { STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED } from '../comparison/accelerations.ts';
import { at } from '../fix-columns.ts';
import { writeCsvCell } from './csv-cell.ts';
import { hasDate, oneLine, type ExportedDrive } from './exported-drive.ts';
import {
  DEGREE_DECIMALS,
  formatDecimal,
  formatIsoTime,
  formatSeconds,
  hasValues,
  inPieces,
  isWhole,
} from './exported-numbers.ts';

type Column = { name: string; unit: string; source: string; cell: (fix: number) => string };

/**
 * Writes a drive as CSV in RaceChrono's third version: names, units and sources in three rows, a fragment for every
 * part, and the number of the lap in every row of one. `timestamp` is Unix time, so only times in UTC have it; others
 * have the elapsed time alone.
 */
export function writeRaceChronoCsv(drive: ExportedDrive): Iterable<string> {
  return inPieces(writeLines(drive));
}

function* writeLines(drive: ExportedDrive): Generator<string> {
  const { fixes } = drive;
  yield* writePreamble(drive);
  const columns = listColumns(drive);
  yield `${columns.map(({ name }) => name).join(',')}\r\n`;
  yield `${columns.map(({ unit }) => unit).join(',')}\r\n`;
  yield `${columns.map(({ source }) => source).join(',')}\r\n`;
  for (let fix = 0; fix < fixes.length; fix += 1)
    if (isWhole(fixes, fix)) yield `${columns.map(({ cell }) => cell(fix)).join(',')}\r\n`;
}

function* writePreamble(drive: ExportedDrive): Generator<string> {
  yield "This file is created using RaceChrono's CSV format by Pitboard.\r\nFormat,3\r\n";
  yield `Session title,${writeCsvCell(oneLine(drive.title), { isQuoted: true })}\r\nSession type,Lap timing\r\n`;
  if (hasDate(drive) && drive.fixes.length > 0) {
    const [date = '', time = ''] = formatIsoTime(at(drive.fixes.timesMs, 0), false).split('T');
    yield `Created,${date.split('-').toReversed().join('/')},${time.slice(0, 5)}\r\n`;
  }
  yield '\r\n';
}

const RECEIVER = '100: gps';
const CAR = '200: canbus';

function listColumns(drive: ExportedDrive): Column[] {
  const { fixes, receiverRateHz } = drive;
  const { timesMs, lats, lons, speedsMetersPerSecond: speeds, channels } = fixes;
  const isUtc = drive.clock === 'utc';
  const firstMs = at(timesMs, 0);
  const sinceFirst = (fix: number) => at(timesMs, fix) - firstMs;
  return [
    ...(isUtc
      ? [
          {
            name: 'timestamp',
            unit: 'unix time',
            source: '',
            cell: (fix: number) => formatSeconds(at(timesMs, fix)),
          },
        ]
      : []),
    { name: 'fragment_id', unit: '', source: '', cell: countParts(drive) },
    { name: 'lap_number', unit: '', source: '', cell: findLapNumbers(drive) },
    {
      name: 'elapsed_time',
      unit: 's',
      source: '',
      // Parts of a millisecond mark rows that RaceChrono puts in at a line.
      cell: (fix) => formatSeconds(isUtc ? Math.round(sinceFirst(fix)) : sinceFirst(fix)),
    },
    ...(receiverRateHz === null
      ? []
      : [
          {
            name: 'device_update_rate',
            unit: 'Hz',
            source: RECEIVER,
            cell: () => formatDecimal(receiverRateHz, 3),
          },
        ]),
    { name: 'latitude', unit: 'deg', source: RECEIVER, cell: cellOf(lats, DEGREE_DECIMALS) },
    { name: 'longitude', unit: 'deg', source: RECEIVER, cell: cellOf(lons, DEGREE_DECIMALS) },
    ...(hasValues(speeds) ? [{ name: 'speed', unit: 'm/s', source: RECEIVER, cell: cellOf(speeds, 4) }] : []),
    ...CHANNEL_NAMES.flatMap((channel) => {
      const values = channels?.[channel];
      const { name, unit, scale = 1 } = CHANNEL_COLUMNS[channel];
      return hasValues(values) ? [{ name, unit, source: CAR, cell: cellOf(values, 4, scale) }] : [];
    }),
  ];
}

function cellOf(column: Float64Array, decimals: number, scale = 1): Column['cell'] {
  return (fix) => (Number.isNaN(at(column, fix)) ? '' : formatDecimal(scale * at(column, fix), decimals));
}

const CHANNEL_COLUMNS: Record<ChannelName, { name: string; unit: string; scale?: number }> = {
  throttle: { name: 'accelerator_pos', unit: '%' },
  brake: { name: 'brake_pos', unit: '%' },
  brakePressure: { name: 'brake_pressure', unit: 'bar' },
  rpm: { name: 'rpm', unit: 'rpm' },
  gear: { name: 'gear', unit: '' },
  steering: { name: 'steering_angle', unit: 'deg' },
  longitudinalAcceleration: {
    name: 'longitudinal_acc',
    unit: 'G',
    scale: 1 / STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED,
  },
  lateralAcceleration: {
    name: 'lateral_acc',
    unit: 'G',
    scale: 1 / STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED,
  },
};

/** Returns a cell that counts the parts; it is asked for the fixes in their order. */
function countParts({ partStarts }: ExportedDrive): (fix: number) => string {
  let part = 0;
  return (fix) => {
    while (fix >= (partStarts[part + 1] ?? Number.POSITIVE_INFINITY)) part += 1;
    return String(part);
  };
}

/**
 * Returns a cell with the number of the lap that a fix belongs to; it is asked for the fixes in their order. The first fix at
 * the start of a lap or behind it changes the number.
 */
function findLapNumbers({ laps, fixes }: ExportedDrive): (fix: number) => string {
  let next = 0;
  return (fix) => {
    const timeMs = at(fixes.timesMs, fix);
    for (
      let lap = laps[next];
      lap !== undefined && timeMs >= lap.startTimeMs + lap.lapTimeMs;
      lap = laps[next]
    )
      next += 1;
    const lap = laps[next];
    return lap === undefined || timeMs < lap.startTimeMs ? '' : String(lap.number);
  };
}
