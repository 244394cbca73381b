import type { QueryClient } from '@tanstack/react-query';
import { mayAdminister } from '#contract/people/labels.ts';
import type { PageVisit } from '#web/api/page-visit.ts';
import { PeopleTable, prefetchPeople } from '#web/features/people/people-table.tsx';
import { ClubPage, prefetchClubPage } from '#web/shell/club-page.tsx';
import { InvitePeople } from '#web/features/people/invite-people.tsx';

export function prefetch(queryClient: QueryClient, visit: PageVisit): Promise<void> {
  return prefetchClubPage(queryClient, visit, (viewer) =>
    mayAdminister(viewer) ? prefetchPeople(queryClient) : [],
  );
}

export function Page() {
  return (
    <ClubPage
      title="People"
      deniedText="Only administrators see everybody with an account."
      action={<InvitePeople />}
    >
      <PeopleTable />
    </ClubPage>
  );
}
