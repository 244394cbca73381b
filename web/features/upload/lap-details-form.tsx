import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  useLayoutEffect,
  useRef,
  type ComponentProps,
  type ReactNode,
  type Ref,
  type RefObject,
  type SyntheticEvent,
} from 'react';
import { tracksQuery } from '#web/api/track-queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { CarChoice, carOptionsQuery, Choice, TireChoice, tireOptionsQuery } from './detail-choices.tsx';
import common from '#web/ui/common.module.css';
import styles from './lap-details-form.module.css';
import { LapFileList } from './lap-file-list.tsx';
import type { QueuedLapFile } from './lap-file-queue.ts';
import { usePreselectedDetails } from './preselect-details.ts';
import { submitUpload } from './send-upload.ts';
import type { SubmitProblem } from './submit-checks.ts';
import { TrackRow } from './track-row.tsx';
import {
  groupFiles,
  omitRemovedCar,
  type FilledIn,
  type TrackGroup,
  type UploadDetails,
} from './upload-groups.ts';
import { garageQuery } from './upload-queries.ts';
import { changeDetails, override } from './upload-state.ts';
import { useUpload, useUploadState } from './use-upload.ts';

type LapDetailsFormProps = {
  /** Takes the focus when a track was chosen. */
  headingRef: Ref<HTMLHeadingElement>;
  /** Takes the focus when the row of a file is gone. */
  focusAfter: RefObject<HTMLElement | null>;
  /** Adds the first car to an empty garage. */
  addFirstCar: ReactNode;
  /** Is called if the garage lacks the car. */
  onCarMissing: () => void;
};

/** Asks for what lap files do not hold: car, tyres and video. Files of several tracks are listed by track above the one form. */
export function LapDetailsForm({ headingRef, focusAfter, ...props }: LapDetailsFormProps) {
  const state = useUploadState();
  const groups = groupFiles(state);
  const isSeveral = groups.length > 1;
  const { form, submit } = useSubmit();
  usePreselectedDetails();
  useLayoutEffect(() => {
    // The heading of one track, which had the focus, has disappeared.
    if (isSeveral && document.activeElement === document.body) form.current?.querySelector('h2')?.focus();
  }, [form, isSeveral]);
  return (
    <Form ref={form} className={common['stack']} onSubmit={(event) => void submit(event)}>
      {isSeveral && (
        <h2 ref={headingRef} tabIndex={-1} className={common['heading']}>
          Your files are from {groups.length} tracks
        </h2>
      )}
      {isSeveral &&
        groups.map(({ trackId, files }) => (
          <TrackFiles
            key={trackId}
            trackId={trackId}
            files={files.filter((queued) => !queued.isUnreadable)}
            focusAfter={focusAfter}
          />
        ))}
      {isSeveral && (
        <UnreadableFiles
          files={state.queue.filter((queued) => queued.isUnreadable)}
          focusAfter={focusAfter}
        />
      )}
      <Card as="section" className={common['stack']}>
        <h2 {...(!isSeveral && { ref: headingRef, tabIndex: -1 })} className={common['heading']}>
          Lap Details
        </h2>
        <Details {...props} isSeveral={isSeveral} />
        <Actions />
      </Card>
    </Form>
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
    const control = findControl(form.current, upload.state.overrides, problem);
    control?.closest('details')?.toggleAttribute('open', true);
    control?.focus();
  }
  return { form, submit };
}

