import type { QueryClient } from '@tanstack/react-query';
import type { PageVisit } from '#web/api/page-visit.ts';
import { ClubEvents, prefetchClubEvents } from '#web/features/race-events/club-events.tsx';
import { NewEvent } from '#web/features/race-events/new-event.tsx';
import { ClubPage, prefetchClubPage } from '#web/shell/club-page.tsx';

export function prefetch(queryClient: QueryClient, visit: PageVisit): Promise<void> {
  return prefetchClubPage(queryClient, visit, () => [prefetchClubEvents(queryClient)]);
}

export function Page() {
  return (
    <ClubPage
      title="Events"
      forModerators
      deniedText="Only those who run the club run its events."
      action={<NewEvent />}
    >
      <ClubEvents />
    </ClubPage>
  );
}
