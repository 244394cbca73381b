import { z } from 'zod';
import { lapIdSchema } from '#contract/ids.ts';

const column = (description: string, examples: number[]) =>
  z.array(z.number()).meta({ description, examples: [examples] });

const speed = (description: string, example: number) =>
  z.number().meta({ description: `${description} In km/h.`, examples: [example] });

const lapTimeMs = z
  .int()
  .positive()
  .meta({ examples: [44_986] });

const comparedLapSchema = z.object({
  lapId: lapIdSchema,
  lapTimeMs,
  gapMs: column(
    'How much later than the reference it comes by, each counted from its start: above zero it is slower. The last entry is the difference of the lap times.',
    [0, 4, 9],
  ),
  bandMs: column('Half width of the 95 % interval of `gapMs`.', [0, 2, 3]),
  speedsKmh: column('Kilometres per hour.', [151.2, 153.4, 155.1]),
  offsetMeters: z.object({ east: z.number(), north: z.number() }).meta({
    description:
      'The constant offset of its positions from those of the reference, which is subtracted; zero within one session.',
    examples: [{ east: 0.8, north: -1.2 }],
  }),
});

const cornerFigures = {
  entryKmh: speed('Speed at the start of the stretch.', 148),
  brakingMeters: z
    .number()
    .nullable()
    .meta({ description: 'Where braking begins, along the lap; null without braking.', examples: [412] }),
  minKmh: speed('The lowest speed.', 71),
  exitKmh: speed('Speed at the end of the stretch.', 96),
  timeMs: z.number().meta({ description: 'Through the stretch.', examples: [4_870] }),
};

/** The figures of one lap in one corner. */
const cornerLapSchema = z.object({
  ...cornerFigures,
  lostMs: z
    .number()
    .meta({ description: 'Against the reference; 0 for the reference itself.', examples: [124] }),
  bandMs: z
    .number()
    .nonnegative()
    .meta({ description: 'Half width of the 95 % interval of `lostMs`.', examples: [18] }),
});

const corner = {
  number: z
    .int()
    .positive()
    .meta({ description: 'Counted from the start/finish line.', examples: [5] }),
  name: z
    .string()
    .nullable()
    .meta({ description: 'Where administrators have named it.', examples: ["Devil's Elbow"] }),
  direction: z.enum(['left', 'right']),
  startMeters: z.number().meta({ examples: [402] }),
  apexMeters: z.number().meta({ examples: [455] }),
  endMeters: z.number().meta({ examples: [520] }),
};

/** A corner with the figures of a single lap. */
export const drivenCornerSchema = z.object({ ...corner, ...cornerFigures });

export type DrivenCorner = z.infer<typeof drivenCornerSchema>;

const cornerSchema = z.object({
  ...corner,
  laps: z
    .array(cornerLapSchema)
    .meta({ description: 'The reference first, then the others in the order of `laps`.' }),
});

export type ComparedCorner = z.infer<typeof cornerSchema>;

/** A corner in which a lap loses more on the reference than the uncertainty explains. */
const cornerLossSchema = z.object({
  cornerNumber: z
    .int()
    .positive()
    .meta({ examples: [5] }),
  lostMs: z.number().meta({ examples: [212] }),
  bandMs: z
    .number()
    .nonnegative()
    .meta({ description: 'Half width of the 95 % interval.', examples: [22] }),
  brakingEarlierMeters: z
    .number()
    .nullable()
    .meta({
      description:
        'How much earlier than the reference it brakes; below zero, later. Null where either does not brake.',
      examples: [14],
    }),
  apexSlowerKmh: z
    .number()
    .nullable()
    .meta({ description: 'How much less than the reference its lowest speed is.', examples: [6] }),
  exitSlowerKmh: z
    .number()
    .nullable()
    .meta({ description: 'How much slower than the reference it leaves.', examples: [4] }),
});

export type CornerLoss = z.infer<typeof cornerLossSchema>;

/**
 * Compares up to four laps of one track by the positions of the cars. All columns are equally long, one entry per point
 * of the track.
 */
export const lapComparisonSchema = z.object({
  reference: z.object({
    lapId: lapIdSchema,
    lapTimeMs,
    meters: column("Along the track's reference line, from 0 at the start/finish line.", [0, 5, 10]),
    latSteps: column(
      'Of the reference line: degrees north in ten-millionths, the first one, then the step from each to the next.',
      [511_777_100, 102, 98],
    ),
    lonSteps: column('Degrees east, as `latSteps`.', [11_989_000, 301, 297]),
    elapsedMs: column('Of the reference lap, since its start.', [0, 118.5, 236]),
    speedsKmh: column('Of the reference lap.', [151.2, 152.7, 154]),
  }),
  laps: z.array(comparedLapSchema).min(1).max(3),
  corners: z.array(cornerSchema),
  placesToGain: z
    .array(z.array(cornerLossSchema).max(3))
    .meta({ description: 'For each of `laps`, the largest losses first; none that may be chance.' }),
});

export type LapComparison = z.infer<typeof lapComparisonSchema>;
