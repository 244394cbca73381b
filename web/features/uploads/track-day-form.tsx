import { useEffect, useRef, type Ref, type SyntheticEvent } from 'react';
import { TIRE_LABELS, type TireCompound } from '#contract/lap-labels.ts';
import type { LibraryTrack } from '#web/api/specified-answers/tracks.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { CarChoice, type OptionList, TireChoice } from './lap-details-form.tsx';
import { LapFileList } from './lap-file-list.tsx';
import type { QueuedLapFile } from './lap-file-queue.ts';
import type { UploadDetails } from './submit-checks.ts';
import {
  changeFile,
  changeGroup,
  type DayGroup,
  type DayProblem,
  getGroupDetails,
  useTrackDay,
} from './track-day.ts';
import { TrackRow } from './track-row.tsx';
import type { UploadCar } from './upload-queries.ts';
import styles from './track-day-form.module.css';

type Options = { cars: OptionList<UploadCar>; tireCompounds: OptionList<TireCompound> };

type TrackDayFormProps = Options & {
  groups: readonly DayGroup[];
  tracks: readonly LibraryTrack[] | undefined;
  /** What was filled in before it was known that there are several tracks. */
  filledIn: UploadDetails;
  isSending: boolean;
  headingRef: Ref<HTMLHeadingElement>;
  onCancel: () => void;
  onRemove: (fileId: string) => void;
  onCarMissing: (trackId: string) => void;
  /** Returns the reason why nothing was sent, if there is one. */
  onSubmit: () => Promise<DayProblem | null>;
};

/** The files of a day at several tracks: a card for each track, with what its files cannot say. */
export function TrackDayForm(props: TrackDayFormProps) {
  const { groups, tracks, isSending, headingRef, onCancel, onSubmit } = props;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The form of one track, which had the focus, is gone.
    if (document.activeElement === document.body) form.current?.querySelector('h2')?.focus();
  }, []);

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    const problem = await onSubmit();
    if (problem === null) return;
    const { field, trackId, fileId } = problem;
    const name = field === 'videoUrl' ? `${field} ${fileId}` : `${field} ${trackId}`;
    const control = form.current?.elements.namedItem(name);
    if (!(control instanceof HTMLElement)) return;
    control.closest('details')?.toggleAttribute('open', true);
    control.focus();
  }

  return (
    <form ref={form} noValidate className={styles['form']} onSubmit={(event) => void submit(event)}>
      <h2 ref={headingRef} tabIndex={-1} className={styles['heading']}>
        Your files are from {groups.length} tracks
      </h2>
      {groups.map((group) => (
        <Group
          key={group.trackId}
          {...props}
          group={group}
          track={tracks?.find(({ id }) => id === group.trackId)}
        />
      ))}
      <div className={styles['actions']}>
        {isSending && (
          <Button size="large" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" variant="primary" size="large" pending={isSending}>
          {isSending ? 'Uploading...' : 'Upload Lap Data'}
        </Button>
      </div>
    </form>
  );
}

type GroupProps = Omit<TrackDayFormProps, 'groups' | 'tracks'> & {
  group: DayGroup;
  track: LibraryTrack | undefined;
};

function Group(props: GroupProps) {
  const { group, track, filledIn, isSending, onRemove, onCarMissing } = props;
  const options = { cars: props.cars, tireCompounds: props.tireCompounds };
  const day = useTrackDay();
  const { trackId, files } = group;
  const { userCarId, tireCompound } = getGroupDetails(day, trackId, filledIn);
  const name = track?.name ?? 'Another track';
  const onChange = (field: keyof UploadDetails, value: string) => changeGroup(trackId, { [field]: value });
  return (
    <Card as="section" aria-label={name} className={styles['group']}>
      {track ? <TrackRow track={track} /> : <p>{name}</p>}
      <LapFileList queue={files} label={`Files of ${name}`} {...(!isSending && { onRemove })} />
      <div className={styles['fields']}>
        <CarChoice
          cars={options.cars}
          name={`userCarId ${trackId}`}
          value={userCarId}
          disabled={isSending}
          onChange={onChange}
          onCarMissing={() => onCarMissing(trackId)}
        />
        <TireChoice
          tireCompounds={options.tireCompounds}
          name={`tireCompound ${trackId}`}
          value={tireCompound}
          disabled={isSending}
          onChange={onChange}
        />
      </div>
      <details className={styles['single']}>
        <summary>Add videos, or another car for single files</summary>
        {files.map((queued) => (
          <SingleFile key={queued.id} queued={queued} isSending={isSending} {...options} />
        ))}
      </details>
    </Card>
  );
}

type SingleFileProps = Options & { queued: QueuedLapFile; isSending: boolean };

/** What differs for one file from the others of its track. */
function SingleFile({ queued: { id, file }, isSending, cars, tireCompounds }: SingleFileProps) {
  const own = useTrackDay(({ files }) => files[id]) ?? {};
  return (
    <fieldset className={styles['fields']} disabled={isSending}>
      <legend>{file.name}</legend>
      <SelectField
        compact
        label="Car of this file"
        value={own.userCarId ?? ''}
        onChange={(event) => changeFile(id, { userCarId: event.currentTarget.value })}
      >
        <option value="">As above</option>
        {cars.items?.map((car) => (
          <option key={car.id} value={car.id}>
            {car.nickname || car.modelDisplay}
          </option>
        ))}
      </SelectField>
      <SelectField
        compact
        label="Tires of this file"
        value={own.tireCompound ?? ''}
        onChange={(event) => changeFile(id, { tireCompound: event.currentTarget.value })}
      >
        <option value="">As above</option>
        {tireCompounds.items?.map((tireCompound) => (
          <option key={tireCompound} value={tireCompound}>
            {TIRE_LABELS[tireCompound] ?? tireCompound}
          </option>
        ))}
      </SelectField>
      <TextField
        compact
        type="url"
        label="Video Link (optional)"
        name={`videoUrl ${id}`}
        className={styles['wide']}
        placeholder="https://"
        autoComplete="off"
        value={own.videoUrl ?? ''}
        onChange={(event) => changeFile(id, { videoUrl: event.currentTarget.value })}
      />
    </fieldset>
  );
}
