import { formatCarName } from '#contract/lap-labels.ts';
import {
  readBoard,
  type AnsweredRecord,
  type BoardFilter,
  type BoardRecord,
  type Viewer,
} from '#web/api/specified-answers/boards.ts';
import { formatSeconds } from '#web/ui/format.ts';
import { emptyFilter, FILTER_NAMES } from './board-filter.ts';

/** Another driver and how far apart the two best laps are, never negative. */
export type Rival = { record: BoardRecord; gapMs: number };

/** The records next to the viewer's own on a board. */
export type Neighbours = { ahead: Rival | null; behind: Rival | null };

/** The nearest drivers in the same car model, else the nearest one in its race class. */
export type Rivals = Neighbours & {
  scope: 'car' | 'class';
  /** Shows the board that they were found on. */
  filter: BoardFilter;
};

/** What is known of a car on a board. */
export type RecordedCar = Pick<
  BoardRecord,
  'carMake' | 'carModel' | 'carVariant' | 'carGeneration' | 'carRaceClass'
>;

/** The board of this very car model under the same period and tyres; null where the car is not known. */
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

/** The board of the car's race class under the same period and tyres; null where the class is not known. */
export function sameClassFilter(filter: BoardFilter, { carRaceClass }: RecordedCar): BoardFilter | null {
  return carRaceClass ? { ...withoutCar(filter), raceClass: carRaceClass } : null;
}

/** The entries before and after the viewer's own; null where the own one is not among `records`. */
export function pickNeighbours(records: readonly BoardRecord[]): Neighbours | null {
  const index = records.findIndex(({ isOwn }) => isOwn);
  const own = records[index];
  if (!own) return null;
  return { ahead: toRival(records[index - 1], own), behind: toRival(records[index + 1], own) };
}

/**
 * Finds the viewer's neighbours on a board that is read a page of `pageSize` at a time. The first page holds the own record,
 * whatever its rank: most boards of one car need no other page.
 */
export async function searchNeighbours(
  fetchPage: (offset: number) => Promise<readonly AnsweredRecord[]>,
  viewer: Viewer | null,
  pageSize: number,
): Promise<Neighbours | null> {
  const { records, own, isLastPage } = readBoard(await fetchPage(0), viewer, pageSize);
  const isSurrounded = isLastPage || records.slice(0, -1).some(({ isOwn }) => isOwn);
  if (own === null || isSurrounded) return pickNeighbours(records);
  const fromEntryBefore = await fetchPage(Math.max(0, own.rank - 2));
  return pickNeighbours(readBoard(fromEntryBefore, viewer, pageSize).records);
}

/** Only the nearer of the two; at the same distance the one ahead. */
export function pickNearest({ ahead, behind }: Neighbours): Neighbours {
  const isAhead = ahead !== null && (behind === null || ahead.gapMs <= behind.gapMs);
  return isAhead ? { ahead, behind: null } : { ahead: null, behind };
}

/** Whether two filters show the same board. */
export function isSameFilter(one: BoardFilter, other: BoardFilter): boolean {
  return FILTER_NAMES.every((name) => one[name] === other[name]);
}

/** Make, model, variant and generation of a car model. */
export function formatCarModel(car: RecordedCar): string {
  const name = formatCarName(car);
  return car.carGeneration ? `${name} (${car.carGeneration})` : name;
}

/** A gap in words. */
export function formatGapTo({ gapMs }: Rival, side: 'ahead' | 'behind'): string {
  return gapMs === 0 ? 'Level with you' : `${formatSeconds(gapMs)} s ${side}`;
}

function withoutCar({ timePeriod, tire }: BoardFilter): BoardFilter {
  return { ...emptyFilter(), timePeriod, tire };
}

function toRival(record: BoardRecord | undefined, own: BoardRecord): Rival | null {
  return record ? { record, gapMs: Math.abs(record.lapTimeMs - own.lapTimeMs) } : null;
}
