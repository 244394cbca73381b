import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type Ref, type SyntheticEvent } from 'react';
import type { LibraryTrack } from '#web/api/specified-answers/tracks.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { CarChoice, CarOptions, TireChoice, TireOptions } from './detail-choices.tsx';
import styles from './lap-details-form.module.css';
import { LapFileList } from './lap-file-list.tsx';
import type { QueuedLapFile } from './lap-file-queue.ts';
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
  tracks: readonly LibraryTrack[] | undefined;
  /** Takes the focus when a track was chosen. */
  headingRef: Ref<HTMLHeadingElement>;
  /** Is called where the garage lacks the car of a track's files. */
  onCarMissing: (trackId: string) => void;
};

/** Asks for what lap files do not hold: car, tyres and video. Files of several tracks have a card for each track. */
export function LapDetailsForm({ tracks, headingRef, onCarMissing }: LapDetailsFormProps) {
  const groups = groupFiles(useUploadState());
  const [first] = groups;
  const isSeveral = groups.length > 1;
  const { form, submit } = useSubmit();
  useEffect(() => {
    // The heading of one track, which had the focus, is gone.
    if (isSeveral && document.activeElement === document.body) form.current?.querySelector('h2')?.focus();
  }, [form, isSeveral]);
  const heading = (
    <h2 ref={headingRef} tabIndex={-1} className={styles['heading']}>
      {isSeveral ? `Your files are from ${groups.length} tracks` : 'Lap Details'}
    </h2>
  );
  return (
    // The browser's own checks would come before ours, which have an order.
    <form ref={form} noValidate className={styles['form']} onSubmit={(event) => void submit(event)}>
      {isSeveral && heading}
      {isSeveral &&
        groups.map((group) => {
          const track = tracks?.find(({ id }) => id === group.trackId);
          return <TrackCard key={group.trackId} {...{ group, track, onCarMissing }} />;
        })}
      {isSeveral && <Actions />}
      {!isSeveral && first && (
        <Card as="section" className={styles['form']}>
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
  // Once everything is sent the server may be storing it, and cannot be stopped.
  const mayCancel =
    isSending && queue.some(({ status, sentShare }) => status === 'ready' || sentShare !== null);
  return (
    <div className={styles['actions']}>
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

type TrackCardProps = {
  group: TrackGroup;
  track: LibraryTrack | undefined;
  onCarMissing: (trackId: string) => void;
};

function TrackCard({ group: { trackId, files }, track, onCarMissing }: TrackCardProps) {
  const name = track?.name ?? 'Another track';
  return (
    <Card as="section" aria-label={name} className={styles['form']}>
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

type DetailsProps = { trackId: string; onCarMissing: (trackId: string) => void; asksForVideo?: boolean };

/** The details of a track's files. */
function Details({ trackId, onCarMissing, asksForVideo = false }: DetailsProps) {
  const upload = useUpload();
  const state = useUploadState();
  const shown = omitRemovedCar(getGroupDetails(state, trackId), useQuery(garageQuery).data);
  const disabled = state.phase === 'sending';
  const fieldProps = (field: keyof UploadDetails) => ({
    name: `${field} ${trackId}`,
    value: shown[field],
    disabled,
    onChange: (value: string) => upload.change(changeGroup(trackId, { [field]: value })),
  });
  const { disabled: readOnly, onChange, ...video } = fieldProps('videoUrl');
  return (
    <div className={styles['fields']}>
      <CarChoice {...fieldProps('userCarId')} onCarMissing={() => onCarMissing(trackId)} />
      <TireChoice {...fieldProps('tireCompound')} />
      {asksForVideo && (
        <VideoField
          label="Video Link"
          {...video}
          // Not `disabled`, so that it keeps the focus after submitting with Enter.
          readOnly={readOnly}
          onChange={onChange}
        />
      )}
    </div>
  );
}

/** What differs for one file from the others of its track. */
function SingleFile({ id, file }: QueuedLapFile) {
  const upload = useUpload();
  const { overrides, phase } = useUploadState();
  const own = overrides[id] ?? {};
  const change = (change: Partial<UploadDetails>) => upload.change(override(id, change));
  return (
    <fieldset className={styles['fields']} disabled={phase === 'sending'}>
      <legend>{file.name}</legend>
      <SelectField
        compact
        label="Car of this file"
        value={own.userCarId ?? ''}
        onChange={(event) => change({ userCarId: event.currentTarget.value })}
      >
        <option value="">As above</option>
        <CarOptions />
      </SelectField>
      <SelectField
        compact
        label="Tires of this file"
        value={own.tireCompound ?? ''}
        onChange={(event) => change({ tireCompound: event.currentTarget.value })}
      >
        <option value="">As above</option>
        <TireOptions />
      </SelectField>
      <VideoField
        compact
        label="Video Link (optional)"
        name={`videoUrl ${id}`}
        value={own.videoUrl ?? ''}
        onChange={(videoUrl) => change({ videoUrl })}
      />
    </fieldset>
  );
}

type VideoFieldProps = {
  label: string;
  name: string;
  value: string;
  compact?: boolean;
  readOnly?: boolean;
  onChange: (url: string) => void;
};

function VideoField({ onChange, ...field }: VideoFieldProps) {
  return (
    <TextField
      type="url"
      {...field}
      className={styles['wide']}
      placeholder="https://"
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
