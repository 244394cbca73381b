import type { QueryClient } from '@tanstack/react-query';
import type { LapId, TrackId } from '#contract/ids.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { LapUrl } from '#web/ui/lap-url.ts';

/** Describes the call for a lap. */
export const lapQuery = (trackId: TrackId, lapId: LapId) =>
  apiQuery('GET /api/tracks/:trackId/laps/:lapId', { params: { trackId, lapId } });

/** Describes the call for the trace of a lap. */
export const traceQuery = (trackId: TrackId, lapId: LapId) =>
  apiQuery('GET /api/tracks/:trackId/laps/:lapId/trace', { params: { trackId, lapId } });

/** Describes the call for the comparison of the laps of a URL. */
export const comparisonQuery = (trackId: TrackId, { lapId, otherIds }: LapUrl) =>
  apiQuery('GET /api/tracks/:trackId/laps/:lapId/comparison', {
    params: { trackId, lapId },
    query: { with: otherIds.join(',') },
  });

/** Describes the call for a lap's comparison with the one that it is measured against, or for its trace. */
export const linesQuery = (trackId: TrackId, lapId: LapId) =>
  apiQuery('GET /api/tracks/:trackId/laps/:lapId/lines', { params: { trackId, lapId } });

/** Fetches what the view of these laps shows, all of it at once. */
export async function prefetchLaps(
  queryClient: QueryClient,
  trackId: TrackId,
  lapUrl: LapUrl,
): Promise<void> {
  const { lapId, otherIds } = lapUrl;
  await Promise.all([
    ...[lapId, ...otherIds].map((id) => queryClient.prefetchQuery(lapQuery(trackId, id))),
    otherIds.length === 0
      ? queryClient.prefetchQuery(linesQuery(trackId, lapId))
      : queryClient.prefetchQuery(comparisonQuery(trackId, lapUrl)),
  ]);
}