/** Finds the control of a problem: that of the file where it has its own value, else that of the whole upload. In an empty garage the search adds the car. */
function findControl(
  { elements }: HTMLFormElement,
  overrides: FilledIn['overrides'],
  { field = 'userCarId', fileId = '' }: SubmitProblem,
): HTMLElement | null {
  const isOwn = Boolean(overrides[fileId]?.[field]);
  const found = elements.namedItem(isOwn ? `${field} ${fileId}` : field);
  const first = found instanceof RadioNodeList ? found[0] : found;
  const control = first instanceof HTMLFieldSetElement ? first.querySelector('input') : first;
  return control instanceof HTMLElement ? control : null;
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

type FocusAfter = Pick<LapDetailsFormProps, 'focusAfter'>;

/** Lists the files of one track, and what differs for single ones. */
function TrackFiles({ trackId, files, focusAfter }: TrackGroup & FocusAfter) {
  const track = useQuery(tracksQuery).data?.find(({ id }) => id === trackId);
  const name = track?.name ?? 'Another track';
  return (
    <Card as="section" aria-label={name} className={common['stack']}>
      {track ? <TrackRow track={track} /> : <p>{name}</p>}
      <LapFileList files={files} label={`Files of ${name}`} focusAfter={focusAfter} />
      <details className={styles['single']}>
        <summary>Another car, other tires or another video for single files</summary>
        {files.map((queued) => (
          <SingleFile key={queued.id} {...queued} />
        ))}
      </details>
    </Card>
  );
}

/** Lists the files that are of no track, because the server could not read them. */
function UnreadableFiles({ files, focusAfter }: Pick<TrackGroup, 'files'> & FocusAfter) {
  if (files.length === 0) return null;
  return (
    <Card as="section" aria-label="Files that could not be read" className={common['stack']}>
      <h3 className={common['heading']}>Could not be read</h3>
      <LapFileList files={files} label="Files that could not be read" focusAfter={focusAfter} />
    </Card>
  );
}

type DetailsProps = Omit<LapDetailsFormProps, 'headingRef' | 'focusAfter'> & { isSeveral: boolean };

function Details({ addFirstCar, onCarMissing, isSeveral }: DetailsProps) {
  const upload = useUpload();
  const state = useUploadState();
  const details = omitRemovedCar(state.details, useQuery(garageQuery).data);
  const disabled = state.phase === 'sending';
  const control = (field: keyof UploadDetails) => ({
    name: field,
    value: details[field],
    onChange: (value: string) => upload.change(changeDetails({ [field]: value })),
  });
  return (
    <div className={common['stack']}>
      <CarChoice {...control('userCarId')} {...{ disabled, addFirstCar, onCarMissing }} />
      <TireChoice {...control('tireCompound')} disabled={disabled} />
      {/* The field is not `disabled`, so that it keeps the focus after submitting with Enter. */}
      <VideoField
        label="Video Link"
        hint={
          isSeveral
            ? 'Every session needs one. This link goes with all files that have none of their own above.'
            : 'Every upload needs one, such as a link to your onboard video.'
        }
        {...control('videoUrl')}
        readOnly={disabled}
      />
    </div>
  );
}

/** Asks for what differs for one file from the others of its track. */
function SingleFile({ id, file }: QueuedLapFile) {
  const upload = useUpload();
  const { overrides, phase } = useUploadState();
  const disabled = phase === 'sending';
  const control = (field: keyof UploadDetails) => ({
    name: `${field} ${id}`,
    compact: true,
    disabled,
    value: overrides[id]?.[field] ?? '',
    onChange: (value: string) => upload.change(override(id, { [field]: value })),
  });
  const [cars, tires] = [useQuery(carOptionsQuery), useQuery(tireOptionsQuery)];
  return (
    <fieldset className={styles['fields']}>
      <legend>{file.name}</legend>
      <Choice label="Car of this file" placeholder="As below" options={cars} {...control('userCarId')} />
      <Choice
        label="Tires of this file"
        placeholder="As below"
        options={tires}
        {...control('tireCompound')}
      />
      <VideoField label="Video of this file" {...control('videoUrl')} placeholder="As below" />
    </fieldset>
  );
}

type VideoFieldProps = Omit<ComponentProps<typeof TextField>, 'onChange'> & {
  onChange: (url: string) => void;
};

function VideoField({ onChange, ...field }: VideoFieldProps) {
  return (
    <TextField
      placeholder="https://"
      {...field}
      type="url"
      className={styles['wide']}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
