import type { QueryClient } from '@tanstack/react-query';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi, type Answer } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';

/** An own session with all its laps. */
export const ownSessionQuery = (id: string) => apiQuery('GET /api/sessions/:id', { params: { id } });

export type OwnSession = Answer<'GET /api/sessions/:id'>;

/** The cars that a session can have been driven in. */
export const garageQuery = apiQuery('GET /api/user-cars');

/** The tyre categories, in the order in which they are shown. */
export const tireCompoundsQuery = apiQuery('GET /api/laps/tire-compounds');

/** What a driver may change of a session; what is not given stays as it is. */
export type SessionChange = Partial<Pick<OwnSession, 'linesPrivate' | 'videoUrl'>> & {
  userCarId?: string;
  tireCompound?: Answer<'GET /api/laps/tire-compounds'>[number];
  laps?: { lapId: string; isLeftOut: boolean }[];
};

/** Changes an own session; boards and profile follow at once. */
export async function changeSession(
  id: string,
  change: SessionChange,
  queryClient: QueryClient,
): Promise<void> {
  await callApi('PATCH /api/sessions/:id', { params: { id }, body: change });
  await refresh(['sessions', 'laps', 'tracks'], queryClient);
}
