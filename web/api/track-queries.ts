import { apiQuery } from './api-query.ts';

/** All tracks of the library. */
export const tracksQuery = apiQuery('GET /api/tracks');
