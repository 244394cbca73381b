import { CHANNEL_NAMES, CHANNELS, type ChannelName, type Channels } from '../channels.ts';
import { lowerBound } from '../binary-search.ts';
import { pickFixes, type FixColumns } from '../fix-columns.ts';
import type { Lap } from '../timing/laps.ts';
import type { PositionNoise } from '../timing/position-noise.ts';
import type { SpeedModel } from '../trace/speed-model.ts';
import type { Trace } from '../trace/trace.ts';
import { ColumnReader, ColumnWriter, type ColumnFormat } from './integer-columns.ts';

/**
 * Describes a lap and the trace that it was timed on. Any `OpenedLapFile` with one of its laps is one; `cutLapTrace`
 * leaves out all fixes that views and comparisons of the lap do not need, and `encodeLapTrace` makes bytes of that.
 */
export type TracedLap = {
  trace: Pick<Trace, 'fixes' | 'intervalMs' | 'receiverIntervalMs' | 'timestampStepMs'>;
  lap: Pick<Lap, 'startTimeMs' | 'lapTimeMs' | 'uncertaintyMs'>;
  /** Noise of the positions of the trace. */
  noise: PositionNoise;
  /** Relation of its speeds to its positions; null where they do not fit, so that speeds follow from the positions. */
  speeds: SpeedModel | null;
};

/** Enough to follow a lap across the line at both ends, when the positions of two receivers differ by a few metres. */
export const MARGIN_MS = 3000;
/** The curve through the positions at the ends of the margin needs some more. */
const MARGIN_FIXES = 2;

/** The same lap with only its own fixes, and those of some seconds before its start and after its end. */
export function cutLapTrace({ trace, lap, noise, speeds }: TracedLap): TracedLap {
  const { intervalMs, receiverIntervalMs, timestampStepMs } = trace;
  const first = Math.max(0, firstFixAfter(trace.fixes, lap.startTimeMs - MARGIN_MS) - MARGIN_FIXES);
  const last = firstFixAfter(trace.fixes, lap.startTimeMs + lap.lapTimeMs + MARGIN_MS) + MARGIN_FIXES;
  const end = Math.min(trace.fixes.length, last);
  const rows = Int32Array.from({ length: end - first }, (_, row) => first + row);
  return {
    trace: { fixes: pickFixes(trace.fixes, rows), intervalMs, receiverIntervalMs, timestampStepMs },
    lap: { startTimeMs: lap.startTimeMs, lapTimeMs: lap.lapTimeMs, uncertaintyMs: lap.uncertaintyMs },
    noise: { ...noise },
    speeds,
  };
}

/** Returns the first fix at a moment or later; the last fix where there is none. */
export function firstFixAfter({ timesMs, length }: FixColumns, timeMs: number): number {
  return lowerBound(timesMs, timeMs, 0, length - 1);
}

/** Raised with every change of the bytes below; stored traces of another version are made again from their lap files. */
export const TRACE_FORMAT_VERSION = 2;
/** Times count from the start of the lap. */
const TIMES: ColumnFormat = { unit: 1e-2, order: 2 };
/** The unit is about a millimetre. */
const DEGREES: ColumnFormat = { unit: 1e-8, order: 2 };
const SPEEDS: ColumnFormat = { unit: 1e-3, order: 1 };
/** Marks a speed that the receiver did not give. */
const NO_SPEED = -1;

/**
 * Encodes a lap trace as bytes for the storage: about 7 bytes a fix, less when compressed, and up to one more for each
 * channel. Positions are kept to the millimetre, times to 10 µs and speeds to 1 mm/s, so that a comparison from these bytes differs from that of the raw
 * file by less than 1 ms.
 */
