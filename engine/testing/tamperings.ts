import type { LapReason } from '../timing/laps.ts';
import type { SimulatedDrive } from '../simulation/drive.ts';
import {
  cornerCut,
  cornerReplaced,
  duplicated,
  evenly,
  everywhere,
  filledIn,
  inLap,
  lapCompressed,
  later,
  loopedBack,
  quicker,
  removed,
  resampled,
  scaled,
  shifted,
  shortened,
  spliced,
  stitched,
  within,
  type Tampered,
} from './tamper.ts';

/** One way to tamper with a drive. */
export type Tampering = {
  name: string;
  apply: (drive: SimulatedDrive, other: SimulatedDrive) => Tampered;
  /** Any of these tells the truth about it. */
  reasons: LapReason[];
  /** True where it shows only in several fixes a second. */
  needsRate?: true;
};

/** Lists what people do to lap files, and the reasons that are right about the laps. The third lap is tampered with. */
export const TAMPERINGS: readonly Tampering[] = [
  {
    name: 'a cut corner, in the file only',
    apply: (drive) => cornerCut(drive, 0.12),
    reasons: ['off_track', 'too_short', 'speeds_disagree', 'impossible_jump', 'filled_in'],
  },
  {
    name: 'rows removed and nothing else changed',
    apply: (drive) => within(drive, (share) => share < 0.4 || share > 0.47),
    reasons: ['gap_in_data'],
  },
  {
    name: 'rows removed and the clock moved over the hole',
    apply: (drive) => removed(drive, { from: 0.4, to: 0.44 }),
    reasons: ['impossible_jump', 'speeds_disagree', 'too_short', 'off_track'],
  },
  {
    name: 'a fifth of a second removed and the clock moved over the hole',
    apply: (drive) => shortened(drive, 200),
    reasons: ['impossible_jump'],
    needsRate: true,
  },
  {
    name: 'a corner of another drive put in, a fifth of a second shorter',
    apply: (drive, other) => cornerReplaced(drive, other, 200),
    reasons: ['impossible_jump'],
    needsRate: true,
  },
  {
    name: 'the whole file compressed to a third of its time',
    apply: (drive) => everywhere(drive, (fix, startMs) => later(fix, startMs, 1 / 3)),
    reasons: ['speeds_disagree', 'impossible_speed', 'impossible_acceleration'],
  },
  {
    name: 'the whole file compressed by three percent',
    apply: (drive) => everywhere(drive, (fix, startMs) => later(fix, startMs, 0.97)),
    reasons: ['speeds_disagree', 'odd_clock'],
  },
  {
    name: 'the whole file compressed by three percent, with the speeds made to fit',
    apply: (drive) => everywhere(drive, (fix, startMs) => quicker(later(fix, startMs, 0.97), 1 / 0.97)),
    reasons: ['odd_clock'],
  },
  {
    name: 'the whole file compressed by one percent, with the speeds made to fit',
    apply: (drive) => everywhere(drive, (fix, startMs) => quicker(later(fix, startMs, 0.99), 1 / 0.99)),
    reasons: ['odd_clock'],
  },
  {
    name: 'the whole file compressed by four percent and written at even times again',
    apply: (drive) =>
      resampled(
        drive,
        everywhere(drive, (fix, startMs) => later(fix, startMs, 0.96)),
      ),
    reasons: ['speeds_disagree'],
    needsRate: true,
  },
  {
    name: 'one lap compressed by one percent, with the speeds made to fit',
    apply: (drive) => lapCompressed(drive, 0.99, 1 / 0.99),
    reasons: ['clock_changed', 'odd_clock'],
  },
  {
    name: 'one lap compressed by six percent and written at even times again',
    apply: (drive) => resampled(drive, lapCompressed(drive, 0.94, 1)),
    reasons: ['speeds_disagree'],
    needsRate: true,
  },
  {
    name: 'one lap compressed by three percent',
    apply: (drive) => lapCompressed(drive, 0.97, 1),
    reasons: ['clock_changed', 'speeds_disagree'],
  },
  {
    name: 'one lap compressed by three percent, with the speeds made to fit',
    apply: (drive) => lapCompressed(drive, 0.97, 1 / 0.97),
    reasons: ['clock_changed'],
  },
  {
    name: 'the clock set back by three seconds in the middle of the lap',
    apply: (drive) => shifted(drive, -3000),
    reasons: ['clock_changed', 'impossible_jump'],
  },
  {
    name: 'the clock set back by less than a second',
    apply: (drive) => shifted(drive, -700),
    reasons: ['clock_changed', 'impossible_jump'],
    needsRate: true,
  },
  {
    name: 'half of the lap taken from a quicker one',
    apply: spliced,
    reasons: ['repeated_positions'],
  },
  {
    name: 'a lap copied and put in again',
    apply: duplicated,
    reasons: ['repeated_positions', 'impossible_jump'],
  },
  {
    name: 'half of the lap taken from another session',
    apply: stitched,
    reasons: ['impossible_jump', 'speeds_disagree', 'clock_changed', 'gap_in_data'],
    needsRate: true,
  },
  {
    name: 'the drive played backwards',
    apply: ({ fixes }) => {
      const [first, last] = [fixes[0]?.timeMs ?? 0, fixes.at(-1)?.timeMs ?? 0];
      return {
        fixes: fixes.toReversed().map((fix) => ({ ...fix, timeMs: first + last - fix.timeMs })),
        momentMs: null,
      };
    },
    reasons: ['wrong_direction'],
  },
  {
    name: 'a jump across the infield',
    apply: (drive) => removed(drive, { from: 0.3, to: 0.6 }),
    reasons: ['impossible_jump', 'too_short', 'off_track'],
  },
  {
    name: 'speeds raised by a tenth in one lap',
    apply: (drive) => inLap(drive, (fix, share) => (share >= 0 && share <= 1 ? quicker(fix, 1.1) : fix)),
    reasons: ['speeds_disagree'],
  },
  {
    name: 'speeds raised by a fifth in the whole file',
    apply: (drive) => everywhere(drive, (fix) => quicker(fix, 1.2)),
    reasons: ['speeds_disagree'],
  },
  {
    name: 'coordinates scaled down by four percent',
    apply: (drive) => scaled(drive, 0.96),
    reasons: ['speeds_disagree', 'off_track', 'too_short'],
  },
  {
    name: 'a stretch filled in with rows from nothing',
    apply: filledIn,
    reasons: ['filled_in', 'off_track', 'speeds_disagree'],
    needsRate: true,
  },
  {
    name: 'every tenth row removed and the stamps written evenly again',
    apply: ({ fixes }) => ({
      fixes: evenly(
        fixes,
        fixes.filter((_, index) => index % 10 !== 5),
      ),
      momentMs: null,
    }),
    reasons: ['speeds_disagree', 'impossible_jump'],
  },
  {
    name: 'a loop back over the line instead of a lap',
    apply: loopedBack,
    reasons: ['wrong_direction', 'too_short', 'off_track'],
  },
  {
    name: 'the recording paused before the line, with a clock that stood still',
    apply: (drive) => removed(drive, { from: 0.95, to: 0.985 }),
    reasons: ['impossible_jump', 'too_short', 'speeds_disagree', 'off_track'],
  },
  {
    name: 'the recording paused over the line',
    apply: (drive) => within(drive, (share) => share < 0.97 || share > 1.03),
    reasons: ['gap_in_data'],
  },
];
