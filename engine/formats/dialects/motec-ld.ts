/**
 * The log of MoTeC's dashes and loggers: `.ld`; converters and simulators write it as well. Facts: TrackDataAnalysis and ldparser, which have
 * found them out, a log of an ADL and one of a converter.
 *
 * - A header with a list of channels, each of which points to the next and to its values at a rate of its own. All is little-endian.
 * - A value is what is stored, times a multiplier, by a scale and a power of ten, plus an offset. ldparser multiplies the offset, too;
 *   TrackDataAnalysis did so at first and corrected it, and a reader for logs of Le Mans Ultimate found the values wrong by it.
 *   No log at hand has an offset.
 * - Date and time of the start are those of the track, to the second; the day comes first.
 * - GPS channels of a converter are single floats: 1 to 2 m at longitudes beyond 128°. Those of M1 ECUs (M130 and its like) are
 *   double floats, and their unit is where others have the short name (gotzl/ldparser#18, #19).
 * - The passes over the line are in the `.ldx` beside the log, in microseconds with as many digits as the writer liked. They are read where
 *   both are in one ZIP archive. The channel `Beacon` is left out: what is known of it is up to 13 ms off the lap times of the dash.
 */
import { UnreadableLapFileError, type LoggerLap } from '../../lap-file.ts';
import { viewBytes, type BinaryLapFileFormat } from '../binary/binary-format.ts';
import { chooseSensors, sampleAll, type ChannelSeries } from '../binary/channel-series.ts';
import { readMotecHeader, readMotecValue, type MotecChannel, type MotecLog } from '../binary/motec-log.ts';
import { namesSimulator } from '../simulators.ts';
import { LapFileRecorder, type LapFileContent } from '../rows/lap-file-format.ts';
import { roundingBetween } from '../rows/lap-rounding.ts';
import { metersPerSecondIn } from '../rows/speed-unit.ts';
import { parseColumnHead } from '../text/csv-header.ts';
import { XmlScanner, xmlName } from '../text/xml-scanner.ts';
import { lapsBetween, LATITUDE_NAMES, LONGITUDE_NAMES } from './beacon-csv.ts';
import { MOTEC_SPEED_NAMES } from './motec-csv.ts';

/** Reads what MoTeC's dashes store: `.ld`. */
export const motecLd: BinaryLapFileFormat = {
  format: 'motec-ld',
  name: 'MoTeC LD',
  recognise: (bytes) => {
    const view = viewBytes(bytes);
    if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== MARK || view.getUint32(4, true) !== 0)
      return false;
    return view.getUint32(8, true) >= HEADER_BYTES && (bytes[DATE_AT] === 0 || isDigit(bytes[DATE_AT]));
  },
  read: (bytes) => readMotecLog(bytes, null),
};

const MARK = 64;
const DATE_AT = 94;
const HEADER_BYTES = 158;

function isDigit(byte = 0): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Reads a log with the passes over the line in the `.ldx` beside it, where there is one. */
export function readMotecLog(bytes: Uint8Array, lapList: Uint8Array | null): LapFileContent {
  const log = readMotecHeader(bytes);
  const find = (names: readonly string[]) => findChannel(log.channels, names);
  const [lat, lon, speed] = [LATITUDE_NAMES, LONGITUDE_NAMES, MOTEC_SPEED_NAMES].map(find);
  if (lat === undefined || lon === undefined) {
    throw new UnreadableLapFileError(
      'This MoTeC log has no channels with GPS latitude and longitude; let the dash log them, or upload the file of a GPS logger.',
    );
  }
  if (lat.rateHz !== lon.rateHz) {
    throw new UnreadableLapFileError(
      `This MoTeC log has latitudes ${lat.rateHz} and longitudes ${lon.rateHz} times a second; let the dash log both at the same rate.`,
    );
  }
  const view = viewBytes(bytes);
  const recorder = new LapFileRecorder();
  const moments: number[] = [];
  const count = Math.min(lat.count, lon.count);
  for (let index = 0; index < count; index += 1) {
    const timeMs = (1000 * index) / lat.rateHz;
    const speedIndex = speed === undefined ? -1 : Math.floor((index * speed.rateHz) / lat.rateHz);
    const isFix = recorder.add(
      timeMs,
      readMotecValue(view, lat, index),
      readMotecValue(view, lon, index),
      speed === undefined ? Number.NaN : readMotecValue(view, speed, speedIndex),
    );
    if (isFix) moments.push(timeMs);
  }
  return finish(
    recorder,
    { log, lapList, endMs: (1000 * count) / lat.rateHz },
    {
      speedUnit: metersPerSecondIn(speed?.unit ?? ''),
      channels: sampleAll(readSensors(view, log.channels), Float64Array.from(moments)),
    },
  );
}

