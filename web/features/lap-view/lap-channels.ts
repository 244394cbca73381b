import type { LapId } from '#contract/ids.ts';
import type { TraceChannel } from '#contract/lap-view/channels.ts';
import type { LapTrace } from '#contract/lap-view/schemas.ts';
import {
  deriveAccelerations,
  STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED,
} from '#engine/comparison/accelerations.ts';
import { fromDegreeSteps } from '#engine/comparison/integer-columns.ts';
import { entry, type Column } from './lap-lines.ts';
import type { Hole } from './shown-laps.ts';

export type ChannelName = TraceChannel['name'];

/** The channels in the order in which they are offered, with their names for people and their units on the charts. */
export const CHANNEL_TITLES: Record<ChannelName, { title: string; unit: string; decimals: number }> = {
  throttle: { title: 'Throttle', unit: '%', decimals: 0 },
  brake: { title: 'Brake', unit: '%', decimals: 0 },
  brakePressure: { title: 'Brake pressure', unit: 'bar', decimals: 0 },
  rpm: { title: 'RPM', unit: '', decimals: 0 },
  gear: { title: 'Gear', unit: '', decimals: 0 },
  steering: { title: 'Steering', unit: '°', decimals: 0 },
  longitudinalAcceleration: { title: 'Longitudinal', unit: 'g', decimals: 2 },
  lateralAcceleration: { title: 'Lateral', unit: 'g', decimals: 2 },
};

/** The accelerations follow from the positions and speeds of a lap whose logger did not record them. */
const DERIVED: Partial<Record<ChannelName, keyof ReturnType<typeof deriveAccelerations>>> = {
  longitudinalAcceleration: 'longitudinal',
  lateralAcceleration: 'lateral',
};

type Trace = Omit<LapTrace, 'corners'>;

/** Describes one channel of one lap at the stations of the charts; NaN where it is unknown. */
export type ShownChannel = { lapId: LapId; values: Column; holes: readonly Hole[]; isDerived: boolean };

/** Returns the values of a channel in the unit of the charts, one for each entry of its trace; NaN where it is unknown. */
export function decodeChannel({ unit, step, steps }: TraceChannel): number[] {
  const scale = unit === 'm/s²' ? step / STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED : step;
  let known = 0;
  return steps.map((change) => (change === null ? Number.NaN : (known += change) * scale));
}

/** Tells whether the logger recorded a channel. */
export function isRecorded({ channels }: Pick<Trace, 'channels'>, name: ChannelName): boolean {
  return channels.columns.some((column) => column.name === name);
}

/** Tells whether a channel of a trace can be shown. */
export function hasChannel(trace: Pick<Trace, 'channels'>, name: ChannelName): boolean {
  return isRecorded(trace, name) || name in DERIVED;
}

/** Returns a channel in the unit of the charts, one value for each entry of its trace; null where the trace lacks it. */
function valuesOf(trace: Trace, name: ChannelName): number[] | null {
  const channel = trace.channels.columns.find((column) => column.name === name);
  if (channel) return decodeChannel(channel);
  const direction = DERIVED[name];
  if (direction === undefined) return null;
  const accelerations = deriveAccelerations({
    timesMs: Float64Array.from(trace.timesMs),
    lats: Float64Array.from(fromDegreeSteps(trace.latSteps)),
    lons: Float64Array.from(fromDegreeSteps(trace.lonSteps)),
    speedsMetersPerSecond: Float64Array.from(trace.speedsKmh, (speed) => speed / 3.6),
  });
  return Array.from(
    accelerations[direction],
    (acceleration) => acceleration / STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED,
  );
}

/** Returns a channel of a trace at the stations of the charts, which are distances along the same line; null where the trace lacks it. */
export function channelAtStations(trace: Trace, name: ChannelName, stations: Column): number[] | null {
  const values = valuesOf(trace, name);
  if (values === null) return null;
  const { meters } = trace;
  // Each lap is measured along itself while its track has no line yet, and is then a little longer or shorter.
  const scale = entry(meters, meters.length - 1) / entry(stations, stations.length - 1);
  let index = 0;
  return stations.map((station) => {
    const target = station * scale;
    while (index + 1 < meters.length && entry(meters, index + 1) <= target) index += 1;
    const [from, to] = [entry(meters, index), entry(meters, index + 1)];
    const value = entry(values, index);
    if (name === 'gear' || !(to > from) || target <= from) return value;
    return value + ((target - from) / (to - from)) * (entry(values, index + 1) - value);
  });
}

/** Finds where a channel is unknown, from the last station at which it is known to the next. */
export function findUnknown(values: Column, stations: Column): Hole[] {
  const holes: Hole[] = [];
  let lastKnown = 0;
  let isUnknown = false;
  for (const [index, value] of values.entries()) {
    if (Number.isNaN(value)) {
      isUnknown = true;
      continue;
    }
    if (isUnknown) holes.push(holeBetween(stations, lastKnown, index));
    [lastKnown, isUnknown] = [index, false];
  }
  if (isUnknown) holes.push(holeBetween(stations, lastKnown, values.length - 1));
  return holes;
}

function holeBetween(stations: Column, from: number, to: number): Hole {
  return { startMeters: entry(stations, from), endMeters: entry(stations, to), lastsMs: 0 };
}

/** Writes the values of a channel at a station, in the order of the laps: '87 · 100 %'. */
export function describeChannel(name: ChannelName, laps: readonly ShownChannel[], index: number): string {
  const { unit, decimals } = CHANNEL_TITLES[name];
  const figures = laps.map(({ values }) => {
    const value = entry(values, index);
    return Number.isNaN(value) ? '—' : value.toFixed(decimals).replace('-', '−');
  });
  return `${figures.join(' · ')}${unit === '' ? '' : ` ${unit}`}`;
}
