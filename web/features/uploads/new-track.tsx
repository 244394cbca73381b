import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useState, type SyntheticEvent } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { describeError } from '#web/api/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { formatLengthKm, pluralize } from '#web/ui/format.ts';
import { EmptyState, LoadingState } from '#web/ui/state-message.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { useDebounced } from '#web/ui/use-debounced.ts';
import type { DraftTrack, TrackMaker } from './new-track-engine.ts';
import { NewTrackMap } from './new-track-map.tsx';
import styles from './new-track.module.css';
import { proposeTrack } from './upload-queries.ts';

type NewTrackProps = {
  /** The lap file that shows the track; null while the dialog is closed. */
  file: File | null;
  onClose: () => void;
  /** Gets the id of the new track. */
  onAdded: (trackId: string) => void;
};

/** Adds a track that the library lacks, from a lap file that was driven on it. */
export function NewTrack({ file, onClose, onAdded }: NewTrackProps) {
  const formId = useId();
  const [isSaving, setIsSaving] = useState(false);
  const maker = useTrackMaker(file);
  const hasForm = typeof maker === 'object';
  return (
    <Dialog
      open={file !== null}
      title="Add a Track"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {hasForm && (
            <Button type="submit" form={formId} variant="primary" pending={isSaving}>
              Add Track
            </Button>
          )}
        </>
      }
    >
      {maker === undefined && <LoadingState>Looking for the track in your laps…</LoadingState>}
      {typeof maker === 'string' && <EmptyState title="No track found">{maker}</EmptyState>}
      {hasForm && file && (
        <NewTrackForm {...{ formId, file, maker, isSaving, setIsSaving }} onAdded={onAdded} />
      )}
    </Dialog>
  );
}

/** What the file shows of its track; undefined until it has been read. */
function useTrackMaker(file: File | null): TrackMaker | string | undefined {
  const [found, setFound] = useState<{ file: File; maker: TrackMaker | string }>();
  useEffect(() => {
    if (file === null) return undefined;
    let isCurrent = true;
    const show = (maker: TrackMaker | string) => {
      if (isCurrent) setFound({ file, maker });
    };
    import('./new-track-engine.ts')
      .then(({ openTrackMaker }) => openTrackMaker(file))
      .then(show)
      .catch(() => show('The file could not be read. Please choose it again.'));
    return () => {
      isCurrent = false;
    };
  }, [file]);
  return found?.file === file ? found?.maker : undefined;
}

type NewTrackFormProps = Pick<NewTrackProps, 'onAdded'> & {
  formId: string;
  file: File;
  maker: TrackMaker;
  isSaving: boolean;
  setIsSaving: (isSaving: boolean) => void;
};

/** Until the line stays where it is for a moment, the laps are not timed again. */
const TIMING_DELAY_MS = 120;

function NewTrackForm({ formId, file, maker, isSaving, setIsSaving, onAdded }: NewTrackFormProps) {
  const queryClient = useQueryClient();
  const { outline, draft, lineIndex, setLineIndex } = useDraft(maker);
  const [failure, setFailure] = useState<string>();

  async function submit(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isSaving || draft === null) return;
    const names = readNames(new FormData(event.currentTarget));
    if (names === null) {
      setFailure('Name, place and country are needed.');
      return;
    }
    setIsSaving(true);
    setFailure(undefined);
    try {
      const { startFinishLine, finishLine = null, sectors } = draft.track;
      const track = await proposeTrack(file, { ...names, startFinishLine, finishLine, sectors }, queryClient);
      showToast({ title: 'Track added!', description: 'It is marked Community for now.' });
      onAdded(track.id);
    } catch (error) {
      setFailure(describeError(error, 'Failed to add the track'));
    } finally {
      setIsSaving(false);
    }
  }

  const isCircuit = !maker.first.track.finishLine;
  return (
    <form id={formId} noValidate className={styles['form']} onSubmit={(event) => void submit(event)}>
      <p className={styles['lead']}>
        Everybody will see this track, its outline and its board. It is marked Community until an
        administrator approves it.
      </p>
      <NewTrackMap
        outline={outline}
        track={draft?.track ?? maker.first.track}
        onMove={isCircuit ? setLineIndex : undefined}
      />
      <output className={styles['figures']}>{describeDraft(draft)}</output>
      {isCircuit && (
        <label className={styles['place']}>
          Move the start/finish line along the lap
          <input
            type="range"
            min={0}
            max={outline.length - 1}
            value={lineIndex}
            onChange={(event) => setLineIndex(event.currentTarget.valueAsNumber)}
          />
        </label>
      )}
      <NameFields />
      {failure !== undefined && (
        <p role="alert" className={styles['failure']}>
          {failure}
        </p>
      )}
    </form>
  );
}

/** The track with its line at the chosen point of the first outline. */
function useDraft(maker: TrackMaker) {
  const outline = maker.first.track.outline ?? [];
  const [lineIndex, setLineIndex] = useState(0);
  const timedIndex = useDebounced(lineIndex, TIMING_DELAY_MS);
  const draft = useMemo(
    () => (timedIndex === 0 ? maker.first : maker.withLineAt(timedIndex)),
    [maker, timedIndex],
  );
  return { outline, draft, lineIndex, setLineIndex };
}

function describeDraft(draft: DraftTrack | null): string {
  if (draft === null) return 'No lap goes over the line here.';
  const { track, lapCount, bestLapTimeMs } = draft;
  const length = track.lengthMeters === null ? [] : [formatLengthKm(track.lengthMeters)];
  const best = bestLapTimeMs === null ? [] : [`best ${formatLapTime(bestLapTimeMs)}`];
  return [...length, pluralize(lapCount, track.finishLine ? 'run' : 'lap'), ...best].join(' · ');
}

function NameFields() {
  const shared = { maxLength: LIMITS.proposedNameCharactersMax, autoComplete: 'off', spellCheck: false };
  return (
    <div className={styles['fields']}>
      <TextField label="Track name" name="name" required {...shared} />
      <TextField label="Layout (optional)" name="configuration" {...shared} />
      <TextField label="City or region" name="location" required {...shared} />
      <TextField label="Country" name="country" required {...shared} />
    </div>
  );
}

function readNames(form: FormData) {
  const read = (field: string): string => {
    const value = form.get(field);
    return typeof value === 'string' ? value.trim() : '';
  };
  const [name, location, country] = [read('name'), read('location'), read('country')];
  if (name === '' || location === '' || country === '') return null;
  return { name, location, country, configuration: read('configuration') || null };
}
