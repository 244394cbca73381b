import { z } from 'zod';
import { REGISTRATIONS } from '#contract/sign-in/labels.ts';
import { INVISIBLE_CHARACTERS, VISIBLE_NAME } from '#contract/names.ts';

export const clubSettingsSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Enter the name of your club.')
    .max(80)
    .regex(VISIBLE_NAME, INVISIBLE_CHARACTERS)
    .meta({ examples: ['Kart Club Nord'] }),
  timeZone: z
    .string()
    .refine(isTimeZone, 'Choose a time zone.')
    .meta({ examples: ['Europe/Vienna'] }),
  registration: z.enum(REGISTRATIONS),
  hasSimulatorBoards: z
    .boolean()
    .meta({ description: 'Whether laps of simulators have boards of their own.' }),
  hasSamples: z
    .boolean()
    .meta({ description: 'Whether sample lap files are offered, and their laps are listed as samples.' }),
});

export const fixedRegistrationSchema = clubSettingsSchema.shape.registration.nullable().meta({
  description: 'The value of the setting REGISTRATION of the server, which overrides the choice here.',
});

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
