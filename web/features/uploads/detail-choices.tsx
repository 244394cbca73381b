import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { CarFront } from 'lucide-react';
import { TIRE_LABELS } from '#contract/lap-labels.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { RetryLine } from '#web/ui/state-message.tsx';
import styles from './lap-details-form.module.css';
import { garageQuery, tireCompoundsQuery } from './upload-queries.ts';

type ChoiceProps = {
  /** The name of the control in its form. */
  name: string;
  value: string;
  disabled: boolean;
  onChange: (value: string) => void;
};

/** Chooses a car of the garage. */
export function CarChoice({ onCarMissing, ...choice }: ChoiceProps & { onCarMissing: () => void }) {
  const cars = useQuery(garageQuery);
  if (cars.data?.length === 0) {
    return (
      <div className={styles['noCars']}>
        <CarFront size={20} aria-hidden="true" />
        <p>No cars in your garage yet</p>
        <ButtonLink href="/garage/add" size="small">
          Add a car
        </ButtonLink>
      </div>
    );
  }
  return (
    <div>
      <SelectField
        label="Car"
        {...choice}
        disabled={choice.disabled || cars.data === undefined}
        onChange={(event) => choice.onChange(event.currentTarget.value)}
      >
        <option value="">{placeholderText(cars, 'Select a car')}</option>
        <CarOptions />
      </SelectField>
      {!choice.disabled && (
        <Button variant="quiet" size="small" className={styles['missing']} onClick={onCarMissing}>
          Car not listed?
        </Button>
      )}
      {cars.isError && (
        <RetryLine onRetry={() => void cars.refetch()}>Your garage could not be loaded.</RetryLine>
      )}
    </div>
  );
}

/** Chooses a tyre category. */
export function TireChoice(choice: ChoiceProps) {
  const compounds = useQuery(tireCompoundsQuery);
  return (
    <div>
      <SelectField
        label="Tire Category"
        {...choice}
        disabled={choice.disabled || compounds.data === undefined}
        onChange={(event) => choice.onChange(event.currentTarget.value)}
      >
        <option value="">{placeholderText(compounds, 'Select a tire category')}</option>
        <TireOptions />
      </SelectField>
      {compounds.isError && (
        <RetryLine onRetry={() => void compounds.refetch()}>
          The tire categories could not be loaded.
        </RetryLine>
      )}
    </div>
  );
}

/** Lists the cars of the garage. */
export function CarOptions() {
  return useQuery(garageQuery).data?.map(({ id, nickname, modelDisplay, status }) => (
    <option key={id} value={id}>
      {nickname || modelDisplay}
      {status === 'community_submitted' && ' (Community)'}
    </option>
  ));
}

/** Lists the tyre categories. */
export function TireOptions() {
  return useQuery(tireCompoundsQuery).data?.map((tireCompound) => (
    <option key={tireCompound} value={tireCompound}>
      {TIRE_LABELS[tireCompound] ?? tireCompound}
    </option>
  ));
}

function placeholderText({ data, isError }: UseQueryResult, ready: string): string {
  if (isError) return 'Not available';
  return data === undefined ? 'Loading…' : ready;
}
