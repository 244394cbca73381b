import type { AnyFlagReason } from '#contract/moderation/labels.ts';
import type { FlaggedLap } from '#contract/moderation/schemas.ts';

const USUAL = ['Tires or car are not as stated.', 'This is not a whole lap of the course.'];

const BY_REASON: Partial<Record<AnyFlagReason, string>> = {
  acceleration: 'The positions jump in one corner.',
  power: 'Another car than stated drove it.',
  top_speed: 'Another car than stated drove it.',
  copy: 'These are the positions of another lap.',
  driver: 'Another driver was in the car.',
  elsewhere: 'Its driver was elsewhere at that time.',
  camera: 'It does not agree with the video.',
};

/** Lists reasons that moderators often write, those of the flags first. */
export function suggestReasons({ flags }: FlaggedLap): string[] {
  return [...new Set([...flags.flatMap(({ reason }) => BY_REASON[reason] ?? []), ...USUAL])];
}
