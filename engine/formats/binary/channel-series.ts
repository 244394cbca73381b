import { lowerBound } from '../../binary-search.ts';
import { isStepped, type ChannelName } from '../../channels.ts';
import { at } from '../../fix-columns.ts';
import { medianIntervalMs } from '../../statistics.ts';

/** Holds the samples of one sensor with a rhythm of its own, oldest first. */
export type ChannelSeries = { channel: ChannelName; timesMs: Float64Array; values: Float64Array };

/** Slower sensors than this leave holes. */
const APART_MAX_MS = 2000;

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
    for (let index = next; index < count && at(timesMs, index) <= momentMs + halfMs; index += 1) {
      sum += at(values, index);
      samples += 1;
    }
    for (let index = next - 1; index >= 0 && at(timesMs, index) > momentMs - halfMs; index -= 1) {
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
