import { z } from 'zod';
import { lapIdSchema } from '#contract/ids.ts';
import { nullableNumber, nullableText, positiveInt } from '#contract/values.ts';

const column = (description: string, examples: number[]) =>
  z.array(z.number()).meta({ description, examples: [examples] });

const speed = (description: string, example: number) =>
  z.number().meta({ description: `${description} In km/h.`, examples: [example] });

const lapTimeMs = positiveInt.meta({ examples: [44_986] });

const holes = z
  .array(z.object({ startMeters: z.number(), endMeters: z.number(), lastsMs: positiveInt }))
  .meta({
    description:
      'Where the receiver gave no positions for a second or more: speeds in between are interpolated, and not measured.',
    examples: [[{ startMeters: 1_204.5, endMeters: 1_290, lastsMs: 2_000 }]],
  });

const comparedLapSchema = z.object({
  lapId: lapIdSchema,
  lapTimeMs,
  gapMs: column(
    'How much later than the reference it comes by, each counted from its start: above zero it is slower. The last entry is the difference of the lap times.',
    [0, 4, 9],
  ),
  bandMs: column('Half width of the 95 % interval of `gapMs`.', [0, 2, 3]),
  speedsKmh: column('Kilometres per hour.', [151.2, 153.4, 155.1]),
  holes,
  offsetMeters: z.object({ east: z.number(), north: z.number() }).meta({
    description:
      'The constant offset of its positions from those of the reference, which is subtracted; zero within one session.',
    examples: [{ east: 0.8, north: -1.2 }],
  }),
});

const cornerPosition = {
  number: positiveInt.meta({ description: 'Counted from the start/finish line.', examples: [5] }),
  name: nullableText.meta({
    description: 'Where administrators have named it.',
    examples: ["Devil's Elbow"],
  }),
  direction: z.enum(['left', 'right']),
  startMeters: z.number().meta({ description: 'Where the line begins to turn.', examples: [402] }),
  apexMeters: z.number().meta({ examples: [455] }),
  endMeters: z.number().meta({ description: 'Where the line is straight again.', examples: [520] }),
};

const brakingMeters = nullableNumber.meta({
  description: 'Where braking begins, along the lap; null without braking.',
  examples: [412],
});

export const drivenCornerSchema = z.object({
  ...cornerPosition,
  entryKmh: speed('Speed at the start of the stretch.', 148),
  brakingMeters: brakingMeters.meta({
    description: 'Where braking begins, along the lap; null without braking, or where it is not clear.',
    examples: [412],
  }),
  minKmh: speed('The lowest speed.', 71),
  exitKmh: speed('Speed at the end of the stretch.', 96),
  timeMs: z.number().meta({ description: 'Through the stretch.', examples: [4_870] }),
});

export type DrivenCorner = z.infer<typeof drivenCornerSchema>;

const cornerSchema = z.object(cornerPosition);

/** One measured difference that explains most of what a lap loses in a stretch; below zero where it gains. */
const causeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('braking'),
    earlierMeters: z.number().meta({
      description: 'How much earlier than the reference it brakes; below zero, later.',
      examples: [14],
    }),
  }),
  z.object({
    kind: z.enum(['start-speed', 'slowest-speed', 'middle-speed', 'end-speed']),
    atMeters: z.number().meta({ description: 'Where that is: an entry of `meters`.', examples: [450] }),
    slowerKmh: z.number().meta({
      description: 'How much slower than the reference it is there; below zero, faster.',
      examples: [6],
    }),
  }),
]);

export type Cause = z.infer<typeof causeSchema>;

const doubt = (of: string, example: number) =>
  z
    .number()
    .nonnegative()
    .meta({
      description: `Half width of the 95 % interval of the difference of ${of} from that of the reference, in km/h; 0 for the reference itself.`,
      examples: [example],
    });

/** The figures of one lap in one stretch. All speeds are points of `speedsKmh`. */
const stretchLapSchema = z.object({
  startKmh: speed('Speed at the start.', 148),
  slowestKmh: nullableNumber.meta({
    description: 'The lowest speed in a corner; null on straights.',
    examples: [71],
  }),
  slowestMeters: nullableNumber.meta({ description: 'Where that is; null on straights.', examples: [450] }),
  endKmh: speed('Speed at the end.', 96),
  startDoubtKmh: doubt('`startKmh`', 2),
  slowestDoubtKmh: doubt('`slowestKmh`', 2),
  endDoubtKmh: doubt('`endKmh`', 2),
  brakingMeters,
  brakingDoubtMeters: z
    .number()
    .nonnegative()
    .meta({ description: 'Half width of the 95 % interval of `brakingMeters`.', examples: [2] }),
  isBrakingClear: z.boolean().meta({
    description:
      'False where the lap loses speed shortly before its braking as well, so that it is not clear where that begins.',
  }),
  brakingEarlierMeters: nullableNumber.meta({
    description:
      'How much earlier than the reference it brakes; below zero, later. Null where that is not certain, or one of them does not brake.',
    examples: [14],
  }),
  lostMs: z
    .int()
    .meta({ description: 'Against the reference; 0 for the reference itself.', examples: [124] }),
  bandMs: z
    .number()
    .nonnegative()
    .meta({ description: 'Half width of the 95 % interval of `lostMs`.', examples: [18] }),
  cause: causeSchema
    .nullable()
    .meta({ description: 'Null where no single difference is certain or explains the time.' }),
});

export type StretchLap = z.infer<typeof stretchLapSchema>;

const stretchSchema = z.object({
  kind: z.enum(['straight', 'corner']),
  number: positiveInt.meta({
    description:
      'The number of the corner. A straight has the number of the corner after it; the one to the finish line has one more than the last corner.',
    examples: [5],
  }),
  startMeters: z.number().meta({ description: 'An entry of `meters`.', examples: [390] }),
  endMeters: z.number().meta({ description: 'An entry of `meters`.', examples: [540] }),
  laps: z
    .array(stretchLapSchema)
    .meta({ description: 'The reference first, then the others in the order of `laps`.' }),
});

export type ComparedStretch = z.infer<typeof stretchSchema>;

/** Compares up to four laps of one track. All columns are equally long, one entry per point of the track. */
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
    holes,
  }),
  laps: z.array(comparedLapSchema).min(1).max(3),
  corners: z.array(cornerSchema),
  stretches: z.array(stretchSchema).meta({
    description:
      'Straights and corners in driving order, without gap or overlap: `lostMs` of all of them add up to the last entry of `gapMs`.',
  }),
  placesToGain: z.array(z.array(z.int().nonnegative()).max(3)).meta({
    description:
      'For each of `laps`, indexes of `stretches`: the largest losses first, none that may be chance.',
    examples: [[[4, 0]]],
  }),
});

export type LapComparison = z.infer<typeof lapComparisonSchema>;
