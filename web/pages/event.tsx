import { useQuery, type QueryClient } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { RaceEventId } from '#contract/ids.ts';
import { ApiError } from '#web/api/api-error.ts';
import type { PageVisit } from '#web/api/page-visit.ts';
import { EventWithResults } from '#web/features/race-events/event-with-results.tsx';
import { eventQuery, prefetchEvent } from '#web/features/race-events/event-queries.ts';
import { loginPath } from '#web/shell/return-path.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { eventHref } from '#web/ui/page-hrefs.ts';
import { FlagPicture } from '#web/ui/picture.tsx';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { isEventId } from '#web/ui/url-ids.ts';

export async function prefetch(queryClient: QueryClient, { params }: PageVisit): Promise<void> {
  if (isEventId(params.eventId)) await prefetchEvent(queryClient, params.eventId);
}

/** Shows an event with its results and entries; those who run the club run it here. */
export function Page() {
  const { eventId } = useParams();
  return (
    <PageColumn>
      {isEventId(eventId) ? <Event key={eventId} eventId={eventId} /> : <EventNotFound />}
    </PageColumn>
  );
}

function Event({ eventId }: { eventId: RaceEventId }) {
  const { data, error, refetch } = useQuery(eventQuery(eventId));
  if (data && !isMissing(error))
    return <EventWithResults answer={data} signInHref={loginPath(eventHref(eventId))} />;
  if (isMissing(error)) return <EventNotFound />;
  return (
    <>
      <PageTitle className="visually-hidden">Event</PageTitle>
      {error ? (
        <FailedState title="The event could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <LoadingState>Loading event...</LoadingState>
      )}
    </>
  );
}

function isMissing(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}

function EventNotFound() {
  return (
    <>
      <PageTitle className="visually-hidden">Event not found</PageTitle>
      <EmptyState
        title="Event not found"
        picture={<FlagPicture />}
        actions={<ButtonLink href="/events">All events</ButtonLink>}
      />
    </>
  );
}
