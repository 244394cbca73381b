import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import CarFront from 'lucide-react/icons/car-front';
import { useEffect, useRef, type ReactNode } from 'react';
import { TIRE_LABELS, type TireCompound } from '#contract/laps/labels.ts';
import type { UserCar } from '#contract/garage/schemas.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { RetryLine } from '#web/ui/state-message.tsx';
import styles from './lap-details-form.module.css';
import { garageQuery, tireCompoundsQuery } from './upload-queries.ts';

type Option = { value: string; text: string };
type UploadCar = Pick<UserCar, 'id' | 'modelDisplay' | 'nickname' | 'status'>;

export const carOptionsQuery = {
  ...garageQuery,
  select: (cars: readonly UploadCar[]): Option[] =>
    cars.map(({ id, nickname, modelDisplay, status }) => {
      const community = status === 'community_submitted' ? ' (Community)' : '';
      return { value: id, text: `${nickname || modelDisplay}${community}` };
    }),
};

export const tireOptionsQuery = {
  ...tireCompoundsQuery,
  select: (compounds: readonly TireCompound[]): Option[] =>
    compounds.map((value) => ({ value, text: TIRE_LABELS[value] ?? value })),
};

type ChoiceProps = {
  label: string;
  compact?: boolean;
  name?: string;
  value: string;
  disabled: boolean;
  onChange: (value: string) => void;
};

type OptionsProps = { options: UseQueryResult<Option[]>; placeholder: string; children?: ReactNode };

/** Chooses one of the options that a query gives; `children` follow the control. */
export function Choice({ options, placeholder, children, ...choice }: ChoiceProps & OptionsProps) {
  const { data, isError } = options;
  return (
    <div>
      <SelectField
        {...choice}
        disabled={choice.disabled || data === undefined}
        onChange={(event) => choice.onChange(event.currentTarget.value)}
      >
        <option value="">{isError ? 'Not available' : data ? placeholder : 'Loading…'}</option>
        {data?.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </SelectField>
      {children}
    </div>
  );
}

type GroupChoiceProps = Omit<ChoiceProps, 'label' | 'compact'>;

type CarChoiceProps = GroupChoiceProps & { addFirstCar: ReactNode; onCarMissing: () => void };

export function CarChoice({ addFirstCar, onCarMissing, ...choice }: CarChoiceProps) {
  const options = useQuery(carOptionsQuery);
  const box = useRef<HTMLDivElement>(null);
  const isEmpty = options.data?.length === 0;
  const wasEmpty = useRef(false);
  useEffect(() => {
    // The search that added the first car, and had the focus, has disappeared.
    const isFocusLost = document.activeElement === document.body;
    if (wasEmpty.current && !isEmpty && isFocusLost) box.current?.querySelector('select')?.focus();
    wasEmpty.current = isEmpty;
  }, [isEmpty]);
  if (isEmpty) {
    return (
      <fieldset name={choice.name} aria-label="Your car" className={styles['noCars']}>
        <div className={styles['noCarsLine']}>
          <CarFront size={20} aria-hidden="true" />
          <p>No cars in your garage yet</p>
          <ButtonLink href="/garage/add" size="small">
            Add a car
          </ButtonLink>
        </div>
        {addFirstCar}
      </fieldset>
    );
  }
  return (
    <div ref={box}>
      <Choice label="Car" placeholder="Select a car" {...{ options, ...choice }}>
        {!choice.disabled && (
          <Button variant="quiet" size="small" className={styles['missing']} onClick={onCarMissing}>
            Car not listed?
          </Button>
        )}
        {options.isError && (
          <RetryLine onRetry={() => void options.refetch()}>Your garage could not be loaded.</RetryLine>
        )}
      </Choice>
    </div>
  );
}

/** Chooses the tyres with one tap. */
export function TireChoice({ name, value, disabled, onChange }: GroupChoiceProps) {
  const { data, isError, refetch } = useQuery(tireOptionsQuery);
  return (
    <fieldset className={styles['tires']} disabled={disabled}>
      <legend>Tire Category</legend>
      {data?.map((option) => (
        <label key={option.value} className={styles['tire']}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.text}
        </label>
      ))}
      {data === undefined && !isError && <p>Loading…</p>}
      {isError && (
        <RetryLine onRetry={() => void refetch()}>The tire categories could not be loaded.</RetryLine>
      )}
    </fieldset>
  );
}
