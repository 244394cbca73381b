import type { QueryClient } from '@tanstack/react-query';
import { mayAdminister } from '#contract/people/labels.ts';
import { AuditLog, prefetchAuditLog } from '#web/features/audit/audit-log.tsx';
import type { PageVisit } from '#web/api/page-visit.ts';
import { ClubPage, prefetchClubPage } from '#web/shell/club-page.tsx';

export function prefetch(queryClient: QueryClient, visit: PageVisit): Promise<void> {
  return prefetchClubPage(queryClient, visit, (viewer) =>
    mayAdminister(viewer) ? [prefetchAuditLog(queryClient)] : [],
  );
}

export function Page() {
  return (
    <ClubPage title="Audit Log" deniedText="Only administrators see who did what.">
      <AuditLog />
    </ClubPage>
  );
}
