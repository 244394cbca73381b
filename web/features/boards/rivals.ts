import { formatCarName } from '#contract/laps/labels.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import { formatSeconds } from '#web/ui/format.ts';
import { emptyFilter, FILTER_NAMES, type BoardFilter } from './board-filter.ts';
import { readBoard, type BoardRecord, type Viewer } from './read-board.ts';

export type Rival = { record: BoardRecord; gapMs: number };

export type Neighbours = { ahead: Rival | null; behind: Rival | null };

/** The rivals of one board: the one on screen, that of the viewer's race class, or that of the viewer's car model. */
export type Rivals = Neighbours & {
  scope: 'board' | 'class' | 'car';
  /** The filter of the board on which they were found. */
  filter: BoardFilter;
};

/** The known fields of a car on a board. */
export type RecordedCar = Pick<
  BoardRecord,
  'carMake' | 'carModel' | 'carVariant' | 'carGeneration' | 'carRaceClass'
>;

/** Returns the filter for this very car model under the same period and tyres; null if the car is not known. */
export function sameCarFilter(filter: BoardFilter, car: RecordedCar): BoardFilter | null {
  const { carMake, carModel, carVariant, carGeneration } = car;
  if (!carMake || !carModel) return null;
  return {
    ...withoutCar(filter),
    make: carMake,
    modelFamily: carModel,
    variant: carVariant ?? '',
    generation: carGeneration ?? '',
  };
}

/** Returns the filter for the car's race class under the same period and tyres; null if the class is not known. */
export function sameClassFilter(filter: BoardFilter, { carRaceClass }: RecordedCar): BoardFilter | null {
  return carRaceClass ? { ...withoutCar(filter), raceClass: carRaceClass } : null;
}

/** Returns the entries before and after the viewer's own; null if the own one is not among `records`. */
export function pickNeighbours(records: readonly BoardRecord[]): Neighbours | null {
  const index = records.findIndex(({ isOwn }) => isOwn);
  const own = records[index];
  if (!own) return null;
  return { ahead: toRival(records[index - 1], own), behind: toRival(records[index + 1], own) };
}

/** Finds the viewer's neighbours, a page of `pageSize` at a time. The first page holds the own record at any rank. */
export async function searchNeighbours(
  fetchPage: (offset: number) => Promise<readonly LapRecord[]>,
  viewer: Viewer | null,
  pageSize: number,
): Promise<Neighbours | null> {
  const { records, own, isLastPage } = readBoard(await fetchPage(0), viewer, pageSize);
  const isSurrounded = isLastPage || records.slice(0, -1).some(({ isOwn }) => isOwn);
  if (own === null || isSurrounded) return pickNeighbours(records);
  const fromEntryBefore = await fetchPage(Math.max(0, own.rank - 2));
  return pickNeighbours(readBoard(fromEntryBefore, viewer, pageSize).records);
}

type RivalBoard = Pick<Rivals, 'scope' | 'filter'>;

/** Lists the boards to search, each once: under `filter`, of the car's class, of its model; same period and tyres. */
export function listRivalBoards(filter: BoardFilter, car: RecordedCar): RivalBoard[] {
  const boards: RivalBoard[] = [{ scope: 'board', filter }];
  const add = (scope: Rivals['scope'], ofCar: BoardFilter | null) => {
    const same = ofCar && boards.find((board) => isSameFilter(board.filter, ofCar));
    if (same) same.scope = scope;
    else if (ofCar) boards.push({ scope, filter: ofCar });
  };
  add('class', sameClassFilter(filter, car));
  add('car', sameCarFilter(filter, car));
  return boards;
}

/** Returns the text for a side without a rival: the first driver leads, unless there is no other one. */
export function describeNoRival({ scope, ahead, behind }: Rivals, side: 'ahead' | 'behind'): string | null {
  if (side === 'behind') return ahead ? 'No driver behind you yet.' : null;
  if (behind) return LEADER_TEXTS[scope];
  return ALONE_TEXTS[scope];
}

const LEADER_TEXTS: Record<Rivals['scope'], string> = {
  board: 'You lead this board',
  class: 'You lead your class',
  car: 'You are the fastest in this car.',
};

const ALONE_TEXTS: Record<Rivals['scope'], string> = {
  board: 'No other driver on this board yet.',
  class: 'No other driver in your class yet.',
  car: 'No other driver in this car yet.',
};

/** Summarizes the nearest rival of a board in one line: 'P3 · 0.21 s to Ana Lima'. */
export function summarizeRivals(ownRank: number, rivals: Rivals): string {
  const { ahead, behind } = rivals;
  const nearest = ahead ?? behind;
  if (!nearest) return `P${ownRank} · ${ALONE_TEXTS[rivals.scope]}`;
  const { userName } = nearest.record;
  if (nearest.gapMs === 0) return `P${ownRank} · Level with ${userName}`;
  const gap = `${formatShortGap(nearest.gapMs)} s`;
  return ahead ? `P${ownRank} · ${gap} to ${userName}` : `P${ownRank} · ${gap} ahead of ${userName}`;
}

/** Formats a gap to the hundredth, because there is little room; to the millisecond if it would round to zero. */
function formatShortGap(gapMs: number): string {
  return gapMs < 10 ? formatSeconds(gapMs) : (gapMs / 1000).toFixed(2);
}

/** Returns true if two filters show the same board. */
export function isSameFilter(one: BoardFilter, other: BoardFilter): boolean {
  return FILTER_NAMES.every((name) => one[name] === other[name]);
}

export function formatCarModel(car: RecordedCar): string {
  const name = formatCarName(car);
  return car.carGeneration ? `${name} (${car.carGeneration})` : name;
}

export function formatGapTo({ gapMs }: Rival, side: 'ahead' | 'behind'): string {
  return gapMs === 0 ? 'Level with you' : `${formatSeconds(gapMs)} s ${side}`;
}

function withoutCar({ timePeriod, tire }: BoardFilter): BoardFilter {
  return { ...emptyFilter(), timePeriod, tire };
}

function toRival(record: BoardRecord | undefined, own: BoardRecord): Rival | null {
  return record ? { record, gapMs: Math.abs(record.lapTimeMs - own.lapTimeMs) } : null;
}
