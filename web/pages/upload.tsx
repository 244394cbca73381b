import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState, type Ref } from 'react';
import { tracksQuery, type LibraryTrack } from '#web/api/specified-answers/tracks.ts';
import { ProposeCar } from '#web/features/garage/propose-car.tsx';
import { LapDetailsForm, type OptionList } from '#web/features/uploads/lap-details-form.tsx';
import { keepLapFiles } from '#web/features/uploads/kept-lap-files.ts';
import { LapFileDropZone } from '#web/features/uploads/lap-file-drop-zone.tsx';
import { LapFileList } from '#web/features/uploads/lap-file-list.tsx';
import { describeStep } from '#web/features/uploads/describe-step.ts';
import { findGpsFile, listOtherGpsFiles } from '#web/features/uploads/lap-file-queue.ts';
import { LapSummary } from '#web/features/uploads/lap-summary.tsx';
import { NewTrack } from '#web/features/tracks/new-track.tsx';
import { submitTrackDay } from '#web/features/uploads/send-track-day.ts';
import { forgetRemovedCar, type UploadDetails } from '#web/features/uploads/submit-checks.ts';
import { TrackDayForm } from '#web/features/uploads/track-day-form.tsx';
import { changeGroup, type DayGroup, listDayGroups, useTrackDay } from '#web/features/uploads/track-day.ts';
import { TrackPicker } from '#web/features/uploads/track-picker.tsx';
import { TrackRow } from '#web/features/uploads/track-row.tsx';
import {
  cancelUpload,
  chooseFiles,
  chooseTrack,
  processFiles,
  removeFile,
  submitUpload,
} from '#web/features/uploads/upload-actions.ts';
import { SampleLapFiles, UploadHelp } from '#web/features/uploads/upload-help.tsx';
import { UploadOutcome } from '#web/features/uploads/upload-outcome.tsx';
import { garageQuery, proposeTrack, tireCompoundsQuery } from '#web/features/uploads/upload-queries.ts';
import type { UploadState } from '#web/features/uploads/upload-state.ts';
import { dispatchUpload, useUpload } from '#web/features/uploads/upload-store.ts';
import { useStepFocus } from '#web/features/uploads/use-step-focus.ts';
import { VideoList } from '#web/features/uploads/video-list.tsx';
import { SignedIn } from '#web/shell/signed-in.tsx';
import { startServiceWorker } from '#web/shell/service-worker.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { hideToast } from '#web/ui/toasts.ts';
import styles from './upload.module.css';

/** Uploads lap files: choose, process, check the laps, send. */
export function Page() {
  return (
    <SignedIn pendingText="Checking authentication...">{(user) => <Upload userId={user.id} />}</SignedIn>
  );
}

function Upload({ userId }: { userId: string }) {
  useKeptFiles(userId);
  const upload = useUpload();
  const groups = listDayGroups(upload);
  const isDay = groups.length > 0;
  const tracks = useQuery(tracksQuery);
  const { queue, phase, trackId, outcome } = upload;
  const outcomes = useOutcomes(upload);
  const { processButton, detailsHeading } = useStepFocus(upload);
  const findTrackName = (id: string) => tracks.data?.find((track) => track.id === id)?.name ?? 'the track';
  return (
    <PageColumn>
      <PageTitle>Upload Lap Data</PageTitle>
      <p className={styles['lead']}>
        Upload the files of your logger. We find the track, time every lap and put your best one on the board.
      </p>
      <output className="visually-hidden">
        {describeStep(upload, findTrackName(trackId ?? outcome?.trackId ?? ''))}
      </output>
      <div className={styles['columns']}>
        <div className={styles['main']}>
          {outcomes.map((outcome) => (
            <UploadOutcome
              key={outcome.trackId}
              outcome={outcome}
              trackId={outcome.trackId}
              trackName={findTrackName(outcome.trackId)}
            />
          ))}
          <LapFileDropZone
            disabled={phase === 'sending'}
            hasFiles={queue.length > 0}
            onFiles={(files) => void chooseFiles(files)}
          />
          <VideoList videos={upload.videos} />
          <Refusals sentences={upload.refusals} />
          <NothingToProcess isShown={queue.length > 0 && findGpsFile(queue) === undefined} />
          {queue.length > 0 ? <Files {...{ upload, isDay, processButton }} /> : <SampleLapFiles />}
          {trackId !== null && !isDay && (
            <ChosenTrack upload={upload} tracks={tracks} trackName={findTrackName(trackId)} />
          )}
          {trackId !== null && (
            <Details {...{ upload, groups }} tracks={tracks.data} headingRef={detailsHeading} />
          )}
        </div>
        <aside className={styles['side']} aria-label="Help">
          <UploadHelp />
        </aside>
      </div>
      <TrackDialogs upload={upload} tracks={tracks} />
    </PageColumn>
  );
}

