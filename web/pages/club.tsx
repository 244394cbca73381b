import type { QueryClient } from '@tanstack/react-query';
import { mayAdminister } from '#contract/people/labels.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import type { PageVisit } from '#web/api/page-visit.ts';
import { prefetchActivity, WhatWasDriven } from '#web/features/boards/what-was-driven.tsx';
import { WhatWaits } from '#web/features/moderation/what-waits.tsx';
import { FirstStepsOfClub, prefetchFirstSteps } from '#web/features/operations/first-steps.tsx';
import { prefetchStatus, StatusLines } from '#web/features/operations/status-lines.tsx';
import { InvitePeople } from '#web/features/people/invite-people.tsx';
import { prefetchSeenLast, SeenLast } from '#web/features/people/seen-last.tsx';
import { ClubPage, prefetchClubPage } from '#web/shell/club-page.tsx';
import styles from './club.module.css';

export function prefetch(queryClient: QueryClient, visit: PageVisit): Promise<void> {
  return prefetchClubPage(queryClient, visit, (viewer) => {
    if (!mayAdminister(viewer)) return [];
    const forAll = [
      ...prefetchStatus(queryClient),
      prefetchActivity(queryClient),
      ...prefetchSeenLast(queryClient),
    ];
    return viewer.role === 'owner' ? [...forAll, prefetchFirstSteps(queryClient)] : forAll;
  });
}

/** Shows what runs, what waits, what was driven and who was here; moderators see what waits for them. */
export function Page() {
  const { user } = useCurrentUser();
  const isAdmin = mayAdminister(user);
  return (
    <ClubPage
      title="Overview"
      forModerators
      deniedText="Only those who run the club see this."
      action={isAdmin && <InvitePeople />}
    >
      <div className={styles['columns']}>
        <div className={styles['column']}>
          {isAdmin && <StatusLines title="What runs" />}
          <WhatWaits />
          {isAdmin && <WhatWasDriven />}
        </div>
        {isAdmin && (
          <div className={styles['column']}>
            {user?.role === 'owner' && <FirstStepsOfClub />}
            <SeenLast />
          </div>
        )}
      </div>
    </ClubPage>
  );
}
