import { z } from 'zod';
import { EXPORT_FORMATS } from './labels.ts';

export const exportQuerySchema = z.object({
  as: z.enum(EXPORT_FORMATS).meta({ description: 'The format of the file.' }),
});
