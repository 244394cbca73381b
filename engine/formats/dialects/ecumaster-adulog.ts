/**
 * The log of ECUMaster's dashes (ADU): `.adulog`. Facts: TrackDataAnalysis, whose author has found them out; no log was at hand.
 *
 * - The file is compressed by gzip. A header has the units, the groups and the channels with their scaling; an address follows from the
 *   order and size of all channels.
 * - Rows belong to frames of 40 ms and have only the frame within its second. A row lists which channels it has, and how often.
 * - Latitude and longitude are whole numbers of a ten-millionth of a degree, and are read with a sign, whichever kind they are.
 * - The position is repeated until the receiver has the next one.
 * - Nothing is known of a date, or of laps.
 */
import { UnreadableLapFileError } from '../../lap-file.ts';
import { readAduHeader, readAduSeries, type AduSeries, type PlacedChannel } from '../binary/adu-log.ts';
import type { BinaryLapFileFormat } from '../binary/binary-format.ts';
import { chooseSensors, sampleAll } from '../binary/channel-series.ts';
import { LapFileRecorder } from '../rows/lap-file-format.ts';
import { metersPerSecondIn } from '../rows/speed-unit.ts';
import { parseColumnHead } from '../text/csv-header.ts';
import { LATITUDE_NAMES, LONGITUDE_NAMES } from './beacon-csv.ts';

/** Reads what ECUMaster's dashes store: `.adulog`. */
export const ecumasterAdulog: BinaryLapFileFormat = {
  format: 'ecumaster-adulog',
  name: 'ECUMaster ADU log',
  recognise: (bytes) => readAduHeader(bytes) !== null,
  read: readAduLog,
};

/** When a position stays the same for longer, the car has stopped. */
const LONGEST_HOLD_MS = 500;
const SPEED_NAMES = ['gps speed'];

function readAduLog(bytes: Uint8Array): ReturnType<BinaryLapFileFormat['read']> {
  const { channels, rowsAt } = readAduHeader(bytes) ?? { channels: [], rowsAt: 0 };
  const find = (names: readonly string[]) =>
    channels.find(({ name }) => names.includes(parseColumnHead(0, name).name));
  const [lat, lon, speed] = [LATITUDE_NAMES, LONGITUDE_NAMES, SPEED_NAMES].map(find);
  if (lat === undefined || lon === undefined) {
    throw new UnreadableLapFileError(
      'This ECUMaster log has no channels with GPS latitude and longitude; let the dash log them, or upload the file of a GPS logger.',
    );
  }
  const sensors = chooseSensors(channels.map(({ name, unit }) => ({ name: withoutGroup(name), unit })));
  const [latitudes, longitudes, speeds, ...others] = readAduSeries(bytes, rowsAt, [
    lat,
    lon,
    speed ?? lat,
    ...sensors.flatMap(({ column }) => channels[column] ?? []),
  ]);
  const positions = { latitudes, longitudes, speeds: speed === undefined ? undefined : speeds };
  const { recorder, momentsMs } = recordFixes(positions);
  const series = sensors.map(({ channel, factor }, index) => ({
    channel,
    timesMs: Float64Array.from(others[index]?.timesMs ?? []),
    values: Float64Array.from(others[index]?.values ?? [], (value) => factor * value),
  }));
  const { fixes, clock, dropped } = recorder.finish(
    () => 'elapsed',
    metersPerSecondIn(speed?.unit ?? ''),
    sampleAll(series, Float64Array.from(momentsMs)),
  );
  return { fixes, clock, dropped, loggerLaps: [] };
}

type Positions = Record<'latitudes' | 'longitudes' | 'speeds', AduSeries | undefined>;

function recordFixes({ latitudes, longitudes, speeds }: Positions): {
  recorder: LapFileRecorder;
  momentsMs: number[];
} {
  const recorder = new LapFileRecorder();
  const momentsMs: number[] = [];
  const [longitudeAt, speedAt] = [valuesByTime(longitudes), valuesByTime(speeds)];
  let [lastLat, lastLon] = [Number.NaN, Number.NaN];
  for (const [index, timeMs] of (latitudes?.timesMs ?? []).entries()) {
    const [lat, lon] = [latitudes?.values[index] ?? Number.NaN, longitudeAt(timeMs)];
    const isHeld = lat === lastLat && lon === lastLon && timeMs - (momentsMs.at(-1) ?? 0) <= LONGEST_HOLD_MS;
    if (isHeld) recorder.drop('held_position');
    else if (recorder.add(timeMs, lat, lon, speedAt(timeMs))) {
      momentsMs.push(timeMs);
      [lastLat, lastLon] = [lat, lon];
    }
  }
  return { recorder, momentsMs };
}

/** Finds the value of a moment, NaN where there is none; the moments that are asked for only rise. */
function valuesByTime(
  { timesMs, values }: AduSeries = { timesMs: [], values: [] },
): (timeMs: number) => number {
  let index = 0;
  return (timeMs) => {
    while ((timesMs[index] ?? timeMs) < timeMs) index += 1;
    return timesMs[index] === timeMs ? (values[index] ?? Number.NaN) : Number.NaN;
  };
}

/** The channels of the engine are those of a group of their own: `ecu.rpm`. */
function withoutGroup(name: PlacedChannel['name']): string {
  return name.replace(/^ecu\./, '');
}
