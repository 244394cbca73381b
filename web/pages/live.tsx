import Radio from 'lucide-react/icons/radio';
import type { QueryClient } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { LiveCode } from '#contract/live/code.ts';
import { ApiError } from '#web/api/api-error.ts';
import type { PageVisit } from '#web/api/page-visit.ts';
import { LiveWall } from '#web/features/live/live-wall.tsx';
import { liveQuery, useLiveView } from '#web/features/live/use-live-view.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { isLiveCode } from '#web/ui/url-ids.ts';

export async function prefetch(queryClient: QueryClient, { params }: PageVisit): Promise<void> {
  const { code } = params;
  if (isLiveCode(code)) await queryClient.prefetchQuery(liveQuery(code));
}

export function Page() {
  const { code } = useParams();
  return isLiveCode(code) ? <Live key={code} code={code} /> : null;
}

function Live({ code }: { code: LiveCode }) {
  const { view, error, firstNow, refetch } = useLiveView(code);
  if (view) return <LiveWall view={view} firstNow={firstNow} />;
  if (error instanceof ApiError && error.status < 500)
    return (
      <PageColumn>
        <PageTitle className="visually-hidden">Live Session Not Found</PageTitle>
        <EmptyState
          title="Live Session Not Found"
          icon={<Radio size={22} />}
          actions={<ButtonLink href="/leaderboards">Explore Leaderboards</ButtonLink>}
        >
          It has ended, or never was. Ask the driver for a new link.
        </EmptyState>
      </PageColumn>
    );
  return (
    <PageColumn>
      <PageTitle className="visually-hidden">Live Session</PageTitle>
      {error ? (
        <FailedState title="The live session could not be loaded." onRetry={refetch} />
      ) : (
        <LoadingState>Loading live session...</LoadingState>
      )}
    </PageColumn>
  );
}
