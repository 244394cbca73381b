/**
 * Describes what a logger records besides positions and speeds. `step` is the resolution at which a value is kept;
 * values outside of `least` and `most` are faults of the sensor.
 */
type Channel = { unit: string; step: number; least: number; most: number };

/**
 * Lists the channels that are kept, each in one unit whatever the logger writes. Accelerations are positive when gaining
 * speed and in right-hand corners, steering as the logger has it; gear 0 is neutral, -1 reverse.
 */
export const CHANNELS = {
  throttle: { unit: '%', step: 1, least: 0, most: 100 },
  brake: { unit: '%', step: 1, least: 0, most: 100 },
  brakePressure: { unit: 'bar', step: 1, least: 0, most: 300 },
  rpm: { unit: 'rpm', step: 50, least: 0, most: 25_000 },
  gear: { unit: '', step: 1, least: -1, most: 12 },
  steering: { unit: '°', step: 2, least: -1080, most: 1080 },
  longitudinalAcceleration: { unit: 'm/s²', step: 0.5, least: -80, most: 80 },
  lateralAcceleration: { unit: 'm/s²', step: 0.5, least: -80, most: 80 },
} as const satisfies Record<string, Channel>;

export type ChannelName = keyof typeof CHANNELS;

/** The names in the order in which they are stored. A new one goes last, since its place is in stored traces. */
export const CHANNEL_NAMES = [
  'throttle',
  'brake',
  'brakePressure',
  'rpm',
  'gear',
  'steering',
  'longitudinalAcceleration',
  'lateralAcceleration',
] as const satisfies readonly ChannelName[];

/** Holds the channels of some fixes: a value for every fix, NaN where it is unknown. A channel that was not recorded is absent. */
export type Channels = Readonly<Partial<Record<ChannelName, Float64Array>>>;

/** Returns the same channels with other values. */
export function mapChannels(
  channels: Channels,
  change: (values: Float64Array, name: ChannelName) => Float64Array | null,
): Channels {
  const changed: Partial<Record<ChannelName, Float64Array>> = {};
  for (const name of CHANNEL_NAMES) {
    const values = channels[name];
    const mapped = values === undefined ? null : change(values, name);
    if (mapped !== null) changed[name] = mapped;
  }
  return changed;
}

/** Returns whether the values go in steps, so that none lies between two of them. */
export function isStepped(name: ChannelName): boolean {
  return name === 'gear';
}
