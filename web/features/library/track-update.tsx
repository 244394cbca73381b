import type { SyntheticEvent } from 'react';
import type { TrackDifference, UpdatableField } from '#contract/library/schemas.ts';
import { Button } from '#web/ui/button.tsx';
import { pluralize } from '#web/ui/format.ts';
import { Failure } from '#web/ui/state-message.tsx';
import styles from '#web/ui/admin.module.css';
import { Form } from '#web/ui/form.tsx';
import { useUpdate, type TrackResult } from './track-import.ts';

const FIELD_LABELS: Record<UpdatableField, string> = {
  name: 'Name',
  configuration: 'Configuration',
  location: 'Location',
  country: 'Country',
  lengthMeters: 'Length',
  radiusMeters: 'Detection radius',
  centerLat: 'Latitude',
  centerLon: 'Longitude',
  startFinishLine: 'Start/finish line',
  finishLine: 'Finish line',
  sectors: 'Sectors',
  outline: 'Outline',
};

type TrackUpdateProps = { result: TrackResult; name: string; differences: readonly TrackDifference[] };

/** Shows where an imported track differs from the library, and updates what is chosen of it. */
export function TrackUpdate({ result, name, differences }: TrackUpdateProps) {
  const { run, refuse, isBusy, sentence } = useUpdate(result);

  function update(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const chosen = new Set(new FormData(event.currentTarget).getAll('field'));
    const fields = differences.flatMap(({ field }) => (chosen.has(field) ? [field] : []));
    if (fields.length > 0) void run(fields);
    else refuse('Choose what is updated.');
  }

  return (
    <details className={styles['differences']}>
      <summary>
        {pluralize(differences.length, 'difference')}
        <span className="visually-hidden"> of {name}</span>
      </summary>
      <Form onSubmit={update}>
        {differences.map((difference) => (
          <Difference key={difference.field} difference={difference} />
        ))}
        <Failure>{sentence}</Failure>
        <Button type="submit" size="small" pending={isBusy}>
          Update Track
        </Button>
      </Form>
    </details>
  );
}

function Difference({ difference: { field, before, after } }: { difference: TrackDifference }) {
  return (
    <label className={styles['difference']}>
      <input type="checkbox" name="field" value={field} defaultChecked />
      <span>
        {FIELD_LABELS[field]}
        <span className={styles['facts']}>
          {before ?? 'none'} → {after}
        </span>
      </span>
    </label>
  );
}
