import { CHANNELS, isStepped, mapChannels, type ChannelName } from '../channels.ts';
import { at, type FixColumns } from '../fix-columns.ts';

/**
 * Returns the fixes with the channels that say something: values that no sensor gives are unknown, short holes of
 * sensors that are slower than the receiver are filled, and a channel that never changes is that of no sensor.
 */
export function withPlausibleChannels(fixes: FixColumns): FixColumns {
  const { channels, ...others } = fixes;
  if (channels === undefined) return fixes;
  const plausible = mapChannels(channels, (values, name) => {
    const known = fillHoles(fixes.timesMs, inRange(inPercent(values, name), name), isStepped(name));
    return hasValues(known) ? known : null;
  });
  return Object.keys(plausible).length > 0 ? { ...others, channels: plausible } : others;
}

/** Some loggers write shares from 0 to 1. A driver who never gets past 1 % does not drive. */
function inPercent(values: Float64Array, name: ChannelName): Float64Array {
  if (CHANNELS[name].unit !== '%' || values.some((value) => value > 1.01)) return values;
  return values.map((value) => 100 * value);
}

/** Sensors of pedals are calibrated to a few percent, so that a value a little beyond an end is that end. */
const BEYOND_PERCENT = 10;

function inRange(values: Float64Array, name: ChannelName): Float64Array {
  const { least, most, unit } = CHANNELS[name];
  const slack = unit === '%' ? BEYOND_PERCENT : 0;
  const isInSteps = isStepped(name);
  const known = new Float64Array(values.length).fill(Number.NaN);
  for (let index = 0; index < values.length; index += 1) {
    const value = at(values, index);
    if (!(value >= least - slack && value <= most + slack)) continue;
    const inside = Math.min(most, Math.max(least, value));
    known[index] = isInSteps ? Math.round(inside) : inside;
  }
  return known;
}

/** Answers over the diagnostic port of a road car come about once a second. */
const HOLE_MAX_MS = 2000;

/** Fills holes between two values: with the one before for what goes in steps, else along a straight line. */
function fillHoles(timesMs: Float64Array, values: Float64Array, isInSteps: boolean): Float64Array {
  let last = -1;
  for (let index = 0; index < values.length; index += 1) {
    if (Number.isNaN(at(values, index))) continue;
    if (last >= 0 && index > last + 1) fillBetween(timesMs, values, { last, index, isInSteps });
    last = index;
  }
  return values;
}

function fillBetween(
  timesMs: Float64Array,
  values: Float64Array,
  { last, index, isInSteps }: { last: number; index: number; isInSteps: boolean },
): void {
  const spanMs = at(timesMs, index) - at(timesMs, last);
  if (!(spanMs > 0 && spanMs <= HOLE_MAX_MS)) return;
  const [from, to] = [at(values, last), at(values, index)];
  for (let hole = last + 1; hole < index; hole += 1) {
    const share = (at(timesMs, hole) - at(timesMs, last)) / spanMs;
    values[hole] = isInSteps ? from : from + share * (to - from);
  }
}

/** A sensor that gave fewer values than this was not connected for most of the drive. */
const KNOWN_SHARE_MIN = 0.1;

function hasValues(values: Float64Array): boolean {
  let [known, least, most] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < values.length; index += 1) {
    const value = at(values, index);
    if (Number.isNaN(value)) continue;
    known += 1;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return known > KNOWN_SHARE_MIN * values.length && most > least;
}
