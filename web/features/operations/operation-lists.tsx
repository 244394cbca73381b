import { useQuery, type QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/people/schemas.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { LoadingState } from '#web/ui/state-message.tsx';
import { JobsCard, jobsQuery } from './jobs-card.tsx';
import { RefusedFilesCard, refusedFilesQuery } from './refused-files-card.tsx';

const isOwner = (user: Pick<User, 'role'> | null) => user?.role === 'owner';

export function prefetchOperationLists(
  queryClient: QueryClient,
  viewer: Pick<User, 'role'>,
): Promise<void>[] {
  const jobs = queryClient.prefetchQuery(jobsQuery);
  return isOwner(viewer) ? [jobs, queryClient.prefetchQuery(refusedFilesQuery)] : [jobs];
}

/** Shows the files that owners are sent, and the background work: both at once, so that none moves the other. */
export function OperationLists() {
  const { user } = useCurrentUser();
  const jobs = useQuery(jobsQuery);
  const files = useQuery({ ...refusedFilesQuery, enabled: isOwner(user) });
  // A card that fails and asks again stays.
  if (!jobs.isFetched || (isOwner(user) && !files.isFetched))
    return <LoadingState>Loading background work...</LoadingState>;
  return (
    <>
      {isOwner(user) && <RefusedFilesCard />}
      <JobsCard />
    </>
  );
}
