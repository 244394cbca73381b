import { z } from 'zod';
import { trackIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { LIMITS } from '#contract/limits.ts';
import { INVISIBLE_CHARACTERS, VISIBLE_NAME } from '#contract/names.ts';

const cornerNameSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(LIMITS.cornerNameCharactersMax)
    .regex(VISIBLE_NAME, INVISIBLE_CHARACTERS),
  lat: z.number().min(-90).max(90).meta({ description: 'Of the apex.' }),
  lon: z.number().min(-180).max(180),
});

const cornerNamesSchema = z.object({ corners: z.array(cornerNameSchema).max(LIMITS.cornersMax) }).meta({
  description:
    'A name belongs to the corner whose apex is nearest, within 100 m: it stays there when the corners are counted otherwise.',
  examples: [{ corners: [{ name: 'Tarzan', lat: 52.3879, lon: 4.5403 }] }],
});

export const nameCornersEndpoint = endpoint({
  method: 'PUT',
  path: '/api/admin/tracks/:trackId/corner-names',
  access: 'admin',
  audit: 'name-corners',
  summary: 'Names corners of a track. Corners that are not given have no name.',
  params: z.object({ trackId: trackIdSchema }),
  body: cornerNamesSchema,
  response: cornerNamesSchema,
  errors: { not_found: 'There is no such track.' },
});
