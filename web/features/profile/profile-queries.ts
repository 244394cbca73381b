import { type QueryClient, useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { uploadImage, type UploadImageOptions } from '#web/api/send-with-progress.ts';
import { readSessions } from '#web/api/specified-answers/profiles.ts';
import { tracksQuery } from '#web/api/specified-answers/tracks.ts';
import { listTrackVisits, type TrackVisit } from './track-history.ts';

/** A driver by id or by name, as others see them. */
export const driverQuery = (idOrName: string) =>
  apiQuery('GET /api/users/:idOrName', { params: { idOrName } });

/** How many laps of a driver rank. */
export const totalCountQuery = (userId: string) =>
  apiQuery('GET /api/laps/user/:userId/total-count', { params: { userId } });

/** The best laps of a driver, by the id of the track. */
const bestsByTrackQuery = (userId: string) =>
  apiQuery('GET /api/laps/user/:userId/by-track', { params: { userId } });

/** The sessions of a driver, newest first. */
export const sessionsQuery = (userId: string) => ({
  ...apiQuery('GET /api/sessions/user/:userId', { params: { userId } }),
  select: readSessions,
});

/** Everything that a driver has driven on a track. */
export const driverLapsQuery = (trackId: string, userId: string) =>
  apiQuery('GET /api/tracks/:trackId/drivers/:userId/laps', { params: { trackId, userId } });

/** What a user may change about themselves. */
export type Preferences = { emailUpdates: boolean; keepLinesPrivate?: boolean; displayName?: string };

/** Saves the preferences; boards show the new name at once. */
export async function savePreferences(preferences: Preferences, queryClient: QueryClient): Promise<void> {
  await callApi('PATCH /api/auth/user/preferences', { body: preferences });
  await refreshDriver(queryClient);
  // Who may see the lines of laps has changed with them.
  await refresh(['tracks'], queryClient);
}

/** Makes an image the user's own picture; boards show it at once. */
export async function uploadAvatar(
  file: File,
  options: UploadImageOptions,
  queryClient: QueryClient,
): Promise<void> {
  const avatarURL = await uploadImage(file, options);
  await callApi('PUT /api/user/avatar', { body: { avatarURL } });
  await refreshDriver(queryClient);
}

/** Removes the user's own picture. */
export async function removeAvatar(queryClient: QueryClient): Promise<void> {
  await callApi('DELETE /api/user/avatar');
  await refreshDriver(queryClient);
}

/** Deletes a session with its laps, which changes boards, totals and the order of the tracks. */
export async function deleteSession(id: string, queryClient: QueryClient): Promise<void> {
  await callApi('DELETE /api/sessions/:id', { params: { id } });
  await refresh(['sessions', 'laps', 'tracks'], queryClient);
}

/** The download of everything that is stored of the user. */
export const EXPORT_ADDRESS = '/api/account/export';

/** Deletes the user with all their data, and signs them out. */
export async function deleteAccount(): Promise<void> {
  await callApi('DELETE /api/account');
}

async function refreshDriver(queryClient: QueryClient): Promise<void> {
  await refresh(['auth', 'users', 'laps'], queryClient);
}

/** The tracks of a driver; undefined while they are loading. */
export type TrackVisits = { visits: TrackVisit[] | undefined; hasFailed: boolean; retry: () => void };

/** Puts the sessions of a driver, the best laps and the list of tracks together. */
export function useTrackVisits(userId: string): TrackVisits {
  const sessions = useQuery(sessionsQuery(userId));
  const bests = useQuery(bestsByTrackQuery(userId));
  const tracks = useQuery(tracksQuery);
  const queries = [sessions, bests, tracks];
  return {
    visits:
      sessions.data && bests.data && tracks.data && listTrackVisits(sessions.data, bests.data, tracks.data),
    hasFailed: queries.some((query) => query.isError),
    retry: () => {
      for (const query of queries) if (query.isError) void query.refetch();
    },
  };
}
