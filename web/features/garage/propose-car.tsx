import { useQuery } from '@tanstack/react-query';
import { useId, useState, type SyntheticEvent } from 'react';
import type { UserCarId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { CAR_NAMES, useCarChoices, type CarName, type CarNames } from '#web/api/car-queries.ts';
import type { Send } from '#web/api/refresh.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormFooter } from '#web/ui/form-footer.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { focusInDialog } from '#web/ui/modals.ts';
import { useCalls } from '#web/ui/use-call.ts';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { CarOption } from './car-option.tsx';
import { drivetrainsQuery, raceClassesQuery, similarCarsQuery, type CarProposal } from './garage-queries.ts';
import { Failure } from '#web/ui/state-message.tsx';
import common from '#web/ui/common.module.css';
import { Form } from '#web/ui/form.tsx';
import styles from './propose-car.module.css';

type ProposeCarProps = {
  onClose: () => void;
  /** Gets the id of the car in the garage. */
  onAdded: (userCarId: UserCarId) => void;
};

/** Proposes a car that the library lacks, and shows those that come close before; both choices add the car to the garage. */
export function ProposeCar({ onClose, onAdded }: ProposeCarProps) {
  const formId = useId();
  const saving = useAdding({ onClose, onAdded });
  return (
    <Dialog
      title="Propose a Car"
      onClose={onClose}
      footer={
        <FormFooter formId={formId} isBusy={saving.isBusy} onCancel={onClose}>
          Propose Car
        </FormFooter>
      }
    >
      <ProposalForm formId={formId} saving={saving} />
    </Dialog>
  );
}

type Saving = ReturnType<typeof useAdding>;

function ProposalForm({ formId, saving }: { formId: string; saving: Saving }) {
  const [names, setNames] = useState(NO_NAMES);
  const change = (name: CarName, value: string) => setNames({ ...names, [name]: value });

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    saving.propose(new FormData(event.currentTarget), names);
  }

  return (
    <Form id={formId} className={common['stack']} onSubmit={submit}>
      <p className={common['lead']}>
        You can use the car at once. It is marked Community until an administrator approves it.
      </p>
      <NameFields names={names} problems={saving.fields} onChange={change} />
      <SimilarCars names={names} saving={saving} />
      <DetailFields problems={saving.fields} />
      <Failure>{saving.sentence}</Failure>
    </Form>
  );
}

type Problems = Readonly<Record<string, string>>;

const NAME_FIELDS: Record<CarName, { label: string; placeholder: string; hint?: string }> = {
  make: { label: 'Make', placeholder: 'Mazda' },
  modelFamily: { label: 'Model', placeholder: 'MX-5' },
  variant: { label: 'Variant', placeholder: '1.8' },
  generation: { label: 'Generation (optional)', placeholder: 'NB' },
};

type NameFieldsProps = {
  names: CarNames;
  problems: Problems;
  onChange: (name: CarName, value: string) => void;
};

function NameFields({ names, problems, onChange }: NameFieldsProps) {
  const makesId = useId();
  const { make: makes } = useCarChoices(NO_NAMES);
  return (
    <div className={common['fields']}>
      {CAR_NAMES.map((name) => (
        <TextField
          key={name}
          {...NAME_FIELDS[name]}
          {...(name === 'make' && { list: makesId, ref: focusInDialog })}
          name={name}
          maxLength={LIMITS.proposedNameCharactersMax}
          autoComplete="off"
          spellCheck={false}
          value={names[name]}
          error={problems[name]}
          onChange={(event) => onChange(name, event.currentTarget.value)}
        />
      ))}
      <datalist id={makesId}>
        {makes.data?.map((make) => (
          <option key={make}>{make}</option>
        ))}
      </datalist>
    </div>
  );
}

