import { useState, type SyntheticEvent } from 'react';
import type { LapId, TrackId } from '#contract/ids.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { Failure } from '#web/ui/state-message.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { LIMITS } from '#contract/limits.ts';
import styles from './saved-comparisons.module.css';
import { SavedComparisons } from './saved-comparisons.tsx';

type SaveComparisonProps = {
  trackId: TrackId;
  lapIds: readonly LapId[];
  suggestedName: string;
  onClose: () => void;
};

/** Shows a dialog that saves a comparison under a name, above those that are saved already. */
export function SaveComparison({ trackId, lapIds, suggestedName, onClose }: SaveComparisonProps) {
  const [name, setName] = useState(suggestedName.slice(0, LIMITS.comparisonNameCharactersMax));
  const { run, isBusy, fields, problem } = useCall('POST /api/comparisons', {
    success: { title: 'Comparison Saved' },
    onDone: onClose,
  });
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    void run({ body: { name, trackId, lapIds: [...lapIds] } });
  };
  return (
    <Dialog title="Save this comparison" onClose={onClose}>
      <Form onSubmit={save} className={styles['form']}>
        <Failure>{problem}</Failure>
        <TextField
          label="Name"
          value={name}
          maxLength={LIMITS.comparisonNameCharactersMax}
          error={fields['name']}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="primary" pending={isBusy}>
          Save
        </Button>
      </Form>
      <SavedComparisons />
    </Dialog>
  );
}
