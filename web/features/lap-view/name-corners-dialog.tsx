import { useQueryClient } from '@tanstack/react-query';
import { useId, useState, type SyntheticEvent } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { describeError } from '#web/api/api-error.ts';
import { callApi } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { entry, nearestStation } from './lap-lines.ts';
import styles from './name-corners-dialog.module.css';
import type { CornersOfTrack } from './shown-laps.ts';

/** A field for the name of every corner. */
export function NameCornersDialog({ onClose, ...props }: CornersOfTrack & { onClose: () => void }) {
  const { trackId, corners } = props;
  const formId = useId();
  const queryClient = useQueryClient();
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function save(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isSaving) return;
    const names = listNames(new FormData(event.currentTarget), props);
    setIsSaving(true);
    try {
      await callApi('PUT /api/admin/tracks/:trackId/corner-names', {
        params: { trackId },
        body: { corners: names },
      });
      await refresh(['tracks', 'admin'], queryClient);
      showToast({ title: 'Corners Named', description: 'Everybody sees the names in laps and comparisons.' });
      onClose();
    } catch (error) {
      setFailure(describeError(error));
      setIsSaving(false);
    }
  }

  return (
    <Dialog
      open
      title="Name Corners"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={isSaving}>
            Save Changes
          </Button>
        </>
      }
    >
      <form id={formId} className={styles['form']} onSubmit={(event) => void save(event)}>
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
        {failure !== null && <p role="alert">{failure}</p>}
      </form>
    </Dialog>
  );
}

/** The names that were given, each with where the apex of its corner is. */
function listNames(form: FormData, { corners, stations: { meters, lats, lons } }: CornersOfTrack) {
  return corners.flatMap(({ number, apexMeters }) => {
    const value = form.get(String(number));
    const name = typeof value === 'string' ? value.trim() : '';
    const apex = nearestStation(meters, apexMeters);
    return name === '' ? [] : [{ name, lat: entry(lats, apex), lon: entry(lons, apex) }];
  });
}
