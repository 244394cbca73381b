import { CHANNEL_NAMES, type ChannelName } from '../channels.ts';
import { STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED } from '../comparison/accelerations.ts';
import { at } from '../fix-columns.ts';
import { bearingDegrees, roughDistanceMeters, toPosition, type Position } from '../geo.ts';
import { toLineFrame } from '../timing-line.ts';
import { hasDate, oneLine, type ExportedDrive } from './exported-drive.ts';
import { formatDecimal, formatIsoTime, hasValues, inPieces, isWhole } from './exported-numbers.ts';
import { DAY_MS } from '../durations.ts';

type Column = { name: string; header: string; cell: (fix: number) => string };

/**
 * Writes a drive in Racelogic's VBO format: times of day, minutes in all with west positive, km/h, and the line in
 * `[laptiming]` as its middle and a point behind it. The file has one date, that of its first row, and no parts. Columns
 * of which nothing is known are left out; single unknown values are `nan`. The satellites are left out, too: the format has no
 * number for unknown, and 0 is a receiver without a fix.
 */
export function writeVbo(drive: ExportedDrive): Iterable<string> {
  return inPieces(writeLines(drive));
}

function* writeLines(drive: ExportedDrive): Generator<string> {
  const { fixes } = drive;
  const columns = listColumns(drive);
  if (hasDate(drive) && fixes.length > 0) {
    const [date = '', time = ''] = formatIsoTime(at(fixes.timesMs, 0), false).split('T');
    yield `File created on ${date.split('-').toReversed().join('/')} at ${time.slice(0, 8)}\r\n\r\n`;
  }
  yield ['[header]', ...columns.map(({ header }) => header), '', '[comments]'].join('\r\n');
  yield `\r\nTitle: ${oneLine(drive.title)}\r\nWritten by Pitboard\r\n\r\n`;
  yield* writeStart(drive);
  yield `[column names]\r\n${columns.map(({ name }) => name).join(' ')}\r\n\r\n[data]\r\n`;
  for (let fix = 0; fix < fixes.length; fix += 1)
    if (isWhole(fixes, fix)) yield `${columns.map(({ cell }) => cell(fix)).join(' ')}\r\n`;
}

/** The second point lies so far behind the line in the files of Racelogic. */
const BEHIND_METERS = 35;

function* writeStart({ startFinishLine }: ExportedDrive): Generator<string> {
  const frame = startFinishLine && toLineFrame(startFinishLine);
  if (!frame) return;
  const { plane, forward } = frame;
  const behind = toPosition(plane, { x: -forward.x * BEHIND_METERS, y: -forward.y * BEHIND_METERS });
  yield `[laptiming]\r\nStart ${lonFirst(plane.origin)} ${lonFirst(behind)} Start / Finish\r\n\r\n`;
}

function lonFirst({ lat, lon }: Position): string {
  return `${formatMinutes(-lon)} ${formatMinutes(lat)}`;
}

function listColumns(drive: ExportedDrive): Column[] {
  const { fixes, receiverRateHz } = drive;
  const { timesMs, lats, lons, speedsMetersPerSecond: speeds, channels } = fixes;
  return [
    { name: 'time', header: 'time', cell: (fix) => formatTimeOfDay(at(timesMs, fix)) },
    { name: 'lat', header: 'latitude', cell: (fix) => formatMinutes(at(lats, fix)) },
    { name: 'long', header: 'longitude', cell: (fix) => formatMinutes(-at(lons, fix)) },
    ...(hasValues(speeds)
      ? [{ name: 'velocity', header: 'velocity kmh', cell: cellOf(speeds, 4, 3.6) }]
      : []),
    { name: 'heading', header: 'heading', cell: headingsOf(drive) },
    ...(receiverRateHz === null
      ? []
      : [
          {
            name: 'device_update_rate',
            header: 'device update rate',
            cell: () => formatDecimal(receiverRateHz, 3),
          },
        ]),
    ...CHANNEL_NAMES.flatMap((channel) => {
      const values = channels?.[channel];
      const { name, scale = 1 } = CHANNEL_COLUMNS[channel];
      return hasValues(values)
        ? [{ name, header: name.replaceAll('_', ' '), cell: cellOf(values, 4, scale) }]
        : [];
    }),
  ];
}

/** A path this long has a direction that the noise of a receiver leaves alone. */
const HEADING_METERS = 1;
const MOST_NEIGHBOURS = 25;

/**
 * Returns a cell with the direction of travel, from the nearest fixes before and behind that lie far enough apart; it is asked for
 * the fixes in their order. A car that does not move keeps the direction it had.
 */
function headingsOf({ fixes: { lats, lons, length }, partStarts }: ExportedDrive): Column['cell'] {
  const positionAt = (fix: number) => ({ lat: at(lats, fix), lon: at(lons, fix) });
  let part = 0;
  let heading = 'nan';
  return (fix) => {
    while (fix >= (partStarts[part + 1] ?? length)) part += 1;
    const [start, end] = [partStarts[part] ?? 0, partStarts[part + 1] ?? length];
    for (let step = 1; step <= MOST_NEIGHBOURS; step += 1) {
      const [from, to] = [Math.max(start, fix - step), Math.min(end - 1, fix + step)];
      if (!(roughDistanceMeters(lats, lons, from, to) >= HEADING_METERS)) continue;
      const hundredths = Math.round(100 * bearingDegrees(positionAt(from), positionAt(to))) % 36_000;
      heading = (hundredths / 100).toFixed(2).padStart(6, '0');
      break;
    }
    return heading;
  };
}

function cellOf(column: Float64Array, decimals: number, scale: number): Column['cell'] {
  return (fix) => (Number.isNaN(at(column, fix)) ? 'nan' : formatDecimal(scale * at(column, fix), decimals));
}

const CHANNEL_COLUMNS: Record<ChannelName, { name: string; scale?: number }> = {
  throttle: { name: 'throttle_pos' },
  brake: { name: 'brake_pos' },
  brakePressure: { name: 'pbrake_f' },
  rpm: { name: 'rpm' },
  gear: { name: 'gear' },
  steering: { name: 'steering_angle' },
  longitudinalAcceleration: {
    name: 'longitudinal_acc',
    scale: 1 / STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED,
  },
  lateralAcceleration: { name: 'lateral_acc', scale: 1 / STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED },
};

/** Formats the time of day: `062826.960`, in microseconds where it has parts of a millisecond. */
function formatTimeOfDay(timeMs: number): string {
  const time = formatIsoTime(((timeMs % DAY_MS) + DAY_MS) % DAY_MS, false);
  return time.slice(time.indexOf('T') + 1).replaceAll(':', '');
}

/** Formats degrees as minutes, with a sign and zeros in front that tell them from degrees. */
function formatMinutes(degrees: number): string {
  const digits = Math.abs(degrees * 60).toFixed(8);
  return (degrees < 0 ? '-' : '+') + digits.padStart(MINUTES_WIDTH, '0');
}

// Five digits, the point and eight decimals.
const MINUTES_WIDTH = 14;
