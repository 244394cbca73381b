import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/people/schemas.ts';
import { ApiError } from './api-error.ts';
import { callApi } from './call-api.ts';

const currentUserQuery = queryOptions({
  queryKey: ['api', 'auth', 'user'],
  queryFn: fetchCurrentUser,
  // After a failure the visitor counts as signed out; the call is not repeated.
  retryOnMount: false,
});

/**
 * Returns the signed-in user; null for a visitor, and for a user whose account is to be deleted, who is `leaving`. While
 * `isPending` is true, both are null.
 */
export function useCurrentUser(): { user: User | null; leaving: User | null; isPending: boolean } {
  const { data = null, isPending } = useQuery(currentUserQuery);
  const isLeaving = data !== null && data.deletionDueAt !== null;
  return { user: isLeaving ? null : data, leaving: isLeaving ? data : null, isPending };
}

/** Returns the signed-in user; null for a visitor, for a user who leaves, and after a failure. Asks the server only if that is unknown. */
export async function findCurrentUser(queryClient: QueryClient): Promise<User | null> {
  const hasFailed = queryClient.getQueryState(currentUserQuery.queryKey)?.status === 'error';
  const user = hasFailed ? null : await queryClient.fetchQuery(currentUserQuery).catch(() => null);
  return user?.deletionDueAt ? null : user;
}

async function fetchCurrentUser(): Promise<User | null> {
  try {
    return await callApi('GET /api/auth/user');
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
