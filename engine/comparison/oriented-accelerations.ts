import { mapChannels, type ChannelName, type Channels } from '../channels.ts';
import { at, type FixColumns } from '../fix-columns.ts';
import { roughDistanceMeters } from '../geo.ts';
import { deriveAccelerations } from './accelerations.ts';

type Side = { name: ChannelName; values: Float64Array };

/**
 * Returns fixes whose accelerations point as the engine's do. Loggers differ in the signs and in which axis they call X, and
 * are mounted as the car allows; the positions say how the car really turned and braked. A sensor that does not agree with
 * them, such as a loose phone, is left out.
 */
export function withOrientedAccelerations(fixes: FixColumns): FixColumns {
  const { channels } = fixes;
  const { longitudinalAcceleration: along, lateralAcceleration: across } = channels ?? {};
  if (channels === undefined || (along ?? across) === undefined) return fixes;
  const speedsMetersPerSecond = knownSpeeds(fixes);
  const derived = deriveAccelerations({ ...fixes, speedsMetersPerSecond });
  const truth: Side[] = [
    { name: 'longitudinalAcceleration', values: derived.longitudinal },
    { name: 'lateralAcceleration', values: derived.lateral },
  ];
  const sensors = [along, across].filter((values) => values !== undefined);
  const isMoving = speedsMetersPerSecond.map((speed) => (speed > MOVING_METERS_PER_SECOND ? 1 : 0));
  const fits = sensors.flatMap((sensor) =>
    truth.map(({ name, values }) => ({ sensor, name, ...compare(sensor, values, isMoving) })),
  );
  const oriented = new Map<ChannelName, Float64Array>();
  const used = new Set<Float64Array>();
  for (const { sensor, name, fit, scale } of fits.toSorted((a, b) => Math.abs(b.fit) - Math.abs(a.fit))) {
    if (used.has(sensor) || oriented.has(name) || !(Math.abs(fit) >= FIT_MIN)) continue;
    if (!(scale > 1 / SCALE_MAX && scale < SCALE_MAX)) continue;
    oriented.set(name, fit > 0 ? sensor : sensor.map((value) => -value));
    used.add(sensor);
  }
  return { ...fixes, channels: withAccelerations(channels, oriented) };
}

const MOVING_METERS_PER_SECOND = 5;
/** Sensors that are mounted well reach 0.8 and more, even in karts, whose frames shake them. */
const FIT_MIN = 0.5;
/** Values that are larger or smaller by more than this are in another unit than the logger says. */
const SCALE_MAX = 2.5;

function withAccelerations(channels: Channels, oriented: ReadonlyMap<ChannelName, Float64Array>): Channels {
  const others = mapChannels(channels, (values, name) => (name.endsWith('Acceleration') ? null : values));
  return { ...others, ...Object.fromEntries(oriented) };
}

/** Returns the speeds of the receiver, and those between the positions before and after where it gave none. */
function knownSpeeds({ speedsMetersPerSecond, timesMs, lats, lons, length }: FixColumns): Float64Array {
  return speedsMetersPerSecond.map((speed, fix) => {
    if (!Number.isNaN(speed)) return speed;
    const [before, after] = [Math.max(0, fix - 1), Math.min(length - 1, fix + 1)];
    const seconds = (at(timesMs, after) - at(timesMs, before)) / 1000;
    return seconds > 0 ? roughDistanceMeters(lats, lons, before, after) / seconds : 0;
  });
}

/** Returns how well two columns go together where the car moves, from -1 to 1, and how much larger the first one is; NaN where nothing is known. */
function compare(
  values: Float64Array,
  others: Float64Array,
  isMoving: Float64Array,
): { fit: number; scale: number } {
  let [count, x, y, xx, yy, xy] = [0, 0, 0, 0, 0, 0];
  for (let index = 0; index < values.length; index += 1) {
    const [value, other] = [at(values, index), at(others, index)];
    if (at(isMoving, index) === 0 || Number.isNaN(value) || Number.isNaN(other)) continue;
    count += 1;
    x += value;
    y += other;
    xx += value * value;
    yy += other * other;
    xy += value * other;
  }
  const [varianceX, varianceY] = [count * xx - x * x, count * yy - y * y];
  return {
    fit: (count * xy - x * y) / Math.sqrt(varianceX * varianceY),
    scale: Math.sqrt(varianceX / varianceY),
  };
}
