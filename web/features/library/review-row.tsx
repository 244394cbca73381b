import X from 'lucide-react/icons/x';
import { type KeyboardEvent, memo, useRef } from 'react';
import { Button, IconButton } from '#web/ui/button.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { TextField } from '#web/ui/field.tsx';
import common from '#web/ui/common.module.css';
import styles from './review-tracks.module.css';
import { editTrack, removePart, removeTrack } from './track-import.ts';
import {
  type RowField,
  isRemovablePart,
  listPartProblems,
  REVIEW_FIELDS,
  type ReviewField,
  type ReviewRow,
} from './track-review.ts';

type ReviewRowProps = { row: ReviewRow; disabled: boolean; onVisit: (position: RowField) => void };

const OUTLINE_BOX = { width: 44, height: 36, padding: 3 };

/** Shows one reviewed track. It renders again only when the track changes. */
export const ReviewRowItem = memo(function ReviewRowItem({ row, disabled, onVisit }: ReviewRowProps) {
  const item = useRef<HTMLLIElement>(null);
  const name = row.values.name.trim() || 'no name yet';

  function remove(): void {
    const next = item.current?.nextElementSibling ?? item.current?.previousElementSibling;
    // The button that has the focus is about to disappear.
    next?.querySelector('button')?.focus();
    removeTrack(row.id);
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
            <CircuitOutline track={{ outline: row.raw.outline ?? null }} box={OUTLINE_BOX} />
          </span>
        </span>
        {REVIEW_FIELDS.map((field) => (
          <ReviewInput key={field} row={row} field={field} onVisit={onVisit} />
        ))}
        <IconButton
          label={`Remove track ${row.row}: ${name}`}
          icon={<X size={18} aria-hidden="true" />}
          className={styles['remove']}
          onClick={remove}
        />
        <RowNotes row={row} />
      </fieldset>
    </li>
  );
});

/** The input is uncontrolled until it loses the focus, so that typing renders nothing. */
function ReviewInput({ row, field, onVisit }: Omit<ReviewRowProps, 'disabled'> & { field: ReviewField }) {
  const isNumeric = NUMERIC_FIELDS.includes(field);
  const commit = (input: HTMLInputElement) => editTrack(row.id, field, input.value);

  function handleKey(event: KeyboardEvent<HTMLInputElement>): void {
    const input = event.currentTarget;
    if (event.key === 'Escape') {
      input.value = row.values[field];
      return;
    }
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') commit(input);
    const neighbour = findNeighbourInput(input, event.key, event.shiftKey);
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
      className={styles[field]}
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

/** Shows the problems and warnings that have no field. */
function RowNotes({ row }: { row: ReviewRow }) {
  const problems = listPartProblems(row);
  if (row.warnings.length === 0 && problems.length === 0 && row.refusal === null) return null;
  return (
    <ul className={styles['notes']}>
      {row.refusal !== null && <li className={common['bad']}>Not imported: {row.refusal}</li>}
      {problems.map(([part, sentence]) => (
        <li key={part} className={styles['part']}>
          <span className={common['bad']}>
            {PART_NAMES[part] ?? part}: {sentence}
          </span>
          {isRemovablePart(part) && (
            <Button size="small" onClick={() => removePart(row.id, part)}>
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

/** The labels of the fields of a review; a star marks required fields. */
export const FIELD_LABELS: Readonly<Record<ReviewField, string>> = {
  name: 'Track Name *',
  configuration: 'Configuration',
  location: 'City/Region *',
  country: 'Country *',
  radiusMeters: 'Detection Radius (m)',
  centerLat: 'Latitude',
  centerLon: 'Longitude',
};

const REQUIRED_FIELDS: readonly ReviewField[] = ['name', 'location', 'country'];
const NUMERIC_FIELDS: readonly ReviewField[] = ['radiusMeters', 'centerLat', 'centerLon'];

export function fieldId({ rowId, field }: RowField): string {
  return `review-${rowId}-${field}`;
}

// Enter goes down a column as in any spreadsheet; the arrow keys have no other use in a field of one line.
const STEPS: Partial<Record<string, 'next' | 'previous'>> = {
  Enter: 'next',
  ArrowDown: 'next',
  ArrowUp: 'previous',
};

/** Finds the input of the same field in the next or previous row, if the key leads there and there is one. */
function findNeighbourInput(input: HTMLInputElement, key: string, shiftKey: boolean): HTMLElement | null {
  const step = key === 'Enter' && shiftKey ? 'previous' : STEPS[key];
  const row = input.closest('[data-row]');
  if (!step || !row) return null;
  const neighbour = step === 'next' ? row.nextElementSibling : row.previousElementSibling;
  return neighbour?.querySelector<HTMLElement>(`[name="${input.name}"]`) ?? null;
}
