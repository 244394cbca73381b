import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/people/schemas.ts';
import { ApiError } from './api-error.ts';
import { callApi } from './call-api.ts';

const ASK_AGAIN_MS = 10_000;

const currentUserQuery = queryOptions({
  queryKey: ['api', 'auth', 'user'],
  queryFn: fetchCurrentUser,
  // After a failure the visitor counts as signed out; the call is not repeated.
  retryOnMount: false,
});

export type CurrentUser = {
  /** Null for a visitor, for a user who is `leaving`, and while `isPending`. */
  user: User | null;
  /** The user whose account is to be deleted. */
  leaving: User | null;
  isPending: boolean;
  /** True where the server did not answer the last time it was asked. */
  isUnanswered: boolean;
};

/** Returns the signed-in user. */
export function useCurrentUser(): CurrentUser {
  const { data = null, isPending, isError } = useQuery(currentUserQuery);
  const isLeaving = data !== null && data.deletionDueAt !== null;
  const [user, leaving] = isLeaving ? [null, data] : [data, null];
  return { user, leaving, isPending, isUnanswered: isError };
}

/**
 * Asks again who is signed in where there is a network, until the server has answered: the page that is kept for times without one is
 * that of a guest.
 */
export function useCurrentUserAgain(): void {
  useQuery({
    ...currentUserQuery,
    refetchOnMount: () => (navigator.onLine ? 'always' : false),
    refetchOnReconnect: 'always',
    // A network that reaches nothing sends no event once it does.
    refetchInterval: ({ state }) => (state.status === 'error' ? ASK_AGAIN_MS : false),
  });
}

/** Returns the signed-in user; null for a visitor, for a user who leaves, and where no server has answered. Asks the server only if that is unknown. */
export async function findCurrentUser(queryClient: QueryClient): Promise<User | null> {
  const { status, data = null } = queryClient.getQueryState(currentUserQuery.queryKey) ?? {};
  const user = status === 'error' ? data : await queryClient.fetchQuery(currentUserQuery).catch(() => null);
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
