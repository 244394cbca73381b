import { useQueryClient } from '@tanstack/react-query';
import { useId, useState, type SyntheticEvent } from 'react';
import { ApiError, describeError } from '#web/api/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { pluralize } from '#web/ui/format.ts';
import { focusInDialog } from '#web/ui/modals.ts';
import { showToast } from '#web/ui/toasts.ts';
import { correctTrack, type EditedTrack } from './administration-queries.ts';
import styles from './admin.module.css';
import { readTrackForm } from './read-track-form.ts';

type EditTrackProps = { track: EditedTrack | null; onClose: () => void };
type Outcome = { isSaving: boolean; failure?: string; problems?: Record<string, string> };

/** Corrects the names, the status and the size of a track. */
export function EditTrack({ track, onClose }: EditTrackProps) {
  const formId = useId();
  const queryClient = useQueryClient();
  const [{ isSaving, failure, problems = {} }, setOutcome] = useState<Outcome>({ isSaving: false });

  function close(): void {
    setOutcome({ isSaving: false });
    onClose();
  }

  async function save(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (!track || isSaving) return;
    const change = readTrackForm(new FormData(event.currentTarget), track);
    setOutcome({ isSaving: true });
    try {
      if (Object.keys(change).length > 0) {
        const sessions = await correctTrack(track.id, change, queryClient);
        const retimed = sessions > 0 ? ` ${pluralize(sessions, 'session')} will be timed again.` : '';
        showToast({ title: 'Track Updated', description: `${track.name} is corrected.${retimed}` });
      }
      close();
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {};
      setOutcome({ isSaving: false, failure: describeError(error), problems: fields });
    }
  }

  return (
    <Dialog
      open={track !== null}
      title="Edit Track"
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={isSaving}>
            Save Changes
          </Button>
        </>
      }
    >
      {track && (
        <form id={formId} noValidate className={styles['upload']} onSubmit={(event) => void save(event)}>
          <TrackFields track={track} problems={problems} />
          {failure !== undefined && (
            <p role="alert" className={styles['problem']}>
              {failure}
            </p>
          )}
        </form>
      )}
    </Dialog>
  );
}

function TrackFields({ track, problems }: { track: EditedTrack; problems: Record<string, string> }) {
  const text = (name: 'name' | 'configuration' | 'location' | 'country', label: string) => (
    <TextField label={label} name={name} defaultValue={track[name] ?? ''} error={problems[name]} />
  );
  const meters = (name: 'lengthMeters' | 'radiusMeters', label: string) => (
    <TextField
      label={label}
      name={name}
      inputMode="decimal"
      defaultValue={track[name] ?? ''}
      error={problems[name]}
    />
  );
  return (
    <>
      <TextField
        ref={focusInDialog}
        label="Name"
        name="name"
        defaultValue={track.name}
        error={problems['name']}
      />
      {text('configuration', 'Configuration')}
      {text('location', 'Location')}
      {text('country', 'Country')}
      <SelectField label="Status" name="status" defaultValue={track.status} error={problems['status']}>
        <option value="official">Official</option>
        <option value="community_submitted">Community</option>
      </SelectField>
      {meters('lengthMeters', 'Length in metres')}
      {meters('radiusMeters', 'Detection radius in metres')}
    </>
  );
}
