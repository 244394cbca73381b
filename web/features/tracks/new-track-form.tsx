import type { TrackId } from '#contract/ids.ts';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import type { CourseSuggestion } from '#contract/tracks/courses.ts';
import { LIMITS } from '#contract/limits.ts';
import { mayAdminister } from '#contract/people/labels.ts';
import type { Track as DrivenTrack } from '#engine/track.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { Failure } from '#web/ui/state-message.tsx';
import { TrackOrigin } from '#web/ui/track-origin.tsx';
import common from '#web/ui/common.module.css';
import { describeDrive, LINE_SOURCES } from './describe-drive.ts';
import { DraftLaps } from './draft-laps.tsx';
import { NearbyTracks } from './nearby-tracks.tsx';
import styles from './new-track.module.css';
import { suggestNames, type SuggestedNames, type TrackNames } from './suggest-names.ts';
import { TrackEditor } from './track-editor.tsx';
import type { TrackMaker } from './track-maker.ts';
import type { DescribedTrack } from './track-queries.ts';
import type { DraftTrack } from './track-worker.ts';
import { pickTrackLines, useDraft } from './use-draft.ts';
import type { DrawnTrack } from './track-map.tsx';
import { useNearbyTracks, type NearbyTrack } from './use-nearby-tracks.ts';

/** A described track, with the files that show it: the first shows its outline. */
export type Proposal = {
  sent: readonly File[];
  described: DescribedTrack;
  course: CourseSuggestion | null;
};

/** The state of the call that adds the track. */
export type Proposing = {
  run: (proposal: Proposal) => unknown;
  refuse: (sentence: string | null, fields: Readonly<Record<string, string>>) => void;
  fields: Readonly<Record<string, string>>;
  sentence: string | null;
};

export type NewTrackFormProps = {
  formId: string;
  files: readonly File[];
  /** The known course that was driven. */
  course: CourseSuggestion | null;
  maker: TrackMaker;
  first: DraftTrack;
  /** The names that the driver has typed over the suggested ones. */
  typed: Partial<TrackNames>;
  onType: (typed: Partial<TrackNames>) => void;
  proposing: Proposing;
  /** Gets the id of a known track that was chosen instead. */
  onChosen: (trackId: TrackId) => void;
  /** Shows more known tracks below those that are near. */
  children: ReactNode;
};

/** Shows a driven track with its line, its names and the laps that the line times; the form adds it. */
export function NewTrackForm(props: NewTrackFormProps) {
  const { formId, files, course, maker, first, typed, onType, proposing, onChosen, children } = props;
  const { path, lines, setLines, draft, isTiming, timeNow } = useDraft(maker, first);
  const { nearby, tiles, places, findPlaces } = useNearbyTracks(maker, first.track);
  const [highlightedId, setHighlightedId] = useState<string | null>(null);
  const suggested = suggestNames(first.track, { ...places, course });
  const isKnown = nearby.some(({ relation }) => relation?.layout === 'same' && !relation.isReverse);
  const isMoved = lines.startFinishLine !== first.track.startFinishLine;
  const known = <NearbyTracks {...{ nearby, isKnown }} onChoose={onChosen} onHighlight={setHighlightedId} />;

  async function submit(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    // The press may come before the suggested names.
    const names = trimNames({ ...suggestNames(first.track, { ...(await findPlaces()), course }), ...typed });
    const problems = findNameProblems(names, course);
    if (Object.keys(problems).length > 0) proposing.refuse(null, problems);
    else await propose(names);
  }

  async function propose(names: TrackNames): Promise<void> {
    const timed = await timeNow().catch(() => null);
    if (timed === null) {
      proposing.refuse('Move the line to where your laps cross it.', {});
      return;
    }
    const described = describeTrack(timed.track, names);
    void proposing.run({ sent: filesToSend(files, timed), described, course });
  }

  return (
    <Form id={formId} className={common['stack']} onSubmit={(event) => void submit(event)}>
      {isKnown && known}
      <TrackEditor
        {...{ path, lines, highlightedId, tiles }}
        summary={describeDrive((draft ?? first).track)}
        onChange={setLines}
        sectorsMax={LIMITS.proposedSectorsMax}
        isCircuit={course !== null}
        others={listOutlines(nearby, course)}
      />
      <NameFields
        {...{ suggested, typed }}
        isPlaceKnown={course !== null}
        problems={proposing.fields}
        onChange={(change) => onType({ ...typed, ...change })}
      />
      <Sources names={suggested.source} line={isMoved ? null : first.lineSource} />
      <TrackOrigin origin={course?.origin} />
      <Failure>{proposing.sentence}</Failure>
      <DraftLaps draft={draft} isTiming={isTiming} />
      <WhatIsSeen isCourse={course !== null} />
      {!isKnown && known}
      {children}
    </Form>
  );
}

/** Says where the suggested names and the line come from. */
function Sources({ names, line }: { names: ReactNode; line: DraftTrack['lineSource'] }) {
  return (
    <p className={common['note']}>
      {names}
      {line && ` ${LINE_SOURCES[line]}`}
    </p>
  );
}

