import { useQuery, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type Ref, type RefObject } from 'react';
import { Link } from 'wouter';
import type { TrackId, UserCarId, UserId } from '#contract/ids.ts';
import { tracksQuery } from '#web/api/track-queries.ts';
import { AddFirstCar } from '#web/features/garage/add-first-car.tsx';
import { ProposeCar } from '#web/features/garage/propose-car.tsx';
import { NewTrack } from '#web/features/tracks/new-track.tsx';
import { GetTracks } from '#web/features/track-sets/get-tracks.tsx';
import { KnownTracks, type LapsShowTrack } from '#web/features/upload/known-tracks.tsx';
import { findCourse, fitsAny } from '#web/features/upload/gps-analysis.ts';
import { LapDetailsForm } from '#web/features/upload/lap-details-form.tsx';
import { keepsFiles, openLapFileCache } from '#web/features/upload/lap-file-cache.ts';
import { LapFileDropZone } from '#web/features/upload/lap-file-drop-zone.tsx';
import { RECORDING_ENDING } from '#engine/recording/recording-format.ts';
import { LapFileList, VideoList } from '#web/features/upload/lap-file-list.tsx';
import { findGpsFile } from '#web/features/upload/lap-file-queue.ts';
import { LapSummary } from '#web/features/upload/lap-summary.tsx';
import { chooseFiles, chooseTrack, matchAgain, processFiles } from '#web/features/upload/process-files.ts';
import { prefetchSamples, SampleLapFiles, useSampleOfUrl } from '#web/features/upload/samples.tsx';
import { TrackPicker } from '#web/features/upload/track-picker.tsx';
import { TrackRow } from '#web/features/upload/track-row.tsx';
import { hasSeveralTracks } from '#web/features/upload/upload-groups.ts';
import { UploadHelp } from '#web/features/upload/upload-help.tsx';
import { UploadOutcomes } from '#web/features/upload/upload-outcome.tsx';
import { confirmCourse, proposeTrack } from '#web/features/upload/upload-queries.ts';
import {
  changeDetails,
  fitsNothing,
  listFilesOfTrack,
  type UploadState,
} from '#web/features/upload/upload-state.ts';
import { describeStep, useStepFocus } from '#web/features/upload/upload-steps.ts';
import { useUpload, useUploadState } from '#web/features/upload/use-upload.ts';
import { startServiceWorker } from '#web/shell/service-worker.ts';
import { SignedIn } from '#web/shell/signed-in.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { hideToast } from '#web/ui/toasts.ts';
import common from '#web/ui/common.module.css';
import styles from './upload.module.css';

export async function prefetch(queryClient: QueryClient): Promise<void> {
  await prefetchSamples(queryClient);
}

export function Page() {
  return (
    <SignedIn pendingText="Checking authentication...">{(user) => <UploadPage userId={user.id} />}</SignedIn>
  );
}