export function encodeLapTrace(traced: TracedLap): Uint8Array<ArrayBuffer> {
  const { trace, lap, noise, speeds } = cutLapTrace(traced);
  const { fixes } = trace;
  const writer = new ColumnWriter();
  writer.addInteger(TRACE_FORMAT_VERSION);
  writer.addInteger(fixes.length);
  for (const value of [
    lap.startTimeMs,
    lap.lapTimeMs,
    lap.uncertaintyMs,
    noise.whiteMeters,
    noise.driftMeters,
    trace.intervalMs,
    trace.receiverIntervalMs,
    trace.timestampStepMs,
    speeds?.scale ?? null,
    speeds?.delaySeconds ?? null,
    speeds?.residualMeters ?? null,
  ])
    writer.addNumber(value);
  writer.addColumn(
    fixes.timesMs.map((timeMs) => timeMs - lap.startTimeMs),
    TIMES,
  );
  writer.addColumn(fixes.lats, DEGREES);
  writer.addColumn(fixes.lons, DEGREES);
  writer.addColumn(
    fixes.speedsMetersPerSecond.map((speed) => (Number.isFinite(speed) ? speed : NO_SPEED)),
    SPEEDS,
  );
  addChannels(writer, fixes.channels ?? {});
  return writer.finish();
}

/** Writes which channels follow, one bit each in the order of their names, and then these. */
function addChannels(writer: ColumnWriter, channels: Channels): void {
  const written = CHANNEL_NAMES.flatMap((name, place) => {
    const values = channels[name];
    return values === undefined ? [] : [{ name, place, values }];
  });
  writer.addInteger(written.reduce((bits, { place }) => bits + 2 ** place, 0));
  for (const { name, values } of written) {
    const { step, least } = CHANNELS[name];
    const unknown = least - step;
    writer.addColumn(
      values.map((value) => (Number.isNaN(value) ? unknown : value)),
      { unit: step, order: 1 },
    );
  }
}

function readChannels(reader: ColumnReader, length: number): Channels {
  const bits = reader.readInteger();
  const channels: Partial<Record<ChannelName, Float64Array>> = {};
  for (const [place, name] of CHANNEL_NAMES.entries()) {
    if (Math.floor(bits / 2 ** place) % 2 !== 1) continue;
    const { step, least } = CHANNELS[name];
    const values = reader.readColumn(length, { unit: step, order: 1 });
    channels[name] = values.map((value) => (value < least - step / 2 ? Number.NaN : value));
  }
  return channels;
}

/** Reads bytes of `encodeLapTrace`. Null where they are of another version of Pitboard or damaged: then they are made again from the raw file. */
export function decodeLapTrace(bytes: Uint8Array): TracedLap | null {
  const reader = new ColumnReader(bytes);
  if (reader.readInteger() !== TRACE_FORMAT_VERSION) return null;
  const length = reader.readInteger();
  if (!(length >= 0 && length <= reader.bytesLeft)) return null;
  const lap = {
    startTimeMs: reader.readNumber(),
    lapTimeMs: reader.readNumber(),
    uncertaintyMs: reader.readNumber(),
  };
  const noise = { whiteMeters: reader.readNumber(), driftMeters: reader.readNumber() };
  const intervalMs = reader.readNumberOrNull();
  const receiverIntervalMs = reader.readNumberOrNull();
  const timestampStepMs = reader.readNumber();
  const speeds = {
    scale: reader.readNumber(),
    delaySeconds: reader.readNumber(),
    residualMeters: reader.readNumber(),
  };
  const fixes: FixColumns = {
    length,
    timesMs: reader.readColumn(length, TIMES).map((timeMs) => timeMs + lap.startTimeMs),
    lats: reader.readColumn(length, DEGREES),
    lons: reader.readColumn(length, DEGREES),
    speedsMetersPerSecond: reader.readColumn(length, SPEEDS).map((speed) => (speed < 0 ? Number.NaN : speed)),
  };
  const channels = readChannels(reader, length);
  if (Object.keys(channels).length > 0) fixes.channels = channels;
  if (!reader.isComplete) return null;
  return {
    trace: { fixes, intervalMs, receiverIntervalMs, timestampStepMs },
    lap,
    noise,
    speeds: Number.isNaN(speeds.scale) ? null : speeds,
  };
}
