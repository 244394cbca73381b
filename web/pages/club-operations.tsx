import type { QueryClient } from '@tanstack/react-query';
import { mayAdminister } from '#contract/people/labels.ts';
import type { PageVisit } from '#web/api/page-visit.ts';
import { MailCard } from '#web/features/mail/mail-card.tsx';
import { BackupsCard } from '#web/features/operations/backups-card.tsx';
import { OperationLists, prefetchOperationLists } from '#web/features/operations/operation-lists.tsx';
import { ServerCard } from '#web/features/operations/server-card.tsx';
import { SetUpDialog } from '#web/features/operations/set-up-dialog.tsx';
import { prefetchStatus, StatusLines } from '#web/features/operations/status-lines.tsx';
import { ClubSettings } from '#web/features/people/club-settings.tsx';
import { WebhooksCard } from '#web/features/webhooks/webhooks-card.tsx';
import { ClubPage, prefetchClubPage } from '#web/shell/club-page.tsx';
import cardList from '#web/ui/card-list.module.css';

export function prefetch(queryClient: QueryClient, visit: PageVisit): Promise<void> {
  return prefetchClubPage(queryClient, visit, (viewer) =>
    mayAdminister(viewer)
      ? [...prefetchStatus(queryClient), ...prefetchOperationLists(queryClient, viewer)]
      : [],
  );
}

/** Shows the state of the server; its forms are behind buttons. */
export function Page() {
  return (
    <ClubPage title="Operations" deniedText="Only administrators see how the server runs.">
      <div className={cardList['cards']}>
        <StatusLines title="What runs" withClub />
        <OperationLists />
      </div>
      <SetUpDialog
        contents={{
          server: <ServerCard />,
          backups: <BackupsCard />,
          mail: <MailCard />,
          webhooks: <WebhooksCard />,
          club: <ClubSettings />,
        }}
      />
    </ClubPage>
  );
}