function SimilarCars({ names, saving }: { names: CarNames; saving: Saving }) {
  const headingId = useId();
  const text = CAR_NAMES.map((name) => names[name].trim())
    .filter(Boolean)
    .join(' ');
  const searched = useDebounced(text);
  const { data = [] } = useQuery(similarCarsQuery(searched));
  const cars = text.length >= LIMITS.carSearchCharactersMin ? data : [];
  return (
    <section className={styles['similar']} aria-labelledby={headingId} hidden={cars.length === 0}>
      <h3 id={headingId} className={styles['heading']} aria-live="polite">
        {cars.length > 0 && 'Is it one of these?'}
      </h3>
      <ul>
        {cars.map((car) => (
          <li key={car.modelKey} className={styles['car']}>
            <CarOption model={car} />
            <Button
              size="small"
              aria-label={`Add ${car.modelDisplay}`}
              onClick={() => saving.addKnown(car.modelKey)}
            >
              Add
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function DetailFields({ problems }: { problems: Problems }) {
  const drivetrains = useQuery(drivetrainsQuery);
  const raceClasses = useQuery(raceClassesQuery);
  return (
    <div className={common['fields']}>
      <TextField
        label="Years (optional)"
        name="years"
        placeholder="1998-2005"
        autoComplete="off"
        error={problems['years']}
      />
      <Choice
        label="Drivetrain"
        name="drivetrain"
        choices={drivetrains.data}
        error={problems['drivetrain']}
      />
      <Choice label="Class" name="raceClass" choices={raceClasses.data} error={problems['raceClass']} />
    </div>
  );
}

type ChoiceProps = {
  label: string;
  name: string;
  choices: readonly string[] | undefined;
  error: string | undefined;
};

function Choice({ label, name, choices = [], error }: ChoiceProps) {
  return (
    <SelectField label={label} name={name} error={error}>
      <option value="">Not sure</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </SelectField>
  );
}

type Adding = {
  work: (send: Send) => Promise<{ id: UserCarId }>;
  description: string;
};

function useAdding({ onClose, onAdded }: ProposeCarProps) {
  const { run, refuse, ...state } = useCalls(
    async (send, { work, description }: Adding) => ({ ...(await work(send)), description }),
    {
      success: ({ description }) => ({ title: 'Car added!', description }),
      fallback: 'Failed to add car',
      onDone: ({ id }) => {
        onClose();
        onAdded(id);
      },
    },
  );
  return {
    ...state,
    addKnown: (modelKey: string) =>
      void run({
        work: (send) => send('POST /api/user-cars', { body: { modelKey, nickname: null } }),
        description: 'Your car has been added to your garage.',
      }),
    propose: (form: FormData, names: CarNames) => {
      const { proposal, missing } = readProposal(form, names);
      if (!proposal) return refuse('Make, model and variant are needed.', missing);
      void run({
        work: (send) => send('POST /api/user-cars/proposals', { body: proposal }),
        description: 'It is marked Community for now.',
      });
    },
  };
}

const NO_NAMES: CarNames = { make: '', modelFamily: '', variant: '', generation: '' };

/** Reads the proposal; without make, model or variant it returns the missing fields, each with a sentence. */
function readProposal(
  form: FormData,
  names: CarNames,
): { proposal: CarProposal | null; missing: Record<string, string> } {
  const missing = CAR_NAMES.filter((name) => name !== 'generation' && names[name].trim() === '');
  if (missing.length > 0) {
    return { proposal: null, missing: Object.fromEntries(missing.map((name) => [name, 'This is needed.'])) };
  }
  const { make, modelFamily, variant, generation } = names;
  const proposal = {
    make: make.trim(),
    modelFamily: modelFamily.trim(),
    variant: variant.trim(),
    generation: generation.trim() || null,
    years: readText(form, 'years'),
    drivetrain: readText(form, 'drivetrain'),
    raceClass: readText(form, 'raceClass'),
  };
  return { proposal, missing: {} };
}

function readText(form: FormData, name: string): string | null {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() || null : null;
}
