import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import type { RaceEventClassId } from '#contract/ids.ts';
import { CLASS_LIMITS } from '#contract/race-events/labels.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import common from '#web/ui/common.module.css';
import styles from './event-form.module.css';

/** A class in the form: `key` identifies its row, and `id` a class that is stored. */
export type DraftClass = { key: number; id: RaceEventClassId | null; name: string; index: string };

type ClassFieldsProps = {
  classes: readonly DraftClass[];
  problem: string | undefined;
  onChange: (classes: readonly DraftClass[]) => void;
};

/** Edits the classes of an event with their indexes. */
export function ClassFields({ classes, problem, onChange }: ClassFieldsProps) {
  const change = (key: number, changed: Partial<DraftClass>) =>
    onChange(classes.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  return (
    <fieldset className={common['lines']}>
      <legend className={styles['legend']}>Classes</legend>
      {classes.map(({ key, name, index }, at) => (
        <div key={key} className={styles['class']}>
          <TextField
            label={`Class ${at + 1}`}
            compact
            autoComplete="off"
            maxLength={CLASS_LIMITS.nameCharactersMax}
            value={name}
            onChange={(event) => change(key, { name: event.currentTarget.value })}
          />
          <TextField
            label="Index"
            compact
            autoComplete="off"
            inputMode="decimal"
            placeholder="None"
            value={index}
            onChange={(event) => change(key, { index: event.currentTarget.value })}
          />
          <IconButton
            label={`Remove class ${name || at + 1}`}
            icon={<X size={18} aria-hidden="true" />}
            onClick={() => onChange(classes.filter((one) => one.key !== key))}
          />
        </div>
      ))}
      {problem && (
        <p role="alert" className={common['failure']}>
          {problem}
        </p>
      )}
      {classes.length < CLASS_LIMITS.classesMax && (
        <Button
          size="small"
          className={styles['add']}
          onClick={() => onChange([...classes, { ...EMPTY_CLASS, key: nextKey(classes) }])}
        >
          <Plus size={16} aria-hidden="true" />
          Add Class
        </Button>
      )}
    </fieldset>
  );
}

const EMPTY_CLASS = { id: null, name: '', index: '' };

function nextKey(classes: readonly DraftClass[]): number {
  return Math.max(0, ...classes.map(({ key }) => key)) + 1;
}
