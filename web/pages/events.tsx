import type { QueryClient } from '@tanstack/react-query';
import { EventLists, prefetchEventLists } from '#web/features/race-events/event-lists.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';

export async function prefetch(queryClient: QueryClient): Promise<void> {
  await prefetchEventLists(queryClient);
}

/** Shows the events that run, those to come, and those of before. */
export function Page() {
  return (
    <PageColumn>
      <PageTitle>Events</PageTitle>
      <EventLists />
    </PageColumn>
  );
}
