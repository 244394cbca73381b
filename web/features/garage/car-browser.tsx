import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { SelectField } from '#web/ui/field.tsx';
import { RetryLine } from '#web/ui/state-message.tsx';
import styles from './car-browser.module.css';
import { mayChoose, type CarField, type CarSelection } from './car-selection.ts';
import { generationsQuery, makesQuery, modelFamiliesQuery, variantsQuery } from './garage-queries.ts';

type CarBrowserProps = {
  selection: CarSelection;
  onChoose: (field: CarField, name: string) => void;
};

type Level = { field: CarField; label: string; placeholder: string; failure: string };

const MAKE: Level = {
  field: 'make',
  label: 'Make',
  placeholder: 'Select a make',
  failure: 'Failed to fetch makes',
};
const MODEL: Level = {
  field: 'modelFamily',
  label: 'Model',
  placeholder: 'Select a model',
  failure: 'Failed to fetch model families',
};
const VARIANT: Level = {
  field: 'variant',
  label: 'Variant',
  placeholder: 'Select a variant',
  failure: 'Failed to fetch variants',
};
const GENERATION: Level = {
  field: 'generation',
  label: 'Generation',
  placeholder: 'Select a generation',
  failure: 'Failed to fetch generations',
};

/** Four selects that lead to one car; each offers what belongs to those before it. */
export function CarBrowser({ selection, onChoose }: CarBrowserProps) {
  const shared = { selection, onChoose };
  return (
    <div className={styles['levels']}>
      <LevelSelect {...shared} level={MAKE} names={useQuery(makesQuery)} />
      <LevelSelect {...shared} level={MODEL} names={useQuery(modelFamiliesQuery(selection))} />
      <LevelSelect {...shared} level={VARIANT} names={useQuery(variantsQuery(selection))} />
      <LevelSelect {...shared} level={GENERATION} names={useQuery(generationsQuery(selection))} />
    </div>
  );
}

type LevelSelectProps = CarBrowserProps & { level: Level; names: UseQueryResult<string[]> };

function LevelSelect({ selection, onChoose, level, names }: LevelSelectProps) {
  const { field, label, placeholder, failure } = level;
  const isReachable = mayChoose(selection, field);
  const isLoading = isReachable && names.isPending;
  return (
    <div>
      <SelectField
        label={label}
        value={selection[field]}
        disabled={!isReachable || names.data === undefined}
        onChange={(event) => onChoose(field, event.currentTarget.value)}
      >
        <option value="">{isLoading ? 'Loading…' : placeholder}</option>
        {/* A car from the search is shown at once, before the names around it have arrived. */}
        {listOptions(names.data, selection[field]).map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      {isReachable && names.isError && <RetryLine onRetry={() => void names.refetch()}>{failure}</RetryLine>}
    </div>
  );
}

function listOptions(names: readonly string[] | undefined, chosen: string): readonly string[] {
  if (names !== undefined) return names;
  return chosen === '' ? [] : [chosen];
}
