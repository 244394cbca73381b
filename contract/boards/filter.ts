import { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';
import { LAP_EVIDENCE, TIME_PERIODS, TIRE_COMPOUNDS } from '#contract/laps/labels.ts';

const timePeriodSchema = z.enum(TIME_PERIODS);

const filterBy = (name: string, example: string) =>
  z
    .string()
    .max(LIMITS.nameCharactersMax)
    .optional()
    .meta({ description: `Only laps of this ${name}.`, examples: [example] });

/** The filters of a board; a filter that is absent or empty has no effect. */
export const boardFilterSchema = z.object({
  timePeriod: z
    .union([timePeriodSchema, z.literal('')])
    .optional()
    .meta({ description: 'Only laps of sessions that began within this time.' }),
  make: filterBy('make', 'Mazda'),
  modelFamily: filterBy('model family', 'MX-5'),
  variant: filterBy('variant', '1.8'),
  generation: filterBy('generation', 'NB'),
  raceClass: filterBy('race class', 'Roadster'),
  drivetrain: filterBy('drivetrain', 'RWD'),
  tire: z
    .union([z.enum(TIRE_COMPOUNDS), z.literal('')])
    .optional()
    .meta({ description: 'Only laps on tyres of this category.' }),
  evidence: z
    .union([z.enum(LAP_EVIDENCE), z.literal('')])
    .optional()
    .meta({
      description:
        'Only laps with this evidence. `file`: timed here from the lap file. `video`: with a link to a video. `video-gps`: the positions of a camera agree. `official`: confirmed from a published result.',
    }),
});

export type BoardFilter = z.infer<typeof boardFilterSchema>;

const filterOptionsOf = (example: string) =>
  z.array(
    z.object({
      value: z.string().meta({ examples: [example] }),
      drivers: z.int().meta({
        description: 'Drivers that are left with it, under all other filters in use.',
        examples: [12],
      }),
    }),
  );

export const filterOptionsSchema = z.object({
  timePeriod: filterOptionsOf('1-year'),
  make: filterOptionsOf('Mazda'),
  modelFamily: filterOptionsOf('MX-5').meta({ description: 'Empty without a make.' }),
  variant: filterOptionsOf('1.8').meta({ description: 'Empty without a model family.' }),
  generation: filterOptionsOf('NB').meta({ description: 'Empty without a variant.' }),
  raceClass: filterOptionsOf('Roadster'),
  drivetrain: filterOptionsOf('RWD'),
  tire: filterOptionsOf('track-200'),
});

export type FilterOptions = z.infer<typeof filterOptionsSchema>;
