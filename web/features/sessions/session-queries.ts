import type { SessionId } from '#contract/ids.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer, RequestFor } from '#web/api/call-api.ts';

export const ownSessionQuery = (id: SessionId) => apiQuery('GET /api/sessions/:id', { params: { id } });

export type OwnSession = Answer<'GET /api/sessions/:id'>;

export const garageQuery = apiQuery('GET /api/user-cars');

export const tireCompoundsQuery = apiQuery('GET /api/laps/tire-compounds');

/** Names what a driver changes of a session; what is not given stays as it is. */
export type SessionChange = RequestFor<'PATCH /api/sessions/:id'>['body'];
