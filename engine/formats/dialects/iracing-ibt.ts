/**
 * The telemetry of iRacing, a simulator: `.ibt`. Facts: the SDK that iRacing has published, TrackDataAnalysis, and a recording at the Red
 * Bull Ring.
 *
 * - A header, one about the disk file, a text in YAML, descriptions of the variables in 144 bytes each, then rows of all variables at an even
 *   rate, 60 a second. All is little-endian.
 * - The recording begins at a moment in seconds since 1970, while `SessionTime` counts from the start of the session.
 * - Latitude and longitude are those of the real track, in double floats, and 0 while the car is not on it.
 * - Pedals are shares from 0 to 1 though their unit is written as %, and steering is in radians.
 * - `Lap` counts the laps that were started; it changes with the first row behind the line.
 */
import type { ChannelName } from '../../channels.ts';
import { UnreadableLapFileError } from '../../lap-file.ts';
import { hasAscii, viewBytes, type BinaryLapFileFormat } from '../binary/binary-format.ts';
import { ChannelRecorder } from '../rows/channel-columns.ts';
import { LapFileRecorder } from '../rows/lap-file-format.ts';
import { LapNumberRuns } from '../rows/lap-number-runs.ts';

/** Reads what iRacing stores: `.ibt`. */
export const iracingIbt: BinaryLapFileFormat = {
  format: 'iracing-ibt',
  name: 'iRacing IBT',
  recognise: (bytes) => {
    if (bytes.length < HEADER_BYTES) return false;
    const view = viewBytes(bytes);
    const [version, textAt] = [view.getInt32(0, true), view.getInt32(20, true)];
    return (
      version > 0 &&
      version <= NEWEST_VERSION &&
      textAt >= LIVE_HEADER_BYTES &&
      hasAscii(bytes, textAt, '---')
    );
  },
  read: readIbt,
};

const NEWEST_VERSION = 9;
/** A header is shorter in memory, where the simulator has no positions; programs store copies of it under the same name. */
const LIVE_HEADER_BYTES = 112;
const HEADER_BYTES = 144;
const VARIABLE_BYTES = 144;
/** Recordings have some hundred variables. */
const VARIABLES_MAX = 5000;

/** Lists the bytes of the types: character, true or false, number, bits, single and double float. */
const TYPE_BYTES = [1, 1, 4, 4, 4, 8];
const [BOOLEAN, INTEGER, BITS, SINGLE, DOUBLE] = [1, 2, 3, 4, 5];

type Variable = { type: number; at: number };
type Sensor = { channel: ChannelName; column: number; factor: number; name: string };

/** Lists the variables that become channels. Those of the driver come before what the game makes of them. */
const SENSORS: readonly Sensor[] = [
  { channel: 'throttle', column: 0, factor: 100, name: 'Throttle' },
  { channel: 'brake', column: 1, factor: 100, name: 'Brake' },
  { channel: 'rpm', column: 2, factor: 1, name: 'RPM' },
  { channel: 'gear', column: 3, factor: 1, name: 'Gear' },
  { channel: 'steering', column: 4, factor: 180 / Math.PI, name: 'SteeringWheelAngle' },
  { channel: 'longitudinalAcceleration', column: 5, factor: 1, name: 'LongAccel' },
  { channel: 'lateralAcceleration', column: 6, factor: 1, name: 'LatAccel' },
];

const READ_NAMES = ['SessionTime', 'Lat', 'Lon', 'Speed', 'Lap', ...SENSORS.map(({ name }) => name)];

