import { useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import type { TrackDifference, UpdatableField } from '#contract/admin.ts';
import { describeError } from '#web/api/api-error.ts';
import type { TrackResult } from '#web/api/specified-answers/admin.ts';
import { Button } from '#web/ui/button.tsx';
import { pluralize } from '#web/ui/format.ts';
import styles from './admin.module.css';
import { updateTrack } from './track-import.ts';

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

/** What an imported track says otherwise than the library, and the update of what is chosen of it. */
export function TrackUpdate({ result }: { result: TrackResult }) {
  const queryClient = useQueryClient();
  const [{ isUpdating, failure }, setOutcome] = useState<{ isUpdating: boolean; failure?: string }>({
    isUpdating: false,
  });

  async function update(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const chosen = new Set(new FormData(event.currentTarget).getAll('field'));
    const fields = result.differences.flatMap(({ field }) => (chosen.has(field) ? [field] : []));
    if (isUpdating) return;
    if (fields.length === 0) {
      setOutcome({ isUpdating, failure: 'Choose what is updated.' });
      return;
    }
    setOutcome({ isUpdating: true });
    try {
      await updateTrack(result, fields, queryClient);
      setOutcome({ isUpdating: false });
    } catch (error) {
      setOutcome({ isUpdating: false, failure: describeError(error) });
    }
  }

  return (
    <details className={styles['differences']}>
      <summary>
        {pluralize(result.differences.length, 'difference')}
        <span className="visually-hidden"> of {result.name}</span>
      </summary>
      <form noValidate onSubmit={(event) => void update(event)}>
        {result.differences.map((difference) => (
          <Difference key={difference.field} difference={difference} />
        ))}
        {failure !== undefined && (
          <p role="alert" className={styles['problem']}>
            {failure}
          </p>
        )}
        <Button type="submit" size="small" pending={isUpdating}>
          Update Track
        </Button>
      </form>
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
