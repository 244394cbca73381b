import type { UseQueryResult } from '@tanstack/react-query';
import {
  CAR_CHOICE_FAILURES,
  CAR_NAMES,
  isChoosable,
  useCarChoices,
  type CarName,
} from '#web/api/car-queries.ts';
import { SelectField } from '#web/ui/field.tsx';
import { RetryLine } from '#web/ui/state-message.tsx';
import styles from './car-browser.module.css';
import type { CarSelection } from './car-selection.ts';

type CarBrowserProps = { selection: CarSelection; onChoose: (name: CarName, value: string) => void };

const LABELS: Record<CarName, string> = {
  make: 'Make',
  modelFamily: 'Model',
  variant: 'Variant',
  generation: 'Generation',
};

/** Shows four selects that identify one car; the choices of each depend on those before it. */
export function CarBrowser({ selection, onChoose }: CarBrowserProps) {
  const choices = useCarChoices(selection);
  return (
    <div className={styles['levels']}>
      {CAR_NAMES.map((name) => (
        <CarNameSelect key={name} {...{ name, selection, onChoose }} choices={choices[name]} />
      ))}
    </div>
  );
}

type CarNameSelectProps = CarBrowserProps & { name: CarName; choices: UseQueryResult<string[]> };

function CarNameSelect({ selection, onChoose, name, choices }: CarNameSelectProps) {
  const canChoose = isChoosable(selection, name);
  const isLoading = canChoose && choices.isPending;
  return (
    <div>
      <SelectField
        label={LABELS[name]}
        value={selection[name]}
        disabled={!canChoose || choices.data === undefined}
        onChange={(event) => onChoose(name, event.currentTarget.value)}
      >
        <option value="">{isLoading ? 'Loading…' : `Select a ${LABELS[name].toLowerCase()}`}</option>
        {/* A car from the search is shown at once, before the choices are loaded. */}
        {listOptions(choices.data, selection[name]).map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </SelectField>
      {canChoose && choices.isError && (
        <RetryLine onRetry={() => void choices.refetch()}>{CAR_CHOICE_FAILURES[name]}</RetryLine>
      )}
    </div>
  );
}

function listOptions(choices: readonly string[] | undefined, chosen: string): readonly string[] {
  if (choices !== undefined) return choices;
  return chosen === '' ? [] : [chosen];
}