/** Says what everybody will see of the track, and what it takes until it is official. */
function WhatIsSeen({ isCourse }: { isCourse: boolean }) {
  const { user } = useCurrentUser();
  const isAdministrator = user !== null && mayAdminister(user);
  const hasNoOutline = !isCourse && user?.keepLinesPrivate === true;
  const outline = isCourse ? 'that of the course' : 'the middle of your laps';
  const sentences = [
    hasNoOutline
      ? 'Everybody will see this track: its name and its board. You keep your lines private, so the lap of another driver will draw its outline.'
      : `Everybody will see this track: its name, its outline, which is ${outline}, and its board.`,
    !(isCourse && isAdministrator) && 'It is marked Community until an administrator approves it.',
    !isCourse && !isAdministrator && 'It takes three laps at racing speed.',
  ];
  return <p className={common['lead']}>{sentences.filter(Boolean).join(' ')}</p>;
}

/** Returns the outlines on the map beside the drive. */
function listOutlines(nearby: readonly NearbyTrack[], course: CourseSuggestion | null): DrawnTrack[] {
  const tracks = nearby.flatMap(({ track: { id, outline, finishLine } }) =>
    outline === null ? [] : [{ id, outline, isClosed: !finishLine }],
  );
  return course === null
    ? tracks
    : [...tracks, { id: course.courseId, outline: course.outline, isClosed: true }];
}

function describeTrack(
  track: DrivenTrack,
  { configuration, location, ...names }: TrackNames,
): DescribedTrack {
  const { startFinishLine, finishLine, sectors } = pickTrackLines(track);
  const lines = { startFinishLine, finishLine, sectors: [...sectors] };
  return { ...names, configuration: configuration || null, location: location || null, ...lines };
}

const LAPS_NEEDED = 3;

/** Returns the file that shows the track, and the others if it has too few laps. */
function filesToSend(files: readonly File[], { fileIndex, fileLapCount }: DraftTrack): File[] {
  const shows = files.slice(fileIndex, fileIndex + 1);
  if (fileLapCount >= LAPS_NEEDED) return shows;
  return [...shows, ...files.filter((_, index) => index !== fileIndex)];
}

const REQUIRED = {
  name: 'Give the track its name.',
  location: 'Give the city or region of the track.',
  country: 'Give the country of the track.',
};

function trimNames({ name, configuration, location, country }: TrackNames): TrackNames {
  return {
    name: name.trim(),
    configuration: configuration.trim(),
    location: location.trim(),
    country: country.trim(),
  };
}

/** Finds the fields that have to be filled in. */
function findNameProblems(
  { name, location, country }: TrackNames,
  course: CourseSuggestion | null,
): Record<string, string> {
  const needed = { name, country, ...(course === null && { location }) };
  const empty = Object.entries(needed).filter(([, value]) => value === '');
  return Object.fromEntries(
    Object.entries(REQUIRED).filter(([field]) => empty.some(([name]) => name === field)),
  );
}

type NameFieldsProps = {
  /** True where the course says where it is, so that no city is needed. */
  isPlaceKnown: boolean;
  suggested: SuggestedNames;
  typed: Partial<TrackNames>;
  problems: Readonly<Record<string, string>>;
  onChange: (change: Partial<TrackNames>) => void;
};

const UNNAMED_HINT =
  'No name is known here. Give the track its name if you know it; it can be corrected later.';

/**
 * Shows the names, filled in as suggested until the driver types others. A field that the driver is in takes no suggestion, which would
 * mix with the first letters. A name that only says where the track is gives way to them. Most tracks have one layout, which needs no name.
 */
function NameFields({ isPlaceKnown, suggested, typed, problems, onChange }: NameFieldsProps) {
  const [wantsLayout, setWantsLayout] = useState(false);
  const [held, setHeld] = useState<Partial<TrackNames>>({});
  const hasLayout = wantsLayout || suggested.configuration !== '' || problems['configuration'] !== undefined;
  const shared = (name: keyof TrackNames) => ({
    name,
    value: typed[name] ?? held[name] ?? suggested[name],
    error: problems[name],
    maxLength: LIMITS.proposedNameCharactersMax,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: HTMLInputElement }) => onChange({ [name]: event.currentTarget.value }),
    onFocus: (event: { currentTarget: HTMLInputElement }) => {
      setHeld({ [name]: suggested[name] });
      if (name === 'name' && suggested.isUnnamed) event.currentTarget.select();
    },
    onBlur: () => setHeld({}),
  });
  return (
    <div className={styles['names']}>
      <TextField
        label="Track name"
        required
        className={styles['wide']}
        {...shared('name')}
        hint={suggested.isUnnamed && problems['name'] === undefined && UNNAMED_HINT}
      />
      {hasLayout && (
        <TextField label="Layout (optional)" className={styles['wide']} {...shared('configuration')} />
      )}
      <TextField
        label={isPlaceKnown ? 'City or region (optional)' : 'City or region'}
        required={!isPlaceKnown}
        {...shared('location')}
      />
      <TextField label="Country" required {...shared('country')} />
      {!hasLayout && (
        <Button
          variant="quiet"
          size="small"
          className={styles['layout']}
          onClick={() => setWantsLayout(true)}
        >
          Add the name of the layout
        </Button>
      )}
    </div>
  );
}
