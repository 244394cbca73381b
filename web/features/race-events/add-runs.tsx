import { useId, useLayoutEffect, useRef, useState, type SyntheticEvent } from 'react';
import { formatLapTime } from '#engine/lap-time.ts';
import { STATUS_LABELS } from '#contract/race-events/labels.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { focusInDialog } from '#web/ui/modals.ts';
import { readField } from '#web/ui/read-field.ts';
import { Failure } from '#web/ui/state-message.tsx';
import { useCalls } from '#web/ui/use-call.ts';
import common from '#web/ui/common.module.css';
import { formatPenalty } from './describe-rule.ts';
import { penaltyOf, type EventView, type ShownEntry } from './event-view.ts';
import { readRunForm, type TypedRun } from './read-run-form.ts';
import { RunFields } from './run-fields.tsx';

type NewRun = TypedRun & { entry: ShownEntry; courseNumber: number };

/** Takes runs one after the other: Enter sends one, and the number of the next car has the focus. */
export function AddRuns({ view, onClose }: { view: EventView; onClose: () => void }) {
  const formId = useId();
  const { form, number, entry, typedNumber, setTypedNumber, added, submit, isBusy, fields, problem } =
    useAddingRuns(view);
  return (
    <Dialog
      width="form"
      title="Add Runs"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <Button type="submit" form={formId} variant="primary" pending={isBusy}>
            Add Run
          </Button>
        </>
      }
    >
      <Form ref={form} id={formId} className={common['list']} onSubmit={(event) => void submit(event)}>
        <CourseChoice view={view} />
        <TextField
          ref={number}
          label="Number"
          name="number"
          autoComplete="off"
          autoCapitalize="characters"
          value={typedNumber}
          hint={entry ? `${entry.name}, ${entry.className}` : 'Of the car, as in the list of entries.'}
          error={fields['number'] ?? fields['entryId']}
          onChange={(event) => setTypedNumber(event.currentTarget.value)}
        />
        <RunFields problems={fields} />
        <Failure>{problem}</Failure>
        <output className={common['note']}>{added && describeAdded(view, added)}</output>
      </Form>
    </Dialog>
  );
}

function CourseChoice({ view: { courses } }: { view: EventView }) {
  if (courses.length < 2) return null;
  return (
    <SelectField label="Course" name="course">
      {courses.map(({ number, name }) => (
        <option key={number} value={number}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

function useAddingRuns(view: EventView) {
  const form = useRef<HTMLFormElement>(null);
  const number = useRef<HTMLInputElement>(null);
  const [typedNumber, setTypedNumber] = useState('');
  const [added, setAdded] = useState<NewRun | null>(null);
  useLayoutEffect(() => focusInDialog(number.current), []);
  const entry = findEntry(view, typedNumber);
  const { run, refuse, ...state } = useCalls((send, { entry: { id: entryId }, ...body }: NewRun) =>
    send('POST /api/events/:eventId/runs', {
      params: { eventId: view.eventId },
      body: { ...body, entryId },
    }),
  );

  async function submit(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const read = readRunForm(event.currentTarget);
    if (!entry || read.problems) {
      refuse(null, { ...(!entry && { number: 'No entry has this number.' }), ...read.problems });
      return;
    }
    const courseNumber = Number(readField(event.currentTarget, 'course')) || 1;
    const newRun = { ...read.run, entry, courseNumber };
    if ((await run(newRun)) === null) return;
    setAdded(newRun);
    clear(form.current);
    setTypedNumber('');
    number.current?.focus();
  }

  return { form, number, entry, typedNumber, setTypedNumber, added, submit, ...state };
}

function findEntry({ entries }: EventView, typed: string): ShownEntry | undefined {
  const wanted = typed.trim().toUpperCase();
  return entries.find(({ number, isWithdrawn }) => !isWithdrawn && number.toUpperCase() === wanted);
}

/** Empties what belongs to one run; the course stays. */
function clear(form: HTMLFormElement | null): void {
  for (const field of form?.querySelectorAll('input') ?? []) field.value = field.defaultValue;
  const status = form?.querySelector<HTMLSelectElement>('select[name="status"]');
  if (status) status.selectedIndex = 0;
}

function describeAdded(view: EventView, { entry, timeMs, status, cones, gates }: NewRun): string {
  const penaltyMs = penaltyOf(view, { cones, gates });
  const time = timeMs === null ? STATUS_LABELS[status] : formatLapTime(timeMs);
  return `Added: ${entry.number} ${entry.name}, ${time}${penaltyMs > 0 ? ` +${formatPenalty(penaltyMs)}` : ''}.`;
}
