import { lowerBound } from '../../binary-search.ts';
import { isStepped, type ChannelName, type Channels } from '../../channels.ts';
import { at } from '../../fix-columns.ts';
import { medianIntervalMs } from '../../statistics.ts';
import { findChannels } from '../rows/channel-columns.ts';
import { parseColumnHead } from '../text/csv-header.ts';

/** Holds the samples of one sensor with a rhythm of its own, oldest first. */
export type ChannelSeries = { channel: ChannelName; timesMs: Float64Array; values: Float64Array };

/** Slower sensors than this leave holes. */
const APART_MAX_MS = 2000;
/** No sensor is this much quicker than a receiver: damaged times could make every fix look at every sample. */
const SAMPLES_MAX = 2000;

/** Describes a sensor as its file does. */
export type SensorHead = { name: string; unit: string };

/** Lists the sensors whose values are kept, by their place among all sensors of the file. */
export function chooseSensors(
  heads: readonly SensorHead[],
): { channel: ChannelName; column: number; factor: number }[] {
  return findChannels(heads.map(({ name, unit }) => ({ ...parseColumnHead(0, name), unit, source: '' })));
}

/** Collects the samples of one sensor. Times that go back are those of damaged samples, and are left out. */
export class SeriesRecorder {
  readonly #times: number[] = [];
  readonly #values: number[] = [];

  add(timeMs: number, value: number): void {
    if (!(timeMs > (this.#times.at(-1) ?? Number.NEGATIVE_INFINITY))) return;
    this.#times.push(timeMs);
    this.#values.push(value);
  }

  finish(): { timesMs: Float64Array; values: Float64Array } {
    return { timesMs: Float64Array.from(this.#times), values: Float64Array.from(this.#values) };
  }
}

/** Returns the values of all these sensors at each of these moments, which are on the same clock. */
export function sampleAll(series: readonly ChannelSeries[], moments: Float64Array): Channels {
  return Object.fromEntries(
    series
      .filter(({ timesMs }) => timesMs.length > 0)
      .map((sensor) => [sensor.channel, sampleSeries(sensor, moments)]),
  );
}

/**
 * Returns the value of a sensor at each of these moments, which are on the same clock: the mean of the samples up to half
 * an interval of the moments around it, since sensors are often many times as quick as the receiver and shaken by the
 * engine; between slower samples a value on the line from one to the next. NaN where it is unknown.
 */
export function sampleSeries(
  { channel, timesMs, values }: ChannelSeries,
  moments: Float64Array,
): Float64Array {
  const halfMs = (medianIntervalMs(moments, moments.length) ?? 0) / 2;
  const count = timesMs.length;
  return moments.map((momentMs) => {
    const next = lowerBound(timesMs, momentMs, 0, count);
    if (isStepped(channel)) return valueBefore({ channel, timesMs, values }, next, momentMs);
    let [sum, samples] = [0, 0];
    const [least, most] = [Math.max(0, next - SAMPLES_MAX), Math.min(count, next + SAMPLES_MAX)];
    for (let index = next; index < most && at(timesMs, index) <= momentMs + halfMs; index += 1) {
      sum += at(values, index);
      samples += 1;
    }
    for (let index = next - 1; index >= least && at(timesMs, index) > momentMs - halfMs; index -= 1) {
      sum += at(values, index);
      samples += 1;
    }
    return samples > 0 ? sum / samples : valueBetween({ channel, timesMs, values }, next, momentMs);
  });
}

function valueBefore({ timesMs, values }: ChannelSeries, next: number, momentMs: number): number {
  const index = next < timesMs.length && at(timesMs, next) === momentMs ? next : next - 1;
  return index >= 0 && momentMs - at(timesMs, index) <= APART_MAX_MS ? at(values, index) : Number.NaN;
}

function valueBetween({ timesMs, values }: ChannelSeries, next: number, momentMs: number): number {
  if (next === 0 || next >= timesMs.length) return Number.NaN;
  const [from, to] = [at(timesMs, next - 1), at(timesMs, next)];
  if (!(to - from <= APART_MAX_MS)) return Number.NaN;
  const share = (momentMs - from) / (to - from);
  return at(values, next - 1) + share * (at(values, next) - at(values, next - 1));
}
