// No schema in this file: the browser offers the reasons, the server checks them.

export const FLAG_REASONS = ['time', 'car', 'tires', 'driver', 'track', 'other'] as const;

export type FlagReason = (typeof FLAG_REASONS)[number];

export const AUTOMATIC_REASONS = [
  'acceleration',
  'power',
  'top_speed',
  'same_car',
  'jump',
  'record',
  'copy',
  'device',
  'elsewhere',
  'camera',
  'layout',
] as const;

export type AutomaticReason = (typeof AUTOMATIC_REASONS)[number];

/** Tells whether the automatic checks wrote the sentence of a flag. */
export function isAutomatic(reason: AnyFlagReason): reason is AutomaticReason {
  return AUTOMATIC_REASONS.some((automatic) => automatic === reason);
}

export type AnyFlagReason = FlagReason | AutomaticReason | 'appeal';

export const FLAG_LABELS: Record<AnyFlagReason, string> = {
  time: 'The time is not possible',
  car: 'Another car than stated',
  tires: 'Other tires than stated',
  driver: 'Another driver than stated',
  track: 'Not a whole lap of this track',
  other: 'Something else',
  appeal: 'Appeal of the driver',
  acceleration: 'Accelerations beyond tires and car',
  power: 'More power than the car has',
  top_speed: 'Quicker than the car goes',
  same_car: 'Far ahead of others in this car',
  jump: 'Far ahead of the driver before',
  record: 'A record by a wide margin',
  copy: 'Positions of another driver’s lap',
  device: 'Another device than before',
  elsewhere: 'Driven elsewhere at that time',
  camera: 'Disagrees with the camera',
  layout: 'Leaves out a part of the track',
};

export const FLAG_LIMITS = {
  sentenceCharactersMin: 10,
  sentenceCharactersMax: 500,
  /** The flags that one person may raise in 24 hours. */
  perDayMax: 10,
  /** The cases that the queue shows at once. */
  queueMax: 100,
} as const;

/** The quantities that a flag's figure may have. */
export const MEASURES = ['cornering', 'braking', 'power', 'speed', 'pace', 'likeness'] as const;

/** The quantities that are drawn along a lap. */
export const CURVES = ['cornering', 'braking', 'power', 'speed', 'outline'] as const;

/** The groups of laps that a lap time is compared with. */
export const GROUPS_OF_LAPS = ['car', 'class', 'driver', 'all'] as const;

/** Says why a lap is compared with a flagged one. */
export const MEANT_LAPS = ['most', 'car', 'class', 'driver', 'copied', 'tires'] as const;
