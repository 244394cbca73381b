import { useQuery, type QueryClient } from '@tanstack/react-query';
import { TIME_PERIODS, tireLabel } from '#contract/lap-labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import {
  CAR_CHOICE_FAILURES,
  CAR_NAMES,
  isChoosable,
  useCarChoices,
  type CarName,
} from '#web/api/car-queries.ts';
import type { BoardFilter } from '#web/api/specified-answers/boards.ts';
import { SelectField } from '#web/ui/field.tsx';
import { ALL_TIME, PERIOD_LABELS, type FilterName } from './board-filter.ts';

const raceClassesQuery = apiQuery('GET /api/car-library/race-classes');
const drivetrainsQuery = apiQuery('GET /api/car-library/drivetrains');
const tiresQuery = apiQuery('GET /api/laps/tire-compounds');

/** Fetches what the filters offer before any is chosen. */
export async function prefetchFilterOptions(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.prefetchQuery(apiQuery('GET /api/car-library/makes')),
    queryClient.prefetchQuery(raceClassesQuery),
    queryClient.prefetchQuery(drivetrainsQuery),
    queryClient.prefetchQuery(tiresQuery),
  ]);
}

type FilterFieldsProps = {
  filter: BoardFilter;
  onChange: (name: FilterName, value: string) => void;
};

/** One select per filter. A select that depends on another one is disabled until that is chosen. */
export function FilterFields({ filter, onChange }: FilterFieldsProps) {
  const field = (name: FilterName) => ({
    name,
    value: filter[name],
    onChange: (value: string) => onChange(name, value),
  });
  return (
    <>
      <SelectField
        compact
        label="Time Period"
        value={filter.timePeriod || ALL_TIME}
        isSet={filter.timePeriod !== '' && filter.timePeriod !== ALL_TIME}
        onChange={(event) => onChange('timePeriod', event.currentTarget.value)}
      >
        {TIME_PERIODS.map((period) => (
          <option key={period} value={period}>
            {PERIOD_LABELS[period]}
          </option>
        ))}
      </SelectField>
      <CarFields filter={filter} field={field} />
      <OtherFields field={field} />
    </>
  );
}

type FieldBinder = (name: FilterName) => { name: string; value: string; onChange: (value: string) => void };

const CAR_LABELS: Record<CarName, string> = {
  make: 'Make',
  modelFamily: 'Model Family',
  variant: 'Variant',
  generation: 'Generation',
};

function CarFields({ filter, field }: { filter: BoardFilter; field: FieldBinder }) {
  const choices = useCarChoices(filter);
  return CAR_NAMES.map((name) => (
    <FilterSelect
      key={name}
      {...field(name)}
      label={CAR_LABELS[name]}
      options={choices[name].data}
      disabled={!isChoosable(filter, name)}
      error={choices[name].isError && name !== 'make' ? CAR_CHOICE_FAILURES[name] : undefined}
    />
  ));
}

function OtherFields({ field }: { field: FieldBinder }) {
  const raceClasses = useQuery(raceClassesQuery);
  const drivetrains = useQuery(drivetrainsQuery);
  const tires = useQuery(tiresQuery);
  return (
    <>
      <FilterSelect {...field('raceClass')} label="Race Class" options={raceClasses.data} />
      <FilterSelect {...field('drivetrain')} label="Drivetrain" options={drivetrains.data} />
      <FilterSelect {...field('tire')} label="Tire Compound" options={tires.data} formatOption={tireLabel} />
    </>
  );
}

type FilterSelectProps = {
  label: string;
  name: string;
  value: string;
  options: readonly string[] | undefined;
  onChange: (value: string) => void;
  formatOption?: (option: string) => string;
  disabled?: boolean;
  error?: string | undefined;
};

function FilterSelect(props: FilterSelectProps) {
  const {
    label,
    name,
    value,
    options = [],
    onChange,
    formatOption = String,
    disabled = false,
    error,
  } = props;
  // A value from the address is shown even if the list does not hold it.
  const shown = value === '' || options.includes(value) ? options : [value, ...options];
  return (
    <SelectField
      compact
      label={label}
      name={name}
      value={value}
      isSet={value !== ''}
      disabled={disabled}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">All</option>
      {shown.map((option) => (
        <option key={option} value={option}>
          {formatOption(option)}
        </option>
      ))}
    </SelectField>
  );
}
