import { useEffect, useId, useState, type SyntheticEvent } from 'react';
import { LIMITS } from '#contract/limits.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import type { Send } from '#web/api/refresh.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { EmptyState, LoadingState, Failure } from '#web/ui/state-message.tsx';
import { useCalls } from '#web/ui/use-call.ts';
import { DraftFigures, describeLength } from './draft-figures.tsx';
import { NearbyTracks } from './nearby-tracks.tsx';
import common from '#web/ui/common.module.css';
import { Form } from '#web/ui/form.tsx';
import { TrackEditor } from './track-editor.tsx';
import { openTrackMaker, type TrackMaker } from './track-maker.ts';
import type { DescribedTrack } from './track-queries.ts';
import type { DraftTrack } from './track-worker.ts';
import { pickTrackLines, useDraft } from './use-draft.ts';
import { useNearbyTracks } from './use-nearby-tracks.ts';

type NewTrackProps = {
  /** The lap files that show the track, with the one that shows it best first. */
  files: readonly File[];
  onClose: () => void;
  /** Sends the files, of which the first shows the outline; gives the new track. */
  onPropose: (send: Send, files: readonly File[], track: DescribedTrack) => Promise<Pick<Track, 'id'>>;
  /** Gets the id of the new track, or of a known one that was chosen instead. */
  onChosen: (trackId: string) => void;
};

/** Adds a track that the library lacks, from lap files that were driven on it; shows the known ones near it first. */
export function NewTrack({ files, onClose, onPropose, onChosen }: NewTrackProps) {
  const formId = useId();
  const proposing = useCalls((send, { sent, described }: Proposal) => onPropose(send, sent, described), {
    success: { title: 'Track added!', description: 'It is marked Community for now.' },
    fallback: 'Failed to add the track',
    onDone: ({ id }) => onChosen(id),
  });
  const opened = useTrackMaker(files);
  const drafts = typeof opened === 'object' && 'drafts' in opened.shown ? opened.shown.drafts : null;
  return (
    <Dialog
      title="Add a Track"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {drafts && (
            <Button type="submit" form={formId} variant="primary" pending={proposing.isBusy}>
              Add Track
            </Button>
          )}
        </>
      }
    >
      {opened === undefined && <LoadingState>Looking for the track in your laps…</LoadingState>}
      {opened === 'failed' && <NoTrack>The file could not be read. Please choose it again.</NoTrack>}
      {typeof opened === 'object' && 'sentence' in opened.shown && <NoTrack>{opened.shown.sentence}</NoTrack>}
      {typeof opened === 'object' && drafts && (
        <Drafts {...{ formId, files, drafts, proposing, onChosen }} maker={opened} />
      )}
    </Dialog>
  );
}

function NoTrack({ children }: { children: string }) {
  return <EmptyState title="No track found">{children}</EmptyState>;
}

/** Opens the files in a worker; undefined until they have been read. */
function useTrackMaker(files: readonly File[]): TrackMaker | 'failed' | undefined {
  const [found, setFound] = useState<{ files: readonly File[]; maker: TrackMaker | 'failed' }>();
  useEffect(() => {
    const opening = openTrackMaker(files);
    let isCurrent = true;
    const show = (maker: TrackMaker | 'failed') => {
      if (isCurrent) setFound({ files, maker });
    };
    opening.then(show).catch(() => show('failed'));
    return () => {
      isCurrent = false;
      void opening.then((maker) => maker.close()).catch(() => undefined);
    };
  }, [files]);
  return found?.files === files ? found?.maker : undefined;
}

type Proposal = { sent: readonly File[]; described: DescribedTrack };

type DraftsProps = Pick<NewTrackProps, 'onChosen'> & {
  formId: string;
  files: readonly File[];
  maker: TrackMaker;
  drafts: readonly DraftTrack[];
  proposing: ReturnType<typeof useCalls<Pick<Track, 'id'>, Proposal>>;
};

