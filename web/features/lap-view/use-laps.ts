import { useQueries, useQuery } from '@tanstack/react-query';
import type { TrackId } from '#contract/ids.ts';
import type { LapComparison } from '#contract/lap-view/comparison.ts';
import type { LapLines, LapTrace, LapView } from '#contract/lap-view/schemas.ts';
import { fromDegreeSteps } from '#engine/comparison/integer-columns.ts';
import { ApiError } from '#web/api/api-error.ts';
import type { LapUrl } from '#web/ui/lap-url.ts';
import { comparisonQuery, lapQuery, linesQuery } from './lap-queries.ts';

/** Returns the laps of a URL, the reference first; undefined while they are loading. */
export function useLaps(trackId: TrackId, { lapId, otherIds }: LapUrl) {
  return useQueries({
    queries: [lapId, ...otherIds].map((id) => lapQuery(trackId, id)),
    combine: (results) => {
      const laps = results.map(({ data }) => data).filter((lap): lap is LapView => lap !== undefined);
      return {
        laps: laps.length === results.length ? laps : undefined,
        isMissing: results.some(({ error }) => isMissing(error)),
        isError: results.some(({ isError }) => isError),
        retry: () => {
          for (const { isError, refetch } of results) if (isError) void refetch();
        },
      };
    },
  });
}

/** Returns the comparison of a lap with the one that it is measured against, or its trace where there is none. */
export function useLines(lap: LapView) {
  return useQuery({
    ...linesQuery(lap.trackId, lap.lapId),
    select: withShownPositions,
    enabled: lap.canBeCompared,
  });
}

function withShownPositions({ comparison, trace }: LapLines) {
  return { comparison: comparison && withLinePositions(comparison), trace: trace && withPositions(trace) };
}

type PositionSteps = Pick<LapTrace, 'latSteps' | 'lonSteps'>;

function withPositions<Columns extends PositionSteps>({ latSteps, lonSteps, ...columns }: Columns) {
  return { ...columns, lats: fromDegreeSteps(latSteps), lons: fromDegreeSteps(lonSteps) };
}

export type LapColumns = ReturnType<typeof withPositions<LapTrace>>;

/** Returns the comparison of the laps of a URL. */
export function useComparison(trackId: TrackId, lapUrl: LapUrl) {
  return useQuery({ ...comparisonQuery(trackId, lapUrl), select: withLinePositions });
}

function withLinePositions({ reference, ...comparison }: LapComparison) {
  return { ...comparison, reference: withPositions(reference) };
}

export type ShownComparison = ReturnType<typeof withLinePositions>;

function isMissing(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}
