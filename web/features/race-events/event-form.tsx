import { useId, useState, type SyntheticEvent } from 'react';
import { EVENT_LIMITS } from '#contract/race-events/labels.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField, TextAreaField, TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormFooter } from '#web/ui/form-footer.tsx';
import { focusInDialog } from '#web/ui/modals.ts';
import { Failure } from '#web/ui/state-message.tsx';
import { Switch } from '#web/ui/switch.tsx';
import common from '#web/ui/common.module.css';
import { ClassFields, type DraftClass } from './class-fields.tsx';
import { CourseFields, type DraftCourse } from './course-fields.tsx';
import styles from './event-form.module.css';
import type { EventSettings } from './event-view.ts';
import { readEventForm, type TypedEvent } from './read-event-form.ts';

type EventFormProps = {
  title: string;
  action: string;
  /** Fills the form; absent for a new event. */
  settings?: EventSettings;
  isBusy: boolean;
  fields: Readonly<Record<string, string>>;
  problem: string | null;
  onRefuse: (problems: Readonly<Record<string, string>>) => void;
  onSend: (event: TypedEvent) => void;
  onClose: () => void;
};

const FIRST_CLASS: DraftClass = { key: 1, id: null, name: 'All', index: '' };

/** Edits an event: its name and days, courses, classes, and the rule of its results. */
export function EventForm({ title, action, settings, ...props }: EventFormProps) {
  const { isBusy, fields, problem, onRefuse, onSend, onClose } = props;
  const formId = useId();
  const [courses, setCourses] = useState<readonly DraftCourse[]>(settings?.courses ?? []);
  const [classes, setClasses] = useState<readonly DraftClass[]>(() => draftClasses(settings));

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    // Enter chooses a track.
    if (event.currentTarget.querySelector('[role="combobox"]:focus')) return;
    const read = readEventForm(event.currentTarget, { courses, classes });
    if (read.problems) onRefuse(read.problems);
    else onSend(read.event);
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <FormFooter formId={formId} isBusy={isBusy} onCancel={onClose}>
          {action}
        </FormFooter>
      }
    >
      <Form id={formId} className={common['stack']} onSubmit={submit}>
        <MainFields settings={settings} problems={fields} />
        <CourseFields courses={courses} problem={fields['courses']} onChange={setCourses} />
        <ClassFields classes={classes} problem={fields['classes']} onChange={setClasses} />
        <RuleFields settings={settings} problems={fields} />
        <Failure>{problem}</Failure>
      </Form>
    </Dialog>
  );
}

function draftClasses(settings: EventSettings | undefined): readonly DraftClass[] {
  if (!settings) return [FIRST_CLASS];
  return settings.classes.map(({ id, name, indexFactor }, key) => ({
    key,
    id,
    name,
    index: indexFactor === null ? '' : String(indexFactor),
  }));
}

type PartProps = { settings: EventSettings | undefined; problems: Readonly<Record<string, string>> };

function MainFields({ settings, problems }: PartProps) {
  const day = (name: 'firstDay' | 'lastDay', label: string) => (
    <TextField type="date" label={label} name={name} defaultValue={settings?.[name]} error={problems[name]} />
  );
  return (
    <>
      <TextField
        ref={focusInDialog}
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={EVENT_LIMITS.nameCharactersMax}
        defaultValue={settings?.name}
        error={problems['name']}
      />
      <TextAreaField
        label="Description (optional)"
        name="description"
        maxLength={EVENT_LIMITS.descriptionCharactersMax}
        defaultValue={settings?.description}
        error={problems['description']}
      />
      <div className={common['fields']}>
        {day('firstDay', 'First day')}
        {day('lastDay', 'Last day')}
      </div>
    </>
  );
}

function RuleFields({ settings, problems }: PartProps) {
  const count = (name: 'firstRuns' | 'countedRuns', label: string) => (
    <TextField
      label={label}
      name={name}
      inputMode="numeric"
      autoComplete="off"
      placeholder="All"
      defaultValue={settings ? String(settings[name] ?? '') : name === 'countedRuns' ? '1' : ''}
      error={problems[name]}
    />
  );
  const seconds = (name: 'conePenalty' | 'gatePenalty', label: string, penaltyMs: number) => (
    <TextField
      label={label}
      name={name}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={String(penaltyMs / 1000)}
      error={problems[name] ?? problems[`${name}Ms`]}
    />
  );
  return (
    <fieldset className={common['list']}>
      <legend className={styles['legend']}>Results</legend>
      <div className={common['fields']}>
        {count('firstRuns', 'First runs that can count')}
        {count('countedRuns', 'Best of them that count')}
        {seconds('conePenalty', 'A cone costs, in seconds', settings?.conePenaltyMs ?? 2_000)}
        {seconds('gatePenalty', 'A gate costs, in seconds', settings?.gatePenaltyMs ?? 10_000)}
        <SelectField
          label="Totals closer than their ±"
          name="tieRule"
          defaultValue={settings?.tieRule ?? 'shared'}
        >
          <option value="shared">share a place</option>
          <option value="faster">rank by the faster figure</option>
        </SelectField>
        <TextField
          label="Protest time, in minutes"
          name="protestMinutes"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={String(settings?.protestMinutes ?? 30)}
          error={problems['protestMinutes']}
        />
      </div>
      <Switch
        label="Take laps of lap files"
        hint="Uploaded laps of entered drivers on these days are runs by themselves."
        name="takesLaps"
        defaultChecked={settings?.takesLaps ?? false}
      />
    </fieldset>
  );
}
