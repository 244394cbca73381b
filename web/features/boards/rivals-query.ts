import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { User } from '#contract/users.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { fetchBoard, type BoardFilter, type BoardRecord } from '#web/api/specified-answers/boards.ts';
import {
  searchNeighbours,
  pickNearest,
  sameCarFilter,
  sameClassFilter,
  type Neighbours,
  type Rivals,
} from './rivals.ts';

/** Enough for the neighbours even where dozens share one time. */
const PAGE_SIZE = 50;

type RivalSearch = { trackId: string; own: BoardRecord; filter: BoardFilter };

/** The rivals of the viewer's own record under the period and tyres of `filter`; null where there are none. */
export function useRivals({ trackId, own, filter }: RivalSearch, enabled: boolean) {
  const { user } = useCurrentUser();
  const { timePeriod, tire } = filter;
  return useQuery({
    queryKey: ['api', 'laps', 'track', trackId, 'best', 'rivals', own.lapId, { timePeriod, tire }],
    queryFn: () => findRivals({ trackId, own, filter }, user),
    enabled,
    placeholderData: keepPreviousData,
  });
}

async function findRivals({ trackId, own, filter }: RivalSearch, user: User | null): Promise<Rivals | null> {
  const ofCar = sameCarFilter(filter, own);
  const inCar = ofCar && (await findNeighbours(trackId, ofCar, user));
  if (inCar && hasAnybody(inCar)) return { scope: 'car', filter: ofCar, ...inCar };
  const ofClass = sameClassFilter(filter, own);
  const inClass = ofClass && (await findNeighbours(trackId, ofClass, user));
  return inClass && hasAnybody(inClass) ? { scope: 'class', filter: ofClass, ...pickNearest(inClass) } : null;
}

function findNeighbours(trackId: string, filter: BoardFilter, user: User | null): Promise<Neighbours | null> {
  const readPage = (offset: number) => fetchBoard(trackId, filter, { offset, limit: PAGE_SIZE });
  return searchNeighbours(readPage, user, PAGE_SIZE);
}

function hasAnybody({ ahead, behind }: Neighbours): boolean {
  return ahead !== null || behind !== null;
}
