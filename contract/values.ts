import { z } from 'zod';

/** Many calls share these schemas; each adds its own description by `meta`. */
export const nullableText = z.string().nullable();
export const nullableNumber = z.number().nullable();
export const positiveInt = z.int().positive();
export const nonnegativeInt = z.int().nonnegative();
export const momentSchema = z
  .string()
  .meta({ description: 'ISO 8601, UTC.', examples: ['2026-06-07T09:12:40.000Z'] });

const FIRST_DAY = '1900-01-01';

/** A day that somebody gives; the database refuses the year 0000. */
export const givenDaySchema = z.iso
  .date('A day is written as 2026-06-07.')
  .refine((day) => day >= FIRST_DAY, `A day is ${FIRST_DAY} or later.`);