function finish(
  recorder: LapFileRecorder,
  { log, lapList, endMs }: { log: MotecLog; lapList: Uint8Array | null; endMs: number },
  { speedUnit, channels }: { speedUnit: number | null; channels: ReturnType<typeof sampleAll> },
): LapFileContent {
  const isDated = !Number.isNaN(log.startMs);
  const zeroMs = isDated ? log.startMs : 0;
  const { fixes, clock } = recorder.finish(
    (timesMs) => {
      for (const [index, timeMs] of timesMs.entries()) timesMs[index] = zeroMs + timeMs;
      return isDated ? 'local' : 'elapsed';
    },
    speedUnit,
    channels,
  );
  return {
    fixes,
    clock,
    dropped: recorder.dropped,
    loggerLaps: lapList === null ? [] : readLapList(lapList, endMs, zeroMs),
    isSimulated: namesSimulator(log.descriptions),
  };
}

function findChannel(channels: readonly MotecChannel[], names: readonly string[]): MotecChannel | undefined {
  const named = channels.map((channel) => ({ channel, name: parseColumnHead(0, channel.name).name }));
  for (const name of names) {
    const found = named.find((candidate) => candidate.name === name);
    if (found !== undefined) return found.channel;
  }
  return undefined;
}

function readSensors(view: DataView, channels: readonly MotecChannel[]): ChannelSeries[] {
  // Channels do not share their values: those of a damaged list are limited to the values that the file has room for.
  let valuesLeft = view.byteLength / LEAST_VALUE_BYTES;
  return chooseSensors(channels).flatMap(({ channel, column, factor }) => {
    const sensor = channels[column];
    valuesLeft -= sensor?.count ?? 0;
    if (sensor === undefined || valuesLeft < 0) return [];
    const timesMs = Float64Array.from({ length: sensor.count }, (_, index) => (1000 * index) / sensor.rateHz);
    const values = timesMs.map((_, index) => factor * readMotecValue(view, sensor, index));
    return [{ channel, timesMs, values }];
  });
}

const LEAST_VALUE_BYTES = 2;

const [MARKER, TIME, CLASS_NAME] = [xmlName('Marker'), xmlName('Time'), xmlName('ClassName')];
const BEACON = 'BCN';
/** A day of the shortest laps has no more. */
const MOST_MARKERS = 10_000;

/** Reads the passes over the line; the first ends the out lap. */
function readLapList(bytes: Uint8Array, endMs: number, zeroMs: number): LoggerLap[] {
  const scanner = new XmlScanner(bytes);
  const passesMs = new Set<number>();
  let stepMs = LEAST_STEP_MS;
  for (let tag = scanner.next(); tag !== 'end' && passesMs.size < MOST_MARKERS; tag = scanner.next()) {
    if (tag !== 'open' || !scanner.isNamed(MARKER) || readAttribute(scanner, CLASS_NAME) !== BEACON) continue;
    const [written, , decimals = '', exponent = '0'] =
      /^(\d{1,15})(?:\.(\d{0,20}))?(?:e\+?(\d{1,2}))?$/i.exec(readAttribute(scanner, TIME)) ?? [];
    if (written === undefined) continue;
    passesMs.add(Math.round(Number(written)) / 1000);
    stepMs = Math.max(stepMs, 10 ** (Number(exponent) - decimals.length - 3));
  }
  const inOrder = [...passesMs].toSorted((a, b) => a - b);
  const roundingMs = roundingBetween(stepMs, stepMs);
  return lapsBetween(inOrder, endMs, zeroMs).map((lap) => ({ ...lap, roundingMs }));
}

/** Dashes time their beacons to a thousandth of a second. */
const LEAST_STEP_MS = 1;

function readAttribute(scanner: XmlScanner, name: Uint8Array): string {
  const slice = scanner.attribute(name);
  return slice === null
    ? ''
    : String.fromCharCode(
        ...slice.bytes.subarray(slice.start, slice.start + 64).subarray(0, slice.end - slice.start),
      );
}
