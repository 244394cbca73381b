import { nameTrack } from '#contract/tracks/labels.ts';
import type { TrackId } from '#contract/ids.ts';
import { useEffect, useId, useState, type ReactNode } from 'react';
import type { CourseSuggestion } from '#contract/tracks/courses.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import type { Position } from '#engine/geo.ts';
import type { Send } from '#web/api/refresh.ts';
import { Button } from '#web/ui/button.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { FileName } from '#web/ui/file-name.tsx';
import { formatTrackLength } from '#web/ui/format.ts';
import { focusInDialog } from '#web/ui/modals.ts';
import { EmptyState, LoadingState } from '#web/ui/state-message.tsx';
import { useCalls } from '#web/ui/use-call.ts';
import common from '#web/ui/common.module.css';
import { NewTrackForm, type NewTrackFormProps, type Proposal } from './new-track-form.tsx';
import type { TrackNames } from './suggest-names.ts';
import styles from './new-track.module.css';
import { openTrackMaker, type TrackMaker } from './track-maker.ts';
import type { CourseLine, DraftTrack } from './track-worker.ts';

type NewTrackProps = {
  /** The lap files that show the track, with the one that shows it best first. */
  files: readonly File[];
  /** The positions of the first file, drawn until its track is found. */
  points: readonly Position[];
  /** Known courses that were driven, the best first. */
  courses: readonly CourseSuggestion[];
  /** True where known tracks fit, of which the driver has chosen none. */
  hasMatches: boolean;
  onClose: () => void;
  /** Sends the files, of which the first shows the outline; gives the new track. */
  onPropose: (send: Send, proposal: Proposal) => Promise<Pick<Track, 'id' | 'status'>>;
  /** Gets the id of the new track, or of a known one that was chosen instead. */
  onChosen: (trackId: TrackId) => void;
  /** Shows known tracks, by whether the laps show a track. With one, the known ones around it are shown already. */
  renderKnownTracks: (lapsShowTrack: 'reading' | 'yes' | 'no') => ReactNode;
};

/** Adds a track that the library lacks, from lap files that were driven on it; known tracks follow. */
export function NewTrack(props: NewTrackProps) {
  const { files, points, courses, hasMatches, onClose, onPropose, onChosen, renderKnownTracks } = props;
  const formId = useId();
  const [course, setCourse] = useState(courses[0] ?? null);
  const proposing = useCalls(onPropose, {
    success: ({ status }) => ({
      title: 'Track added!',
      description: status === 'official' ? 'Your laps go on its board.' : 'It is marked Community for now.',
    }),
    fallback: 'Failed to add the track',
    onDone: ({ id }) => onChosen(id),
  });
  const opened = useTrackMaker(files, course);
  const drafts = typeof opened === 'object' && 'drafts' in opened.shown ? opened.shown.drafts : null;
  return (
    <Dialog
      title="Select Track"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {drafts && (
            <Button type="submit" form={formId} variant="primary" pending={proposing.isBusy}>
              {course === null ? 'Add this track' : 'Confirm the start line'}
            </Button>
          )}
        </>
      }
    >
      <div className={common['stack']}>
        <Head
          key={course?.courseId}
          fileName={nameShowingFile(files, drafts)}
          {...{ course, hasMatches }}
          hasLaps={drafts !== null}
        />
        {typeof opened === 'object' && drafts ? (
          <Drafts {...{ formId, files, course, drafts, proposing, onChosen }} maker={opened}>
            {courses.length > 0 && <CourseChoice {...{ courses, course }} onChange={setCourse} />}
            {renderKnownTracks('yes')}
          </Drafts>
        ) : (
          <WithoutDrafts {...{ opened, points, renderKnownTracks }} />
        )}
      </div>
    </Dialog>
  );
}

/** Names the file that shows the drafts; the first one until it is known. */
function nameShowingFile(files: readonly File[], drafts: readonly DraftTrack[] | null): string {
  return files[drafts?.[0]?.fileIndex ?? 0]?.name ?? '';
}

type HeadProps = Pick<NewTrackProps, 'hasMatches'> & {
  fileName: string;
  course: CourseSuggestion | null;
  hasLaps: boolean;
};

