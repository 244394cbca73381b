import type { SyntheticEvent } from 'react';
import type { SavedComparison } from '#contract/lap-view/saved-comparisons.ts';
import { LIMITS } from '#contract/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { readField } from '#web/ui/read-field.ts';
import { useCall } from '#web/ui/use-call.ts';
import styles from './saved-comparisons.module.css';

type RenameComparisonProps = { comparison: SavedComparison; onClose: () => void };

/** Shows a dialog that gives a saved comparison another name. */
export function RenameComparison({ comparison: { id, name }, onClose }: RenameComparisonProps) {
  const { run, isBusy, fields, problem } = useCall('PUT /api/comparisons/:comparisonId', { onDone: onClose });
  const rename = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run({ params: { comparisonId: id }, body: { name: readField(event.currentTarget, 'name') } });
  };
  return (
    <Dialog title="Rename this comparison" onClose={onClose}>
      <Form onSubmit={rename} className={styles['form']}>
        {problem && (
          <p role="alert" className={styles['problem']}>
            {problem}
          </p>
        )}
        <TextField
          label="Name"
          name="name"
          defaultValue={name}
          maxLength={LIMITS.comparisonNameCharactersMax}
          autoComplete="off"
          error={fields['name']}
        />
        <Button type="submit" variant="primary" pending={isBusy}>
          Rename
        </Button>
      </Form>
    </Dialog>
  );
}
