import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type ComponentProps, type Ref, type SyntheticEvent } from 'react';
import { tracksQuery } from '#web/api/track-queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { TextField } from '#web/ui/field.tsx';
import { CarChoice, carOptionsQuery, Choice, TireChoice, tireOptionsQuery } from './detail-choices.tsx';
import common from '#web/ui/common.module.css';
import styles from './lap-details-form.module.css';
import { LapFileList } from './lap-file-list.tsx';
import type { QueuedLapFile } from './lap-file-queue.ts';
import { usePreselectedDetails } from './preselect-details.ts';
import { submitUpload } from './send-upload.ts';
import { TrackRow } from './track-row.tsx';
import {
  getGroupDetails,
  groupFiles,
  omitRemovedCar,
  type TrackGroup,
  type UploadDetails,
} from './upload-groups.ts';
import { garageQuery } from './upload-queries.ts';
import { changeGroup, override } from './upload-state.ts';
import { useUpload, useUploadState } from './use-upload.ts';

type LapDetailsFormProps = {
  /** Takes the focus when a track was chosen. */
  headingRef: Ref<HTMLHeadingElement>;
  /** Is called if the garage lacks the car of a track's files. */
  onCarMissing: (trackId: string) => void;
};

/** Asks for what lap files do not hold: car, tyres and video. Files of several tracks have a card for each track. */
export function LapDetailsForm({ headingRef, onCarMissing }: LapDetailsFormProps) {
  const groups = groupFiles(useUploadState());
  const [first] = groups;
  const isSeveral = groups.length > 1;
  const { form, submit } = useSubmit();
  usePreselectedDetails();
  useEffect(() => {
    // The heading of one track, which had the focus, has disappeared.
    if (isSeveral && document.activeElement === document.body) form.current?.querySelector('h2')?.focus();
  }, [form, isSeveral]);
  const heading = (
    <h2 ref={headingRef} tabIndex={-1} className={common['heading']}>
      {isSeveral ? `Your files are from ${groups.length} tracks` : 'Lap Details'}
    </h2>
  );
  return (
    // The browser's own validation would run before the form's, which has an order.
    <form ref={form} noValidate className={common['stack']} onSubmit={(event) => void submit(event)}>
      {isSeveral && heading}
      {isSeveral &&
        groups.map((group) => <TrackCard key={group.trackId} {...group} onCarMissing={onCarMissing} />)}
      {isSeveral && <Actions />}
      {!isSeveral && first && (
        <Card as="section" className={common['stack']}>
          {heading}
          <Details trackId={first.trackId} onCarMissing={onCarMissing} asksForVideo />
          <Actions />
        </Card>
      )}
    </form>
  );
}

/** Submits the upload; where something is missing, its control takes the focus. */
function useSubmit() {
  const form = useRef<HTMLFormElement>(null);
  const upload = useUpload();
  const queryClient = useQueryClient();
  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (upload.state.phase === 'sending') return;
    const problem = await submitUpload(upload, queryClient);
    if (problem?.field === undefined || form.current === null) return;
    const { elements } = form.current;
    const { field, fileId, trackId } = problem;
    const control = elements.namedItem(`${field} ${fileId}`) ?? elements.namedItem(`${field} ${trackId}`);
    if (!(control instanceof HTMLElement)) return;
    control.closest('details')?.toggleAttribute('open', true);
    control.focus();
  }
  return { form, submit };
}

function Actions() {
  const upload = useUpload();
  const { phase, queue } = useUploadState();
  const isSending = phase === 'sending';
  // After everything is sent the server may be storing it, and cannot be stopped.
  const mayCancel =
    isSending && queue.some(({ status, sentShare }) => status === 'ready' || sentShare !== null);
  return (
    <div className={common['actions']}>
      {mayCancel && (
        <Button size="large" onClick={() => upload.stopStep()}>
          Cancel
        </Button>
      )}
      <Button type="submit" variant="primary" size="large" pending={isSending}>
        {isSending ? 'Uploading...' : 'Upload Lap Data'}
      </Button>
    </div>
  );
}

type GroupProps = { trackId: string; onCarMissing: (trackId: string) => void };

function TrackCard({ trackId, files, onCarMissing }: GroupProps & TrackGroup) {
  const track = useQuery(tracksQuery).data?.find(({ id }) => id === trackId);
  const name = track?.name ?? 'Another track';
  return (
    <Card as="section" aria-label={name} className={common['stack']}>
      {track ? <TrackRow track={track} /> : <p>{name}</p>}
      <LapFileList files={files} label={`Files of ${name}`} />
      <Details trackId={trackId} onCarMissing={onCarMissing} />
      <details className={styles['single']}>
        <summary>Add videos, or another car for single files</summary>
        {files.map((queued) => (
          <SingleFile key={queued.id} {...queued} />
        ))}
      </details>
    </Card>
  );
}

function Details({ trackId, onCarMissing, asksForVideo = false }: GroupProps & { asksForVideo?: boolean }) {
  const upload = useUpload();
  const state = useUploadState();
  const details = omitRemovedCar(getGroupDetails(state, trackId), useQuery(garageQuery).data);
  const disabled = state.phase === 'sending';
  const control = (field: keyof UploadDetails) => ({
    name: `${field} ${trackId}`,
    value: details[field],
    onChange: (value: string) => upload.change(changeGroup(trackId, { [field]: value })),
  });
  return (
    <div className={styles['fields']}>
      <CarChoice {...control('userCarId')} disabled={disabled} onCarMissing={() => onCarMissing(trackId)} />
      <TireChoice {...control('tireCompound')} disabled={disabled} />
      {/* The button is not `disabled`, so that it keeps the focus after submitting with Enter. */}
      {asksForVideo && <VideoField label="Video Link" {...control('videoUrl')} readOnly={disabled} />}
    </div>
  );
}

/** Asks for what differs for one file from the others of its track. */
function SingleFile({ id, file }: QueuedLapFile) {
  const upload = useUpload();
  const { overrides, phase } = useUploadState();
  const disabled = phase === 'sending';
  const control = (field: keyof UploadDetails) => ({
    compact: true,
    disabled,
    value: overrides[id]?.[field] ?? '',
    onChange: (value: string) => upload.change(override(id, { [field]: value })),
  });
  const [cars, tires] = [useQuery(carOptionsQuery), useQuery(tireOptionsQuery)];
  return (
    <fieldset className={styles['fields']}>
      <legend>{file.name}</legend>
      <Choice label="Car of this file" placeholder="As above" options={cars} {...control('userCarId')} />
      <Choice
        label="Tires of this file"
        placeholder="As above"
        options={tires}
        {...control('tireCompound')}
      />
      <VideoField label="Video Link (optional)" name={`videoUrl ${id}`} {...control('videoUrl')} />
    </fieldset>
  );
}

type VideoFieldProps = Omit<ComponentProps<typeof TextField>, 'onChange'> & {
  onChange: (url: string) => void;
};

function VideoField({ onChange, ...field }: VideoFieldProps) {
  return (
    <TextField
      {...field}
      type="url"
      className={styles['wide']}
      placeholder="https://"
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
