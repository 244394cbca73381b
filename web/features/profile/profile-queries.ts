import type { QueryClient } from '@tanstack/react-query';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';

/** A driver by id or by name, as others see them. */
export const driverQuery = (idOrName: string) =>
  apiQuery('GET /api/users/:idOrName', { params: { idOrName } });

/** How many laps of a driver rank. */
export const totalCountQuery = (userId: string) =>
  apiQuery('GET /api/laps/user/:userId/total-count', { params: { userId } });

/** The best laps of a driver, by the id of the track. */
export const bestsByTrackQuery = (userId: string) =>
  apiQuery('GET /api/laps/user/:userId/by-track', { params: { userId } });

/** The sessions of a driver, newest first. */
export const sessionsQuery = (userId: string) =>
  apiQuery('GET /api/sessions/user/:userId', { params: { userId } });

/** Every track there is. */
export const tracksQuery = apiQuery('GET /api/tracks');

/** What a user may change about themselves. */
export type Preferences = { emailUpdates: boolean; displayName?: string };

/** Saves the preferences; boards show the new name at once. */
export async function savePreferences(preferences: Preferences, queryClient: QueryClient): Promise<void> {
  await callApi('PATCH /api/auth/user/preferences', { body: preferences });
  await Promise.all(
    ['auth', 'users', 'laps'].map((name) => queryClient.invalidateQueries({ queryKey: ['api', name] })),
  );
}
