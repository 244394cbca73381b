import { CarFront } from 'lucide-react';
import { useRef, type Ref, type SyntheticEvent } from 'react';
import { TIRE_LABELS, type TireCompound } from '#contract/lap-labels.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { RetryLine } from '#web/ui/state-message.tsx';
import styles from './lap-details-form.module.css';
import type { SubmitProblem, UploadDetails } from './submit-checks.ts';
import type { UploadCar } from './upload-queries.ts';

/** The options of a select; undefined while they are loading. */
export type OptionList<T> = { items: readonly T[] | undefined; hasFailed: boolean; onRetry: () => void };

type LapDetailsFormProps = {
  details: UploadDetails;
  cars: OptionList<UploadCar>;
  tireCompounds: OptionList<TireCompound>;
  isSending: boolean;
  /** Takes the focus when a track was chosen. */
  headingRef: Ref<HTMLHeadingElement>;
  /** Absent when it is too late to stop. */
  onCancel?: (() => void) | undefined;
  onChange: (field: keyof UploadDetails, value: string) => void;
  onCarMissing: () => void;
  /** Returns the reason why the upload was not sent, if there is one. */
  onSubmit: () => Promise<SubmitProblem | null>;
};

/** The details that a lap file does not hold: car, tyres and video. */
export function LapDetailsForm(props: LapDetailsFormProps) {
  const { details, cars, tireCompounds, isSending, headingRef, onCancel, onChange, onCarMissing, onSubmit } =
    props;
  const form = useRef<HTMLFormElement>(null);

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    const problem = await onSubmit();
    const control = problem?.field === undefined ? null : form.current?.elements.namedItem(problem.field);
    if (control instanceof HTMLElement) control.focus();
  }

  return (
    <Card as="section">
      {/* Our own checks have an order; the browser's would come before them. */}
      <form ref={form} noValidate className={styles['form']} onSubmit={(event) => void submit(event)}>
        <h2 ref={headingRef} tabIndex={-1} className={styles['heading']}>
          Lap Details
        </h2>
        <CarChoice
          cars={cars}
          value={details.userCarId}
          disabled={isSending}
          onChange={onChange}
          onCarMissing={onCarMissing}
        />
        <TireChoice
          tireCompounds={tireCompounds}
          value={details.tireCompound}
          disabled={isSending}
          onChange={onChange}
        />
        <TextField
          type="url"
          label="Video Link"
          name="videoUrl"
          className={styles['wide']}
          placeholder="https://"
          autoComplete="off"
          value={details.videoUrl}
          // Not `disabled`, so that it keeps the focus after submitting with Enter.
          readOnly={isSending}
          onChange={(event) => onChange('videoUrl', event.currentTarget.value)}
        />
        <div className={styles['actions']}>
          {isSending && onCancel && (
            <Button size="large" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" variant="primary" size="large" pending={isSending}>
            {isSending ? 'Uploading...' : 'Upload Lap Data'}
          </Button>
        </div>
      </form>
    </Card>
  );
}

type ChoiceProps = {
  /** Of the control in its form. */
  name?: string;
  value: string;
  disabled: boolean;
  onChange: (field: keyof UploadDetails, value: string) => void;
};

type CarChoiceProps = ChoiceProps & { cars: OptionList<UploadCar>; onCarMissing: () => void };

/** The cars of the garage. */
export function CarChoice({
  cars,
  name = 'userCarId',
  value,
  disabled,
  onChange,
  onCarMissing,
}: CarChoiceProps) {
  if (cars.items?.length === 0) {
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
        name={name}
        value={value}
        disabled={disabled || cars.items === undefined}
        onChange={(event) => onChange('userCarId', event.currentTarget.value)}
      >
        <option value="">{placeholderText(cars, 'Select a car')}</option>
        {cars.items?.map((car) => (
          <option key={car.id} value={car.id}>
            {car.nickname || car.modelDisplay}
            {car.status === 'community_submitted' && ' (Community)'}
          </option>
        ))}
      </SelectField>
      {!disabled && (
        <Button variant="quiet" size="small" className={styles['missing']} onClick={onCarMissing}>
          Car not listed?
        </Button>
      )}
      {cars.hasFailed && <RetryLine onRetry={cars.onRetry}>Your garage could not be loaded.</RetryLine>}
    </div>
  );
}

type TireChoiceProps = ChoiceProps & { tireCompounds: OptionList<TireCompound> };

/** The tyre categories. */
export function TireChoice({
  tireCompounds,
  name = 'tireCompound',
  value,
  disabled,
  onChange,
}: TireChoiceProps) {
  return (
    <div>
      <SelectField
        label="Tire Category"
        name={name}
        value={value}
        disabled={disabled || tireCompounds.items === undefined}
        onChange={(event) => onChange('tireCompound', event.currentTarget.value)}
      >
        <option value="">{placeholderText(tireCompounds, 'Select a tire category')}</option>
        {tireCompounds.items?.map((tireCompound) => (
          <option key={tireCompound} value={tireCompound}>
            {TIRE_LABELS[tireCompound] ?? tireCompound}
          </option>
        ))}
      </SelectField>
      {tireCompounds.hasFailed && (
        <RetryLine onRetry={tireCompounds.onRetry}>The tire categories could not be loaded.</RetryLine>
      )}
    </div>
  );
}

function placeholderText<T>({ items, hasFailed }: OptionList<T>, ready: string): string {
  if (hasFailed) return 'Not available';
  return items === undefined ? 'Loading…' : ready;
}
