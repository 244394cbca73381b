import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TrackId } from '#contract/ids.ts';
import type { User } from '#contract/people/schemas.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { listRivalBoards, searchNeighbours, type Rivals } from './rivals.ts';
import type { BoardFilter } from './board-filter.ts';
import { fetchBoard, type BoardRecord } from './read-board.ts';

/** A page holds the neighbours even if dozens of drivers share one time. */
const PAGE_SIZE = 50;

type RivalSearch = { trackId: TrackId; own: BoardRecord; filter: BoardFilter };

/** Returns the rivals of the viewer's own record on the board under `filter`, in its class and in its car. */
export function useRivals({ trackId, own, filter }: RivalSearch, enabled: boolean) {
  const { user } = useCurrentUser();
  return useQuery({
    queryKey: ['api', 'laps', 'track', trackId, 'best', 'rivals', own.lapId, filter],
    queryFn: () => findRivals({ trackId, own, filter }, user),
    enabled,
    placeholderData: keepPreviousData,
  });
}

async function findRivals({ trackId, own, filter }: RivalSearch, user: User | null): Promise<Rivals[]> {
  const found = listRivalBoards(filter, own).map(async (board): Promise<Rivals[]> => {
    const readPage = (offset: number) => fetchBoard(trackId, board.filter, { offset, limit: PAGE_SIZE });
    const neighbours = await searchNeighbours(readPage, user, PAGE_SIZE);
    return neighbours ? [{ ...board, ...neighbours }] : [];
  });
  return (await Promise.all(found)).flat();
}