function UploadPage({ userId }: { userId: UserId }) {
  const upload = useUpload();
  const state = useUploadState();
  const { queue, trackId } = state;
  const { processButton, detailsHeading } = useStepFocus(state);
  const tracks = useQuery(tracksQuery).data;
  const findTrackName = (id: TrackId | null) => tracks?.find((track) => track.id === id)?.name ?? 'the track';
  const dropZone = useRef<HTMLDivElement>(null);
  const [isProposingCar, setIsProposingCar] = useState(false);
  const chooseCar = (userCarId: UserCarId) => upload.change(changeDetails({ userCarId }));
  useEffect(() => {
    void startServiceWorker();
    void openLapFileCache(upload, userId, (files) => chooseFiles(upload, files));
  }, [upload, userId]);
  useSampleOfUrl();
  useSentRecordings(state);
  return (
    <PageColumn>
      <PageTitle>Upload Lap Data</PageTitle>
      <p className={styles['lead']}>
        Upload the files of your logger. We find the track, time every lap and put your best one on the board.
        No file yet? <Link href="/drive">Record a drive</Link> with your receiver or phone.
      </p>
      <output className="visually-hidden">{describeStep(state, findTrackName(trackId))}</output>
      <div className={styles['columns']}>
        <div className={styles['main']}>
          <UploadOutcomes findTrackName={findTrackName} />
          <LapFileDropZone ref={dropZone} />
          <VideoList />
          <Hints />
          {queue.length > 0 ? (
            <Files processButton={processButton} focusAfter={dropZone} />
          ) : (
            <SampleLapFiles />
          )}
          {!state.isPickerOpen && trackId === null && fitsNothing(state) && <MoreTracksCard />}
          {trackId !== null && !hasSeveralTracks(state) && <ChosenTrack trackId={trackId} />}
          {trackId !== null && (
            <LapDetailsForm
              headingRef={detailsHeading}
              focusAfter={dropZone}
              addFirstCar={<AddFirstCar onAdded={chooseCar} />}
              onCarMissing={() => setIsProposingCar(true)}
            />
          )}
        </div>
        <aside className={styles['side']} aria-label="Help">
          <UploadHelp />
        </aside>
      </div>
      {state.isPickerOpen && <TrackDialog key={String(fitsNothing(state))} />}
      {isProposingCar && <ProposeCar onClose={() => setIsProposingCar(false)} onAdded={chooseCar} />}
    </PageColumn>
  );
}

function MoreTracksCard() {
  return (
    <Card as="section" aria-label="Get tracks">
      <MoreTracks as="h2" />
    </Card>
  );
}

/** Notes of recordings of this browser that the server has them now. */
function useSentRecordings({ outcomes, queue }: UploadState): void {
  const stored = outcomes.flatMap(({ results }) => results.filter(({ success }) => success));
  const earlier = queue.filter(({ isOnServer }) => isOnServer).map(({ file }) => file.name);
  const sent = [...stored.map(({ file }) => file), ...earlier].filter((name) =>
    name.endsWith(RECORDING_ENDING),
  );
  // The queue changes with every share of a file that is sent; the names seldom do.
  const names = sent.join('\n');
  useEffect(() => {
    if (names === '') return;
    void import('#web/features/drive/storage/mark-sent.ts').then(({ markSent }) =>
      markSent(names.split('\n')),
    );
  }, [names]);
}