function Head({ fileName, course, hasMatches, hasLaps }: HeadProps) {
  return (
    <div className={common['lines']}>
      <FileName name={fileName} />
      <h3 ref={focusInDialog} tabIndex={-1} className={styles['heading']}>
        {course === null ? 'A new track' : `${nameTrack(course)}: confirm the start line`}
      </h3>
      <p className={common['muted']}>
        {course !== null
          ? 'This course is known, but not where its laps begin.'
          : hasMatches
            ? 'You have chosen none of the matches.'
            : 'No known track fits.'}
        {hasLaps && (course !== null || !hasMatches) && ' Yours is the first lap here.'}
      </p>
    </div>
  );
}

type CourseChoiceProps = {
  courses: readonly CourseSuggestion[];
  course: CourseSuggestion | null;
  onChange: (course: CourseSuggestion | null) => void;
};

/** Offers every course that fits, and a new track where none does. */
function CourseChoice({ courses, course, onChange }: CourseChoiceProps) {
  return (
    <SelectField
      label="Course"
      value={course?.courseId ?? ''}
      onChange={({ currentTarget: { value } }) =>
        onChange(courses.find(({ courseId }) => courseId === value) ?? null)
      }
    >
      {courses.map(({ courseId, lengthMeters, ...course }) => (
        <option key={courseId} value={courseId}>
          {[nameTrack(course), lengthMeters === null ? '' : formatTrackLength(lengthMeters)]
            .filter(Boolean)
            .join(', ')}
        </option>
      ))}
      <option value="">None of these: a new track</option>
    </SelectField>
  );
}

type WithoutDraftsProps = Pick<NewTrackProps, 'points' | 'renderKnownTracks'> & {
  opened: TrackMaker | 'failed' | undefined;
};

/** Shows what was driven while the files are read, or why they show no track. */
function WithoutDrafts({ opened, points, renderKnownTracks }: WithoutDraftsProps) {
  if (opened === undefined) {
    return (
      <>
        <Looking points={points} />
        {renderKnownTracks('reading')}
      </>
    );
  }
  return (
    <>
      <EmptyState title="No track found">{findProblem(opened)}</EmptyState>
      {renderKnownTracks('no')}
    </>
  );
}

function Looking({ points }: { points: readonly Position[] }) {
  const outline = points.map(({ lat, lon }): [number, number] => [lat, lon]);
  return (
    <>
      <span className={styles['driven']}>
        <CircuitOutline track={{ outline }} hidesStart />
      </span>
      <LoadingState>Looking for the track in your laps…</LoadingState>
    </>
  );
}

function findProblem(opened: TrackMaker | 'failed'): string {
  return opened !== 'failed' && 'sentence' in opened.shown
    ? opened.shown.sentence
    : 'The file could not be read. Please choose it again.';
}

/** Opens the files in a worker; undefined until they have been read. */
function useTrackMaker(files: readonly File[], course: CourseLine | null): TrackMaker | 'failed' | undefined {
  type Found = { files: readonly File[]; course: CourseLine | null; maker: TrackMaker | 'failed' };
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    const opening = openTrackMaker(files, course);
    let isCurrent = true;
    const show = (maker: TrackMaker | 'failed') => {
      if (isCurrent) setFound({ files, course, maker });
    };
    opening.then(show).catch(() => show('failed'));
    return () => {
      isCurrent = false;
      void opening.then((maker) => maker.close()).catch(() => undefined);
    };
  }, [files, course]);
  return found?.files === files && found.course === course ? found.maker : undefined;
}

type DraftsProps = Omit<NewTrackFormProps, 'first' | 'typed' | 'onType'> & { drafts: readonly DraftTrack[] };

/** Offers every draft, because laps and runs may show more than one track: a loop, and a path between two ends. */
function Drafts({ drafts, ...form }: DraftsProps) {
  const [chosen, setChosen] = useState(0);
  const [typed, setTyped] = useState<Partial<TrackNames>>({});
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
            <option key={describeDraft(other)} value={index}>
              {describeDraft(other)}
            </option>
          ))}
        </SelectField>
      )}
      <NewTrackForm key={chosen} first={draft} typed={typed} onType={setTyped} {...form} />
    </>
  );
}

function describeDraft({ track: { lengthMeters, finishLine } }: DraftTrack): string {
  const kind = finishLine ? 'Stage' : 'Circuit';
  return lengthMeters === null ? kind : `${kind}, ${formatTrackLength(lengthMeters)}`;
}
