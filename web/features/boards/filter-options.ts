import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TrackId } from '#contract/ids.ts';
import { LAP_EVIDENCE, TIME_PERIODS } from '#contract/laps/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { CAR_CHOICE_FAILURES, CAR_NAMES, useCarChoices } from '#web/api/car-queries.ts';
import type { FilterName, BoardFilter } from './board-filter.ts';

/** An option of a filter; the number of drivers is null if the server does not count them. */
export type FilterOption = { value: string; drivers: number | null };

export type FilterOptions = {
  options: Record<FilterName, readonly FilterOption[]>;
  errors: Partial<Record<FilterName, string>>;
};

export const countedOptionsQuery = (trackId: TrackId, filter: BoardFilter) =>
  apiQuery('GET /api/laps/track/:trackId/filter-options', { params: { trackId }, query: filter });

/** Returns the options of a board's filters from one call; if it fails, the lists of the car library. */
export function useFilterOptions(trackId: TrackId, filter: BoardFilter): FilterOptions {
  const { data, isError } = useQuery({
    ...countedOptionsQuery(trackId, filter),
    placeholderData: keepPreviousData,
    retryOnMount: false,
  });
  const library = useLibraryOptions(filter, isError && !data);
  return data ? { options: { ...data, evidence: toOptions(LAP_EVIDENCE) }, errors: {} } : library;
}

function useLibraryOptions(filter: BoardFilter, isEnabled: boolean): FilterOptions {
  const choices = useCarChoices(filter, isEnabled);
  const enabled = isEnabled;
  const raceClasses = useQuery({ ...apiQuery('GET /api/car-library/race-classes'), enabled });
  const drivetrains = useQuery({ ...apiQuery('GET /api/car-library/drivetrains'), enabled });
  const tires = useQuery({ ...apiQuery('GET /api/laps/tire-compounds'), enabled });
  const failed = CAR_NAMES.filter((name) => name !== 'make' && choices[name].isError);
  return {
    options: {
      timePeriod: toOptions(TIME_PERIODS),
      make: toOptions(choices.make.data),
      modelFamily: toOptions(choices.modelFamily.data),
      variant: toOptions(choices.variant.data),
      generation: toOptions(choices.generation.data),
      raceClass: toOptions(raceClasses.data),
      drivetrain: toOptions(drivetrains.data),
      tire: toOptions(tires.data),
      evidence: toOptions(LAP_EVIDENCE),
    },
    errors: Object.fromEntries(failed.map((name) => [name, CAR_CHOICE_FAILURES[name]])),
  };
}

function toOptions(values: readonly string[] = []): FilterOption[] {
  return values.map((value) => ({ value, drivers: null }));
}