/** Offers every draft, because laps and runs may show more than one track: a loop, and a path between two ends. */
function Drafts({ drafts, ...form }: DraftsProps) {
  const [chosen, setChosen] = useState(0);
  const draft = drafts[chosen] ?? drafts[0];
  if (draft === undefined) return null;
  return (
    <>
      {drafts.length > 1 && (
        <SelectField
          label="What was driven"
          value={chosen}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
        >
          {drafts.map((other, index) => (
            <option key={describeLength(other)} value={index}>
              {describeLength(other)}
            </option>
          ))}
        </SelectField>
      )}
      <NewTrackForm key={chosen} first={draft} {...form} />
    </>
  );
}

type NewTrackFormProps = Omit<DraftsProps, 'drafts'> & { first: DraftTrack };

function NewTrackForm({ formId, files, maker, first, ...rest }: NewTrackFormProps) {
  const { proposing, onChosen } = rest;
  const { path, lines, setLines, draft } = useDraft(maker, first);
  const { nearby, country, tiles } = useNearbyTracks(maker, first.track);
  const [highlightedId, setHighlightedId] = useState<string | null>(null);

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { names, problems } = readNames(new FormData(event.currentTarget));
    if (draft === null || Object.keys(problems).length > 0) {
      proposing.refuse(draft === null ? 'Move the line to where your laps cross it.' : null, problems);
      return;
    }
    const { startFinishLine, finishLine, sectors } = pickTrackLines(draft.track);
    const described = { ...names, startFinishLine, finishLine, sectors: [...sectors] };
    void proposing.run({ sent: filesToSend(files, draft), described });
  }

  return (
    <Form id={formId} className={common['stack']} onSubmit={submit}>
      <NearbyTracks nearby={nearby} onChoose={onChosen} onHighlight={setHighlightedId} />
      <TrackEditor
        {...{ path, lines, highlightedId, tiles }}
        onChange={setLines}
        sectorsMax={LIMITS.proposedSectorsMax}
        others={nearby.flatMap(({ track: { id, outline, finishLine } }) =>
          outline === null ? [] : [{ id, outline, isClosed: !finishLine }],
        )}
      />
      <DraftFigures draft={draft} />
      <NameFields country={country} problems={proposing.fields} />
      <p className={common['lead']}>
        Everybody will see this track: its name, its outline, which is the middle of your laps, and its board.
        It is marked Community until an administrator approves it. It takes three laps at racing speed.
      </p>
      <Failure>{proposing.sentence}</Failure>
    </Form>
  );
}

/** Returns the file that shows the track, and the others if it has too few laps. */
function filesToSend(files: readonly File[], { fileIndex, fileLapCount }: DraftTrack): File[] {
  const shows = files.slice(fileIndex, fileIndex + 1);
  if (fileLapCount >= LAPS_NEEDED) return shows;
  return [...shows, ...files.filter((_, index) => index !== fileIndex)];
}

const LAPS_NEEDED = 3;

const PROBLEMS = {
  name: 'Give the track its name.',
  location: 'Give the city or region of the track.',
  country: 'Give the country of the track.',
};

type NameFieldsProps = { country: string | null; problems: Readonly<Record<string, string>> };

/** Shows the name fields; the country is filled in from the position, once it is known. */
function NameFields({ country, problems }: NameFieldsProps) {
  const shared = (name: string) => ({
    name,
    error: problems[name],
    maxLength: LIMITS.proposedNameCharactersMax,
    autoComplete: 'off',
    spellCheck: false,
  });
  return (
    <div className={common['fields']}>
      <TextField label="Track name" required {...shared('name')} />
      <TextField label="Layout (optional)" {...shared('configuration')} />
      <TextField label="City or region" required {...shared('location')} />
      <TextField key={country} label="Country" required defaultValue={country ?? ''} {...shared('country')} />
    </div>
  );
}

/** Reads the names of the form, and finds the fields that have to be filled in. */
function readNames(form: FormData) {
  const read = (field: string): string => {
    const value = form.get(field);
    return typeof value === 'string' ? value.trim() : '';
  };
  const required = { name: read('name'), location: read('location'), country: read('country') };
  const problems = Object.fromEntries(Object.entries(PROBLEMS).filter(([field]) => read(field) === ''));
  return { names: { ...required, configuration: read('configuration') || null }, problems };
}
