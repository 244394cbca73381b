import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import {
  evidenceLabel,
  LAP_EVIDENCE,
  TIME_PERIODS,
  type LapEvidence,
  type TimePeriod,
  type TireCompound,
  TIRE_COMPOUNDS,
  tireLabel,
} from '#contract/laps/labels.ts';

/** The filters of a board. An empty value has no effect. */
export type BoardFilter = {
  timePeriod: TimePeriod | '';
  make: string;
  modelFamily: string;
  variant: string;
  generation: string;
  raceClass: string;
  drivetrain: string;
  tire: TireCompound | '';
  evidence: LapEvidence | '';
};

export type FilterName = keyof BoardFilter;

/** The filters in the order of the screen. They are also the names in the URL of the page and in the call. */
export const FILTER_NAMES = [
  'timePeriod',
  'make',
  'modelFamily',
  'variant',
  'generation',
  'raceClass',
  'drivetrain',
  'tire',
  'evidence',
] as const satisfies readonly FilterName[];

/** A filter in use, as a chip shows it. The time period has no chip, because its select always shows it. */
export type FilterChip = { name: FilterName; label: string; value: string };

/** The default time period, which does not filter. */
export const ALL_TIME: TimePeriod = 'all-time';

/** The filters that are cleared when another one changes. */
const DEPENDENTS: Partial<Record<FilterName, readonly FilterName[]>> = {
  make: ['modelFamily', 'variant', 'generation'],
  modelFamily: ['variant', 'generation'],
  variant: ['generation'],
};

export const PERIOD_LABELS: Record<TimePeriod, string> = {
  'all-time': 'All Time',
  '1-month': 'Last Month',
  '6-months': 'Last 6 Months',
  '1-year': 'Last Year',
};

const CHIP_LABELS: Partial<Record<FilterName, string>> = {
  make: 'Make',
  modelFamily: 'Model Family',
  variant: 'Variant',
  generation: 'Generation',
  raceClass: 'Race Class',
  drivetrain: 'Drivetrain',
  tire: 'Tires',
  evidence: 'Evidence',
};

/** Reads the filters from the URL; missing and unknown values are empty. */
export function readFilter(search: URLSearchParams): BoardFilter {
  return {
    timePeriod: TIME_PERIODS.find((period) => period === search.get('timePeriod')) ?? '',
    make: search.get('make') ?? '',
    modelFamily: search.get('modelFamily') ?? '',
    variant: search.get('variant') ?? '',
    generation: search.get('generation') ?? '',
    raceClass: search.get('raceClass') ?? '',
    drivetrain: search.get('drivetrain') ?? '',
    tire: TIRE_COMPOUNDS.find((compound) => compound === search.get('tire')) ?? '',
    evidence: LAP_EVIDENCE.find((kind) => kind === search.get('evidence')) ?? '',
  };
}

/** Returns the query of the URL with these filters; its other parameters stay. */
export function writeFilter(search: URLSearchParams, filter: BoardFilter): URLSearchParams {
  const written = new URLSearchParams(search);
  for (const name of FILTER_NAMES) {
    if (isSet(filter, name)) written.set(name, filter[name]);
    else written.delete(name);
  }
  return written;
}

export function changeFilter(filter: BoardFilter, name: FilterName, value: string): BoardFilter {
  const cleared = Object.fromEntries((DEPENDENTS[name] ?? []).map((dependent) => [dependent, '']));
  return readFilter(new URLSearchParams({ ...filter, ...cleared, [name]: value }));
}

export function emptyFilter(): BoardFilter {
  return readFilter(new URLSearchParams());
}

export function countFilters(filter: BoardFilter): number {
  return FILTER_NAMES.filter((name) => isSet(filter, name)).length;
}

export function filterChips(filter: BoardFilter): FilterChip[] {
  return FILTER_NAMES.flatMap((name) => {
    const label = CHIP_LABELS[name];
    return label && isSet(filter, name) ? [{ name, label, value: valueText(name, filter[name]) }] : [];
  });
}

export function describeFilter(filter: BoardFilter): string {
  const { timePeriod } = filter;
  const period = timePeriod !== '' && timePeriod !== ALL_TIME ? [PERIOD_LABELS[timePeriod]] : [];
  return [...period, ...filterChips(filter).map(({ label, value }) => `${label}: ${value}`)].join(' · ');
}

/** Returns whether a filter leaves laps out. */
export function isSet(filter: BoardFilter, name: FilterName): boolean {
  return filter[name] !== '' && !(name === 'timePeriod' && filter[name] === ALL_TIME);
}

function valueText(name: FilterName, value: string): string {
  if (name === 'evidence') return evidenceLabel(value);
  return name === 'tire' ? tireLabel(value) : value;
}

/** Keeps the filters in the URL of the page: a link shows the same board, and Back undoes the last change. */
export function useBoardFilter(): [filter: BoardFilter, change: (filter: BoardFilter) => void] {
  const [search, setSearch] = useSearchParams();
  const filter = useMemo(() => readFilter(search), [search]);
  return [filter, (changed) => setSearch((current) => writeFilter(current, changed))];
}