function closePicker(): void {
  dispatchUpload({ type: 'picker_closed' });
}

type TrackDialogsProps = { upload: UploadState; tracks: UseQueryResult<LibraryTrack[]> };

/** The choice of the track, and the making of one that is not there. */
function TrackDialogs({ upload: { analysis, queue, isPickerOpen }, tracks }: TrackDialogsProps) {
  const queryClient = useQueryClient();
  const [newTrackFiles, setNewTrackFiles] = useState<readonly File[] | null>(null);

  function addTrack(): void {
    hideToast();
    closePicker();
    const analyzed = queue.find(({ id }) => id === analysis?.fileId);
    if (analyzed === undefined) return;
    const others = listOtherGpsFiles(queue, analyzed.id);
    setNewTrackFiles([analyzed, ...others].map(({ file }) => file));
  }

  function takeTrack(trackId: string): void {
    setNewTrackFiles(null);
    void chooseTrack(trackId);
  }

  return (
    <>
      {isPickerOpen && (
        <TrackPicker
          tracks={tracks.data}
          hasFailed={tracks.isError}
          onRetry={() => void tracks.refetch()}
          suggestions={analysis?.found.suggestions ?? []}
          position={analysis?.found.position ?? null}
          onChoose={(id) => void chooseTrack(id)}
          onMissing={addTrack}
          onClose={closePicker}
        />
      )}
      {newTrackFiles && (
        <NewTrack
          files={newTrackFiles}
          onClose={() => setNewTrackFiles(null)}
          onPropose={(files, track) => proposeTrack(files, track, queryClient)}
          onChosen={takeTrack}
        />
      )}
    </>
  );
}

