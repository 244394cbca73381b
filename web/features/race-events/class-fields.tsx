import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useRef, type RefObject } from 'react';
import type { RaceEventClassId } from '#contract/ids.ts';
import { CLASS_LIMITS } from '#contract/race-events/labels.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useFocusAfter } from '#web/ui/use-focus-after.ts';
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
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const change = (key: number, changed: Partial<DraftClass>) =>
    onChange(classes.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  return (
    <fieldset ref={fieldset} tabIndex={-1} className={common['lines']}>
      <legend className={styles['legend']}>Classes</legend>
      {classes.map((one, at) => (
        <ClassRow
          key={one.key}
          draft={one}
          number={at + 1}
          focusAfter={fieldset}
          onChange={(changed) => change(one.key, changed)}
          onRemove={() => onChange(classes.filter(({ key }) => key !== one.key))}
        />
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

type ClassRowProps = {
  draft: DraftClass;
  /** Counts the row from 1. */
  number: number;
  focusAfter: RefObject<HTMLElement | null>;
  onChange: (changed: Partial<DraftClass>) => void;
  onRemove: () => void;
};

function ClassRow({ draft: { name, index }, number, focusAfter, onChange, onRemove }: ClassRowProps) {
  useFocusAfter(focusAfter);
  return (
    <div className={styles['class']}>
      <TextField
        label={`Class ${number}`}
        compact
        autoComplete="off"
        maxLength={CLASS_LIMITS.nameCharactersMax}
        value={name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextField
        label="Index"
        compact
        autoComplete="off"
        inputMode="decimal"
        placeholder="None"
        value={index}
        onChange={(event) => onChange({ index: event.currentTarget.value })}
      />
      <IconButton
        label={`Remove class ${name || number}`}
        icon={<X size={18} aria-hidden="true" />}
        onClick={onRemove}
      />
    </div>
  );
}

const EMPTY_CLASS = { id: null, name: '', index: '' };

function nextKey(classes: readonly DraftClass[]): number {
  return Math.max(0, ...classes.map(({ key }) => key)) + 1;
}
