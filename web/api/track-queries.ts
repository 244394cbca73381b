import { apiQuery } from './api-query.ts';

export const tracksQuery = apiQuery('GET /api/tracks');