/** The files that were refused, each with the reason. */
function Refusals({ sentences }: { sentences: readonly string[] }) {
  return (
    <ul role="alert" className={styles['refusals']} hidden={sentences.length === 0}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

/** Says why none of the files can be processed. */
function NothingToProcess({ isShown }: { isShown: boolean }) {
  return (
    <output className={styles['hint']} hidden={!isShown}>
      {isShown &&
        'None of these names ends as those of lap files do. Choose the file of your logger, or export the recording as CSV or GPX.'}
    </output>
  );
}

/** What came of the last upload: on one track, or on each of several. */
function useOutcomes({ outcome, queue }: UploadState) {
  const ofDay = useTrackDay(({ outcomes }) => outcomes);
  if (outcome) return [outcome];
  return queue.length === 0 ? ofDay : [];
}

/** Takes up the files that were chosen before the tab was closed, or shared by another app. */
function useKeptFiles(userId: string): void {
  useEffect(() => {
    void startServiceWorker();
    void keepLapFiles(userId).then(chooseFiles);
  }, [userId]);
}

/** Of files of several tracks, the form has a list for each. */
type FilesProps = { upload: UploadState; isDay: boolean; processButton: Ref<HTMLButtonElement> };

function Files({ upload: { queue, phase, trackId }, isDay, processButton }: FilesProps) {
  const isAnalyzing = phase === 'analyzing';
  return (
    <section className={styles['files']}>
      {!isDay && <LapFileList queue={queue} {...(phase !== 'sending' && { onRemove: removeFile })} />}
      {phase !== 'sending' && (
        <Button
          variant={trackId === null ? 'primary' : 'secondary'}
          size="large"
          ref={processButton}
          disabled={isAnalyzing}
          onClick={() => void processFiles()}
        >
          {isAnalyzing ? 'Analyzing GPS Data...' : `Process ${queue.length} File(s)`}
        </Button>
      )}
    </section>
  );
}

type ChosenTrackProps = {
  upload: UploadState;
  tracks: UseQueryResult<LibraryTrack[]>;
  trackName: string;
};

function ChosenTrack({ upload, tracks, trackName }: ChosenTrackProps) {
  const { trackId, timing, queue, analysis, phase } = upload;
  const track = tracks.data?.find((track) => track.id === trackId);
  const fileName = queue.find((queued) => queued.id === analysis?.fileId)?.file.name ?? '';
  return (
    <>
      <Card as="section" className={styles['track']}>
        {track && <TrackRow track={track} />}
        {phase !== 'sending' && (
          <Button onClick={() => dispatchUpload({ type: 'picker_opened' })}>Change Track</Button>
        )}
      </Card>
      {timing && trackId !== null && (
        <LapSummary
          timing={timing}
          trackName={trackName}
          fileName={fileName}
          onRetry={() => void chooseTrack(trackId)}
        />
      )}
    </>
  );
}

function changeDetail(field: keyof UploadDetails, value: string): void {
  dispatchUpload({ type: 'detail_changed', field, value });
}

type DetailsProps = {
  upload: UploadState;
  /** Of files of several tracks. */
  groups: readonly DayGroup[];
  tracks: readonly LibraryTrack[] | undefined;
  headingRef: Ref<HTMLHeadingElement>;
};

function Details({ upload: { details, phase, queue }, groups, tracks, headingRef }: DetailsProps) {
  const queryClient = useQueryClient();
  const cars = useQuery(garageQuery);
  const tireCompounds = useQuery(tireCompoundsQuery);
  /** For which track a car is proposed; empty for the only one. */
  const [proposingFor, setProposingFor] = useState<string | null>(null);
  const options = { cars: offeredBy(cars), tireCompounds: offeredBy(tireCompounds) };
  // Once everything is sent the server may be storing it, and cannot be stopped.
  const mayCancel = queue.some((queued) => queued.sentShare !== null);
  return (
    <>
      {groups.length > 0 ? (
        <TrackDayForm
          {...{ groups, tracks, headingRef, ...options }}
          filledIn={forgetRemovedCar(details, cars.data)}
          isSending={phase === 'sending'}
          onCancel={cancelUpload}
          onRemove={removeFile}
          onCarMissing={setProposingFor}
          onSubmit={() => submitTrackDay(queryClient)}
        />
      ) : (
        <LapDetailsForm
          details={forgetRemovedCar(details, cars.data)}
          {...options}
          isSending={phase === 'sending'}
          headingRef={headingRef}
          onCancel={mayCancel ? cancelUpload : undefined}
          onChange={changeDetail}
          onCarMissing={() => setProposingFor('')}
          onSubmit={() => submitUpload(queryClient)}
        />
      )}
      {proposingFor !== null && (
        <ProposeCar
          onClose={() => setProposingFor(null)}
          onAdded={(userCarId) =>
            proposingFor ? changeGroup(proposingFor, { userCarId }) : changeDetail('userCarId', userCarId)
          }
        />
      )}
    </>
  );
}

function offeredBy<T>({ data, isError, refetch }: UseQueryResult<T[]>): OptionList<T> {
  return { items: data, hasFailed: isError, onRetry: () => void refetch() };
}
