import { z } from 'zod';
import { DATES, type FormatChoice, UNITS } from './labels.ts';

const ELSE_BROWSER = 'null: those of the region of the browser’s language.';

/** The forms in which pages show units, dates and times to a person. */
export const formatChoiceFields = {
  units: z
    .enum(UNITS)
    .nullable()
    .meta({
      description: `Units on pages: \`metric\` is km/h, km, m and °C; \`british\` mph, miles, m and °C; \`american\` mph, miles, feet and °F; ${ELSE_BROWSER} Answers of the API are always metric.`,
    }),
  dates: z
    .enum(DATES)
    .nullable()
    .meta({ description: `Form of dates and times on pages; ${ELSE_BROWSER}` }),
} satisfies Record<keyof FormatChoice, z.ZodType>;

/** The choice of a visitor, as the cookie holds it. */
export const formatChoiceSchema = z.object(formatChoiceFields);
