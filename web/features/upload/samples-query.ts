import { apiQuery } from '#web/api/api-query.ts';

export const samplesQuery = apiQuery('GET /api/samples');
