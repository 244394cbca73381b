import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ENTRY_LIMITS } from '#contract/race-events/labels.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormFooter } from '#web/ui/form-footer.tsx';
import { focusInDialog } from '#web/ui/modals.ts';
import { Failure, QueryState } from '#web/ui/state-message.tsx';
import common from '#web/ui/common.module.css';
import type { EventView, ShownEntry } from './event-view.ts';
import { garageQuery, useEntering } from './use-entering.ts';

export type EntryDialogProps = {
  view: EventView;
  /** Changes this entry; absent for a new one. */
  entry?: ShownEntry | undefined;
  /** True where an organiser enters somebody else. */
  isForOther?: boolean;
  /** Organisers withdraw an entry here. */
  onWithdraw?: (() => void) | undefined;
  onClose: () => void;
};

const NEW = { title: 'Enter', action: 'Enter' };
const NEW_FOR_OTHER = { title: 'Add Entry', action: 'Add Entry' };
const CHANGED = { title: 'Change Entry', action: 'Save Changes' };

/** Enters the viewer, or for organisers somebody else, or changes an entry. */
export function EntryDialog(props: EntryDialogProps) {
  const { entry, isForOther = false, onWithdraw, onClose } = props;
  const formId = useId();
  const { enter, isBusy, fields, problem } = useEntering(props);
  const { title, action } = entry ? CHANGED : isForOther ? NEW_FOR_OTHER : NEW;
  return (
    <Dialog
      width="form"
      title={title}
      onClose={onClose}
      footer={
        <>
          {onWithdraw && <Button onClick={onWithdraw}>Withdraw</Button>}
          <FormFooter formId={formId} isBusy={isBusy} onCancel={onClose}>
            {action}
          </FormFooter>
        </>
      }
    >
      <Form
        id={formId}
        className={common['list']}
        onSubmit={(event) => {
          event.preventDefault();
          enter(event.currentTarget);
        }}
      >
        {isForOther && !entry && <DriverField problem={fields['driver'] ?? fields['driverName']} />}
        <EntryFields {...props} problems={fields} />
        <Failure>{problem}</Failure>
      </Form>
    </Dialog>
  );
}

function DriverField({ problem }: { problem: string | undefined }) {
  return (
    <TextField
      ref={focusInDialog}
      label="Driver"
      name="driver"
      autoComplete="off"
      hint="A name, or the @username of an account."
      error={problem}
    />
  );
}

type EntryFieldsProps = EntryDialogProps & { problems: Readonly<Record<string, string>> };

function EntryFields({ view, entry, isForOther, problems }: EntryFieldsProps) {
  const isOwn = entry ? entry.isOwn : !isForOther;
  return (
    <>
      <SelectField label="Class" name="classId" defaultValue={entry?.classId} error={problems['classId']}>
        {view.classes.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {isOwn ? (
        <CarChoice entry={entry} problems={problems} />
      ) : (
        <CarText car={entry?.car} problem={problems['carName'] ?? problems['userCarId']} />
      )}
      <div className={common['fields']}>
        <TextField
          label="Number"
          name="number"
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={ENTRY_LIMITS.numberCharactersMax}
          defaultValue={entry?.number}
          error={problems['number']}
        />
        <TextField
          label="Group (optional)"
          name="group"
          autoComplete="off"
          maxLength={ENTRY_LIMITS.groupCharactersMax}
          defaultValue={entry?.group ?? ''}
          error={problems['group']}
        />
      </div>
    </>
  );
}

type CarTextProps = { label?: string; car: string | undefined; problem: string | undefined };

function CarText({ label = 'Car', car = '', problem }: CarTextProps) {
  return (
    <TextField
      label={label}
      name="carName"
      autoComplete="off"
      maxLength={ENTRY_LIMITS.carCharactersMax}
      defaultValue={car}
      error={problem}
    />
  );
}

type CarChoiceProps = Pick<EntryFieldsProps, 'entry' | 'problems'>;

/** Offers the cars of the garage, and another one by its name. */
function CarChoice({ entry, problems }: CarChoiceProps) {
  const garage = useQuery(garageQuery);
  const cars = garage.data;
  const [chosen, setChosen] = useState(entry && (entry.userCarId ?? ''));
  if (!cars)
    return (
      <>
        <QueryState noun="cars of your garage" query={garage} />
        <Failure>{problems['carName'] ? 'Your car can be chosen once your garage is loaded.' : null}</Failure>
      </>
    );
  const shown = chosen ?? cars[0]?.id ?? '';
  return (
    <>
      {cars.length > 0 && (
        <SelectField
          label="Car"
          name="userCarId"
          value={shown}
          error={problems['userCarId']}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {cars.map((car) => (
            <option key={car.id} value={car.id}>
              {car.nickname || car.modelDisplay}
            </option>
          ))}
          <option value="">Another car</option>
        </SelectField>
      )}
      {shown === '' && (
        <CarText
          label={cars.length > 0 ? 'Name of the car' : 'Car'}
          car={findTypedCar(entry)}
          problem={problems['carName'] ?? problems['userCarId']}
        />
      )}
    </>
  );
}

/** Returns the car that somebody typed; undefined for one of the garage. */
function findTypedCar(entry: ShownEntry | undefined): string | undefined {
  return entry && entry.userCarId === null ? entry.car : undefined;
}
