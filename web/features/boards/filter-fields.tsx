import { useQuery } from '@tanstack/react-query';
import { TIME_PERIODS, tireLabel } from '#contract/lap-labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { BoardFilter } from '#web/api/specified-answers/boards.ts';
import { SelectField } from '#web/ui/field.tsx';
import { ALL_TIME, PERIOD_LABELS, type FilterName } from './board-filter.ts';

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

function CarFields({ filter, field }: { filter: BoardFilter; field: FieldBinder }) {
  const { make, modelFamily, variant } = filter;
  const makes = useQuery(apiQuery('GET /api/car-library/makes'));
  const modelFamilies = useQuery({
    ...apiQuery('GET /api/car-library/model-families', { query: { make } }),
    enabled: make !== '',
  });
  const variants = useQuery({
    ...apiQuery('GET /api/car-library/variants', { query: { make, modelFamily } }),
    enabled: make !== '' && modelFamily !== '',
  });
  const generations = useQuery({
    ...apiQuery('GET /api/car-library/generations', { query: { make, modelFamily, variant } }),
    enabled: make !== '' && modelFamily !== '' && variant !== '',
  });
  return (
    <>
      <FilterSelect {...field('make')} label="Make" options={makes.data} />
      <FilterSelect
        {...field('modelFamily')}
        label="Model Family"
        options={modelFamilies.data}
        disabled={make === ''}
        error={modelFamilies.isError ? 'Failed to fetch model families' : undefined}
      />
      <FilterSelect
        {...field('variant')}
        label="Variant"
        options={variants.data}
        disabled={modelFamily === ''}
        error={variants.isError ? 'Failed to fetch variants' : undefined}
      />
      <FilterSelect
        {...field('generation')}
        label="Generation"
        options={generations.data}
        disabled={variant === ''}
        error={generations.isError ? 'Failed to fetch generations' : undefined}
      />
    </>
  );
}

function OtherFields({ field }: { field: FieldBinder }) {
  const raceClasses = useQuery(apiQuery('GET /api/car-library/race-classes'));
  const drivetrains = useQuery(apiQuery('GET /api/car-library/drivetrains'));
  const tires = useQuery(apiQuery('GET /api/laps/tire-compounds'));
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
  // A value out of a shared address is shown even while, or though, the list does not hold it.
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
