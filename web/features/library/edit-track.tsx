import { useId, type SyntheticEvent } from 'react';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormFooter } from '#web/ui/form-footer.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { pluralize } from '#web/ui/format.ts';
import { focusInDialog } from '#web/ui/modals.ts';
import { useCall } from '#web/ui/use-call.ts';
import type { EditedTrack } from './library-queries.ts';
import { Failure } from '#web/ui/state-message.tsx';
import common from '#web/ui/common.module.css';
import { Form } from '#web/ui/form.tsx';
import { readTrackForm } from './read-track-form.ts';

export function EditTrack({ track, onClose }: { track: EditedTrack; onClose: () => void }) {
  const formId = useId();
  const { run, refuse, isBusy, fields, sentence } = useCall('PATCH /api/admin/tracks/:trackId', {
    success: ({ sessionsToRetime: count }) => {
      const retimed = count > 0 ? ` ${pluralize(count, 'session')} will be timed again.` : '';
      return { title: 'Track Updated', description: `${track.name} is corrected.${retimed}` };
    },
    onDone: onClose,
  });

  function save(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { change, problems } = readTrackForm(new FormData(event.currentTarget), track);
    if (problems) refuse(null, problems);
    else if (Object.keys(change).length > 0) void run({ params: { trackId: track.id }, body: change });
    else onClose();
  }

  return (
    <Dialog
      title="Edit Track"
      onClose={onClose}
      footer={
        <FormFooter formId={formId} isBusy={isBusy} onCancel={onClose}>
          Save Changes
        </FormFooter>
      }
    >
      <Form id={formId} className={common['list']} onSubmit={save}>
        <TrackFields track={track} problems={fields} />
        <Failure>{sentence}</Failure>
      </Form>
    </Dialog>
  );
}

function TrackFields({
  track,
  problems,
}: {
  track: EditedTrack;
  problems: Readonly<Record<string, string>>;
}) {
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