/** Shows which files were left out, why the others cannot be processed, and a warning if a closed tab loses them. */
function Hints() {
  const { queue, refusals, isStorageRefused } = useUploadState();
  const hasNothingToProcess = queue.length > 0 && findGpsFile(queue) === undefined;
  const losesFiles = queue.length > 0 && (isStorageRefused || !keepsFiles());
  return (
    <>
      <ul role="alert" className={styles['refusals']} hidden={refusals.length === 0}>
        {refusals.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <output className={styles['hint']} hidden={!hasNothingToProcess}>
        {hasNothingToProcess &&
          'None of these names ends as those of lap files do. Choose the file of your logger, or export the recording as CSV or GPX.'}
      </output>
      <output className={styles['hint']} hidden={!losesFiles}>
        {losesFiles &&
          'Your browser could not store these files: you can upload them now, but if you close this tab, you have to choose them again.'}
      </output>
    </>
  );
}

type FilesProps = { processButton: Ref<HTMLButtonElement>; focusAfter: RefObject<HTMLElement | null> };

/** Shows the chosen files, and processes them. Files of several tracks are listed in the form. */
function Files({ processButton, focusAfter }: FilesProps) {
  const upload = useUpload();
  const state = useUploadState();
  const { queue, phase, trackId } = state;
  const isAnalyzing = phase === 'analyzing';
  const mayAddTrack = phase === 'idle' && trackId === null && fitsNothing(state);
  return (
    <section className={styles['files']}>
      {!hasSeveralTracks(state) && <LapFileList files={queue} focusAfter={focusAfter} />}
      {mayAddTrack && (
        <Button variant="primary" size="large" onClick={() => upload.change({ isPickerOpen: true })}>
          Add this track
        </Button>
      )}
      {phase !== 'sending' && (
        <Button
          variant={trackId === null && !mayAddTrack ? 'primary' : 'secondary'}
          size="large"
          ref={processButton}
          disabled={isAnalyzing}
          onClick={() => void processFiles(upload)}
        >
          {isAnalyzing ? 'Analyzing GPS Data...' : `Process ${queue.length} File(s)`}
        </Button>
      )}
    </section>
  );
}

/** Shows the chosen track, and the laps of the analysed file on it. */
function ChosenTrack({ trackId }: { trackId: TrackId }) {
  const upload = useUpload();
  const { timing, queue, analysis, phase } = useUploadState();
  const track = useQuery(tracksQuery).data?.find(({ id }) => id === trackId);
  return (
    <>
      <Card as="section" className={styles['track']}>
        {track && <TrackRow track={track} />}
        {phase !== 'sending' && (
          <Button onClick={() => upload.change({ isPickerOpen: true })}>Change Track</Button>
        )}
      </Card>
      {timing && (
        <LapSummary
          timing={timing}
          trackName={track?.name ?? 'the track'}
          fileName={queue.find(({ id }) => id === analysis?.fileId)?.file.name ?? ''}
          onRetry={() => void chooseTrack(upload, trackId)}
        />
      )}
    </>
  );
}

/** Offers published sets of tracks; the file is matched again by itself when one is here. */
function MoreTracks({ as: Heading }: { as: 'h2' | 'h3' }) {
  const upload = useUpload();
  const [state, setState] = useState<'idle' | 'matching' | 'nothing'>('idle');
  async function match(): Promise<void> {
    setState('matching');
    setState((await matchAgain(upload)) ? 'idle' : 'nothing');
  }
  return (
    <div className={common['list']}>
      <GetTracks
        isCompact
        onInstalled={() => void match()}
        heading={
          <div className={common['lines']}>
            <Heading className={common['heading']}>Get tracks</Heading>
            <p className={common['note']}>
              Your track may be in one of these sets. Your file is matched again when it is here.
            </p>
          </div>
        }
      />
      <output className={common['note']} hidden={state === 'idle'}>
        {state === 'matching' && 'The tracks are here. Matching your file again…'}
        {state === 'nothing' && 'The tracks are here, but none of them fits your file.'}
      </output>
    </div>
  );
}

/** Chooses the track, or makes one of the laps: at once where no known track fits, or a course without a start line fits best. */
function TrackDialog() {
  const upload = useUpload();
  const [found] = useState(() => upload.state.analysis?.found);
  const [files] = useState(() => listFilesOfTrack(upload.state));
  const [view, setView] = useState<'matches' | 'all' | 'new'>(() =>
    files.length > 0 && found && (found.suggestions.length === 0 || findCourse(found)) ? 'new' : 'matches',
  );
  const [mayAdd, setMayAdd] = useState(files.length > 0);
  function show(next: typeof view): void {
    // A toast about the step before would cover the list.
    hideToast();
    setView(next);
  }

  function searchAll(lapsShowTrack: LapsShowTrack): void {
    setMayAdd(lapsShowTrack !== 'no');
    show('all');
  }

  if (view === 'new') {
    return (
      <NewTrack
        files={files}
        points={found?.points ?? []}
        courses={found?.courses ?? []}
        hasMatches={found !== undefined && found.suggestions.length > 0}
        onClose={() => upload.change({ isPickerOpen: false })}
        onPropose={(send, { sent, described, course }) =>
          course === null
            ? proposeTrack(send, upload, sent, described)
            : confirmCourse(send, upload, sent, { ...course, track: described })
        }
        onChosen={(trackId) => void chooseTrack(upload, trackId)}
        renderKnownTracks={(lapsShowTrack) => (
          <>
            <KnownTracks lapsShowTrack={lapsShowTrack} onSearchAll={() => searchAll(lapsShowTrack)} />
            {found && !fitsAny(found) && <MoreTracks as="h3" />}
          </>
        )}
      />
    );
  }
  return (
    <TrackPicker
      showsAll={view === 'all'}
      onSearchAll={() => show('all')}
      onMissing={mayAdd ? () => show('new') : null}
    />
  );
}
