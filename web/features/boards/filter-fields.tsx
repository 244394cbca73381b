import { evidenceLabel, tireLabel, type TimePeriod } from '#contract/laps/labels.ts';
import { CAR_NAMES, isChoosable } from '#web/api/car-queries.ts';
import { SelectField } from '#web/ui/field.tsx';
import {
  ALL_TIME,
  FILTER_NAMES,
  isSet,
  PERIOD_LABELS,
  type FilterName,
  type BoardFilter,
} from './board-filter.ts';
import type { FilterOption, FilterOptions } from './filter-options.ts';

type FilterFieldsProps = {
  filter: BoardFilter;
  offered: FilterOptions;
  names: readonly FilterName[];
  onChange: (name: FilterName, value: string) => void;
};

const LABELS: Record<FilterName, string> = {
  timePeriod: 'Time Period',
  make: 'Make',
  modelFamily: 'Model Family',
  variant: 'Variant',
  generation: 'Generation',
  raceClass: 'Race Class',
  drivetrain: 'Drivetrain',
  tire: 'Tire Compound',
  evidence: 'Evidence',
};

const EVIDENCE_HINT = 'What shows that a lap was driven.';

/** Shows one select per filter. A select that depends on another one is disabled until that is chosen. */
export function FilterFields({ filter, offered, names, onChange }: FilterFieldsProps) {
  return names.map((name) => (
    <FilterSelect
      key={name}
      name={name}
      value={filter[name]}
      hasOthers={FILTER_NAMES.some((other) => other !== name && isSet(filter, other))}
      options={offered.options[name]}
      disabled={isCarName(name) && !isChoosable(filter, name)}
      error={offered.errors[name]}
      onChange={(value) => onChange(name, value)}
    />
  ));
}

type FilterSelectProps = {
  name: FilterName;
  value: string;
  options: readonly FilterOption[];
  /** True where other filters are set: what matches nothing with them may have laps without. */
  hasOthers: boolean;
  onChange: (value: string) => void;
  disabled: boolean;
  error: string | undefined;
};

function FilterSelect({ name, value, options, hasOthers, onChange, ...field }: FilterSelectProps) {
  const isPeriod = name === 'timePeriod';
  return (
    <SelectField
      compact
      {...field}
      label={LABELS[name]}
      name={name}
      // This keeps the browser from restoring an earlier choice after a reload, which the URL does not have.
      autoComplete="off"
      value={isPeriod ? value || ALL_TIME : value}
      hint={name === 'evidence' ? EVIDENCE_HINT : undefined}
      isSet={value !== '' && value !== ALL_TIME}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {isPeriod ? (
        <Options name={name} options={options} />
      ) : (
        <GroupedOptions options={withValue(options, value)} {...{ name, value, hasOthers }} />
      )}
    </SelectField>
  );
}

type OptionsProps = { name: FilterName; options: readonly FilterOption[] };

/** Offers what matches drivers, and what is chosen; few tyres and classes without a match follow in a group of their own. */
function GroupedOptions({
  name,
  options,
  value,
  hasOthers,
}: OptionsProps & Pick<FilterSelectProps, 'value' | 'hasOthers'>) {
  const empty = options.filter(({ drivers, value: one }) => drivers === 0 && one !== value);
  return (
    <>
      <option value="">All</option>
      <Options name={name} options={options.filter((option) => !empty.includes(option))} />
      {empty.length > 0 && !isCarName(name) && (
        <optgroup label={hasOthers ? 'No laps with these filters' : 'No laps yet'}>
          <Options name={name} options={empty} />
        </optgroup>
      )}
    </>
  );
}

function Options({ name, options }: OptionsProps) {
  return options.map(({ value, drivers }) => (
    <option key={value} value={value}>
      {valueLabel(name, value)}
      {drivers !== null && drivers > 0 && value !== ALL_TIME ? ` (${drivers})` : ''}
    </option>
  ));
}

// The select shows a value of the URL even if the list lacks it.
function withValue(options: readonly FilterOption[], value: string): readonly FilterOption[] {
  const isListed = value === '' || options.some((option) => option.value === value);
  return isListed ? options : [{ value, drivers: null }, ...options];
}

function valueLabel(name: FilterName, value: string): string {
  if (name === 'tire') return tireLabel(value);
  if (name === 'evidence') return evidenceLabel(value);
  return isTimePeriod(value) ? PERIOD_LABELS[value] : value;
}

function isTimePeriod(value: string): value is TimePeriod {
  return value in PERIOD_LABELS;
}

function isCarName(name: FilterName): name is (typeof CAR_NAMES)[number] {
  return CAR_NAMES.some((carName) => carName === name);
}

/** The filters that are always shown; the others appear after a make is chosen or 'More' is opened. */
const FREQUENT_NAMES: readonly FilterName[] = ['timePeriod', 'make', 'raceClass', 'drivetrain', 'tire'];

/** Lists the filters of the bar, in their order. */
export function listShownNames(filter: BoardFilter, isMoreOpen: boolean): FilterName[] {
  return FILTER_NAMES.filter(
    (name) =>
      isMoreOpen ||
      FREQUENT_NAMES.includes(name) ||
      filter[name] !== '' ||
      (isCarName(name) && isChoosable(filter, name)),
  );
}
