import { useId, type SyntheticEvent } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormFooter } from '#web/ui/form-footer.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { Failure } from '#web/ui/state-message.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { entry, nearestStation } from './lap-lines.ts';
import styles from './name-corners-dialog.module.css';
import type { TrackCorners } from './shown-laps.ts';

/** Shows a field for the name of every corner. */
export function NameCornersDialog({ onClose, ...props }: TrackCorners & { onClose: () => void }) {
  const { trackId, corners } = props;
  const formId = useId();
  const { run, isBusy, sentence } = useCall('PUT /api/admin/tracks/:trackId/corner-names', {
    success: {
      title: 'Corners Named',
      description: 'Everybody sees the names in laps and comparisons.',
    },
    onDone: onClose,
  });

  function save(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const names = listNames(new FormData(event.currentTarget), props);
    void run({ params: { trackId }, body: { corners: names } });
  }

  return (
    <Dialog
      title="Name Corners"
      onClose={onClose}
      footer={
        <FormFooter formId={formId} isBusy={isBusy} onCancel={onClose}>
          Save Changes
        </FormFooter>
      }
    >
      <Form id={formId} className={styles['form']} onSubmit={save}>
        {corners.map(({ number, name }) => (
          <TextField
            key={number}
            compact
            label={`Turn ${number}`}
            name={String(number)}
            maxLength={LIMITS.cornerNameCharactersMax}
            defaultValue={name ?? ''}
            autoComplete="off"
          />
        ))}
        <Failure>{sentence}</Failure>
      </Form>
    </Dialog>
  );
}

/** Lists the names that were entered, each with the position of its corner's apex. */
function listNames(form: FormData, { corners, stations: { meters, lats, lons } }: TrackCorners) {
  return corners.flatMap(({ number, apexMeters }) => {
    const value = form.get(String(number));
    const name = typeof value === 'string' ? value.trim() : '';
    const apex = nearestStation(meters, apexMeters);
    return name === '' ? [] : [{ name, lat: entry(lats, apex), lon: entry(lons, apex) }];
  });
}
