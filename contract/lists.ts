import { z } from 'zod';
import { LIMITS } from './limits.ts';

const ADMIN_PAGE_ROWS = 50;

export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(LIMITS.boardPageEntriesMax).default(ADMIN_PAGE_ROWS),
  offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
});

/** The query of a page of rows whose names contain every word of `q`. */
export const searchQuery = pageQuery.extend({ q: z.string().trim().max(100).default('') });
