import { Moderation } from '#web/features/moderation/moderation.tsx';
import { ClubPage, prefetchClubPage } from '#web/shell/club-page.tsx';

export { prefetchClubPage as prefetch };

export function Page() {
  return (
    <ClubPage title="Moderation" forModerators deniedText="Only moderators decide on flagged laps.">
      <Moderation />
    </ClubPage>
  );
}
