import { apiQuery } from './api-query.ts';

/** The query of all tracks of the library. */
export const tracksQuery = apiQuery('GET /api/tracks');
