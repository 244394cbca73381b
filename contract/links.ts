import { z } from 'zod';
import { LIMITS } from './limits.ts';

/** A link that a browser may open: http or https only. */
export const linkSchema = z
  .url({ protocol: /^https?$/, error: 'The link must begin with http:// or https://.' })
  .max(LIMITS.urlCharactersMax, `The link may have ${LIMITS.urlCharactersMax} characters at most.`)
  .regex(/^[^\p{Cc}\s]*$/u, 'The link must not hold spaces or control characters.');