function readIbt(bytes: Uint8Array): ReturnType<BinaryLapFileFormat['read']> {
  const view = viewBytes(bytes);
  const [rowBytes, rowsAt] = [view.getInt32(36, true), view.getInt32(52, true)];
  const variables = readVariables(bytes, rowBytes);
  const [lat, lon, time] = ['Lat', 'Lon', 'SessionTime'].map((name) => variables.get(name));
  // Variables do not share their bytes, so that a row has room for those that are read.
  const readBytes = READ_NAMES.reduce(
    (sum, name) => sum + (TYPE_BYTES[variables.get(name)?.type ?? -1] ?? 0),
    0,
  );
  if (
    readBytes > rowBytes ||
    lat === undefined ||
    lon === undefined ||
    time === undefined ||
    rowsAt < HEADER_BYTES
  ) {
    throw new UnreadableLapFileError(
      'This iRacing recording has no positions with times in it; switch on the telemetry with Alt+L and drive again.',
    );
  }
  const rows: IbtRows = { view, rowBytes, rowsAt, count: Math.floor((bytes.length - rowsAt) / rowBytes) };
  // The moment at which the recording began, and the same in the time of the session.
  const zeroMs = 1000 * (view.getUint32(112, true) - view.getFloat64(120, true));
  return readRows(rows, { variables, lat, lon, time }, zeroMs);
}

type IbtRows = { view: DataView; rowBytes: number; rowsAt: number; count: number };
type IbtColumns = { variables: ReadonlyMap<string, Variable>; lat: Variable; lon: Variable; time: Variable };

function readRows(
  { view, rowBytes, rowsAt, count }: IbtRows,
  { variables, lat, lon, time }: IbtColumns,
  zeroMs: number,
): ReturnType<BinaryLapFileFormat['read']> {
  const recorder = new LapFileRecorder();
  const runs = new LapNumberRuns();
  const found = SENSORS.flatMap((sensor) => {
    const variable = variables.get(sensor.name);
    return variable === undefined ? [] : [{ ...sensor, variable }];
  });
  const channels = new ChannelRecorder(found);
  const [lap, speed] = [variables.get('Lap'), variables.get('Speed')];
  for (let row = 0; row < count; row += 1) {
    const value = ({ type, at }: Variable) => readNumber(view, rowsAt + row * rowBytes + at, type);
    const timeMs = zeroMs + 1000 * value(time);
    if (!recorder.add(timeMs, value(lat), value(lon), speed === undefined ? Number.NaN : value(speed)))
      continue;
    const index = recorder.length - 1;
    if (lap !== undefined) runs.see(value(lap), index);
    for (const { channel, factor, variable } of found) channels.set(channel, index, factor * value(variable));
  }
  const { isReordered, ...recorded } = recorder.finish(() => 'utc', 1, channels.finish(recorder.length));
  return {
    ...recorded,
    loggerLaps: isReordered ? [] : runs.finish(recorded.fixes.timesMs),
    isSimulated: true,
  };
}

/** Reads the descriptions of the variables that lie within a row, by name. */
function readVariables(bytes: Uint8Array, rowBytes: number): Map<string, Variable> {
  const view = viewBytes(bytes);
  const count = Math.min(view.getInt32(24, true), VARIABLES_MAX);
  const variables = new Map<string, Variable>();
  let start = view.getInt32(28, true);
  for (let index = 0; index < count; index += 1, start += VARIABLE_BYTES) {
    if (start < 0 || start + VARIABLE_BYTES > bytes.length) break;
    const [type, at] = [view.getInt32(start, true), view.getInt32(start + 4, true)];
    const sizeBytes = TYPE_BYTES[type] ?? Number.NaN;
    const name = String.fromCharCode(...bytes.subarray(start + 16, start + 48)).split('\0', 1)[0] ?? '';
    if (at >= 0 && at + sizeBytes <= rowBytes && !variables.has(name)) variables.set(name, { type, at });
  }
  return variables;
}

function readNumber(view: DataView, at: number, type: number): number {
  if (type === DOUBLE) return view.getFloat64(at, true);
  if (type === SINGLE) return view.getFloat32(at, true);
  if (type === INTEGER) return view.getInt32(at, true);
  if (type === BITS) return view.getUint32(at, true);
  return type === BOOLEAN ? view.getUint8(at) : Number.NaN;
}
