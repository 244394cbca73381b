import type { Ref } from 'react';
import { RUN_LIMITS, RUN_STATUSES, STATUS_LABELS } from '#contract/race-events/labels.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { SelectField, TextField } from '#web/ui/field.tsx';
import common from '#web/ui/common.module.css';
import type { ShownRun } from './event-view.ts';

type RunFieldsProps = {
  /** The run as it is; absent for a new one. */
  run?: ShownRun;
  problems: Readonly<Record<string, string>>;
  timeRef?: Ref<HTMLInputElement>;
};

/** Shows the fields of a run: its time, unless a lap file has timed it, what was hit, its status and the reason. */
export function RunFields({ run, problems, timeRef }: RunFieldsProps) {
  const count = (name: 'cones' | 'gates', label: string) => (
    <TextField
      label={label}
      name={name}
      inputMode="numeric"
      autoComplete="off"
      defaultValue={String(run?.[name] ?? '') || '0'}
      error={problems[name]}
    />
  );
  return (
    <>
      {!run?.lap && (
        <TextField
          ref={timeRef ?? null}
          label="Time"
          name="time"
          inputMode="decimal"
          autoComplete="off"
          placeholder="1:04.123"
          defaultValue={typeof run?.timeMs === 'number' ? formatLapTime(run.timeMs) : ''}
          error={problems['time']}
        />
      )}
      <div className={common['fields']}>
        {count('cones', 'Cones')}
        {count('gates', 'Gates')}
      </div>
      <SelectField label="Status" name="status" defaultValue={run?.status ?? 'timed'}>
        {RUN_STATUSES.map((status) => (
          <option key={status} value={status}>
            {STATUS_LABELS[status]}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Reason"
        name="reason"
        autoComplete="off"
        maxLength={RUN_LIMITS.reasonCharactersMax}
        hint="For a penalty, a status or a change. Everybody sees it."
        error={problems['reason']}
      />
    </>
  );
}
