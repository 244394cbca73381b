import { X } from 'lucide-react';
import { memo, useRef, type KeyboardEvent } from 'react';
import { Button, IconButton } from '#web/ui/button.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FIELD_LABELS, fieldId, neighbourOf, NUMERIC_FIELDS, REQUIRED_FIELDS } from './review-fields.ts';
import styles from './review-tracks.module.css';
import {
  mayLeaveOut,
  problemsOfParts,
  REVIEW_FIELDS,
  type FieldOfRow,
  type ReviewField,
  type ReviewRow,
} from './track-review.ts';

export type RowActions = {
  onVisit: (place: FieldOfRow) => void;
  onEdit: (rowId: string, field: ReviewField, value: string) => void;
  onLeaveOut: (rowId: string, part: string) => void;
  onRemove: (rowId: string) => void;
};

type ReviewRowProps = RowActions & { row: ReviewRow; disabled: boolean };

const OUTLINE_BOX = { width: 44, height: 36, padding: 3 };

/** One track under review. Only what has changed is drawn again: there may be fifty others on the page. */
export const ReviewRowItem = memo(function ReviewRowItem(props: ReviewRowProps) {
  const { row, disabled, onEdit, onVisit, onRemove } = props;
  const item = useRef<HTMLLIElement>(null);
  const name = row.values.name.trim() || 'no name yet';

  function remove(): void {
    const next = item.current?.nextElementSibling ?? item.current?.previousElementSibling;
    // The button that had the focus is about to go.
    next?.querySelector('button')?.focus();
    onRemove(row.id);
  }

  return (
    <li ref={item} data-row={row.id} className={styles['row']}>
      <fieldset disabled={disabled} className={styles['fields']}>
        <legend className="visually-hidden">
          Track {row.row}: {name}
        </legend>
        <span className={styles['corner']}>
          <span className={styles['number']}>{row.row}</span>
          <span className={styles['outline']}>
            <CircuitOutline track={{ outline: row.told.outline ?? null }} box={OUTLINE_BOX} />
          </span>
        </span>
        {REVIEW_FIELDS.map((field) => (
          <ReviewInput key={field} row={row} field={field} onEdit={onEdit} onVisit={onVisit} />
        ))}
        <IconButton
          label={`Remove track ${row.row}: ${name}`}
          icon={<X size={18} aria-hidden="true" />}
          className={styles['remove'] ?? ''}
          onClick={remove}
        />
        <RowNotes {...props} />
      </fieldset>
    </li>
  );
});

type ReviewInputProps = Pick<RowActions, 'onEdit' | 'onVisit'> & { row: ReviewRow; field: ReviewField };

/** What is typed is the browser's until the field is left: nothing is drawn again on the way. */
function ReviewInput({ row, field, onEdit, onVisit }: ReviewInputProps) {
  const isNumeric = NUMERIC_FIELDS.includes(field);
  const commit = (input: HTMLInputElement) => onEdit(row.id, field, input.value);

  function handleKey(event: KeyboardEvent<HTMLInputElement>): void {
    const input = event.currentTarget;
    if (event.key === 'Escape') {
      input.value = row.values[field];
      return;
    }
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') commit(input);
    const neighbour = neighbourOf(input, event.key, event.shiftKey);
    if (!neighbour) return;
    event.preventDefault();
    neighbour.focus();
  }

  return (
    <TextField
      id={fieldId({ rowId: row.id, field })}
      label={FIELD_LABELS[field]}
      compact
      name={field}
      className={styles[field] ?? ''}
      defaultValue={row.values[field]}
      error={row.problems[field]}
      required={REQUIRED_FIELDS.includes(field)}
      autoComplete="off"
      {...(isNumeric && { inputMode: 'decimal' as const })}
      onFocus={() => onVisit({ rowId: row.id, field })}
      onBlur={(event) => commit(event.currentTarget)}
      onKeyDown={handleKey}
    />
  );
}

/** What else there is to say about a track, below its fields. */
function RowNotes({ row, onLeaveOut }: ReviewRowProps) {
  const problems = problemsOfParts(row);
  if (row.warnings.length === 0 && problems.length === 0 && row.refusal === null) return null;
  return (
    <ul className={styles['notes']}>
      {row.refusal !== null && <li className={styles['bad']}>Not imported: {row.refusal}</li>}
      {problems.map(([part, sentence]) => (
        <li key={part} className={styles['part']}>
          <span className={styles['bad']}>
            {nameOfPart(part)}: {sentence}
          </span>
          {mayLeaveOut(part) && (
            <Button size="small" onClick={() => onLeaveOut(row.id, part)}>
              Import without it
            </Button>
          )}
        </li>
      ))}
      {row.warnings.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

const PART_NAMES: Partial<Record<string, string>> = {
  startFinishLine: 'Start/finish line',
  sectors: 'Sectors',
  outline: 'Outline',
  lengthMeters: 'Length',
  track: 'Track',
};

function nameOfPart(part: string): string {
  return PART_NAMES[part] ?? part;
}
