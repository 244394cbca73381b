// No schema in this file: the browser offers the reasons, the server checks them.

/** Why somebody doubts a lap. */
export const FLAG_REASONS = ['time', 'car', 'tires', 'driver', 'track', 'other'] as const;

export type FlagReason = (typeof FLAG_REASONS)[number];

export const FLAG_LABELS: Record<FlagReason | 'appeal', string> = {
  time: 'The time is not possible',
  car: 'Another car than stated',
  tires: 'Other tires than stated',
  driver: 'Another driver than stated',
  track: 'Not a whole lap of this track',
  other: 'Something else',
  appeal: 'Appeal of the driver',
};

export const FLAG_LIMITS = {
  sentenceCharactersMin: 10,
  sentenceCharactersMax: 500,
  /** Flags and appeals of one person in 24 hours. */
  perDayMax: 10,
  /** Cases that the queue shows at once. */
  queueMax: 100,
} as const;
