import type { QueryClient } from '@tanstack/react-query';
import type { UploadOutcome } from '#web/api/specified-answers/uploads.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { pluralize } from '#web/ui/format.ts';
import { showToast } from '#web/ui/toasts.ts';
import { describeProgress, type LapFileChange } from './lap-file-queue.ts';
import { forgetRemovedCar, type UploadDetails } from './submit-checks.ts';
import {
  type DayProblem,
  EMPTY_DAY,
  findDayProblem,
  getFileDetails,
  joinOutcomes,
  listDayGroups,
  useTrackDay,
} from './track-day.ts';
import { CONNECTION_LOST, untilConnected } from './until-connected.ts';
import { beginStep, refreshLaps, sentenceFor } from './upload-actions.ts';
import { garageQuery, sendLapFiles } from './upload-queries.ts';
import { describeOutcome } from './upload-results.ts';
import { dispatchUpload, getUpload } from './upload-store.ts';

type DayFile = { trackId: string; fileId: string; file: File; details: UploadDetails };

/**
 * Sends the files of several tracks, each with a call of its own: where the connection is lost, the file that was on its way is sent
 * again, and those before it are done. Gives the reason why they cannot be sent, where there is one.
 */
export async function submitTrackDay(queryClient: QueryClient): Promise<DayProblem | null> {
  const { details: filledIn } = getUpload();
  const groups = listDayGroups(getUpload());
  const cars = queryClient.getQueryData(garageQuery.queryKey);
  const day = useTrackDay.getState();
  const detailsOf = (file: { trackId: string; fileId: string }) =>
    forgetRemovedCar(getFileDetails(day, file, filledIn), cars);
  const problem = findDayProblem(groups, detailsOf);
  if (problem !== null) {
    showToast({ title: problem.title, description: problem.description, destructive: true });
    return problem;
  }
  const files = groups.flatMap(({ trackId, files }) =>
    files
      .filter(({ status }) => status !== 'uploaded')
      .map(({ id: fileId, file }) => ({ trackId, fileId, file, details: detailsOf({ trackId, fileId }) })),
  );
  await sendAll(files, queryClient);
  return null;
}

async function sendAll(files: readonly DayFile[], queryClient: QueryClient): Promise<void> {
  const signal = beginStep();
  dispatchUpload({ type: 'day_sending', step: 'started' });
  // What is done stays; what failed before is tried again.
  const isContinued = getUpload().queue.some(({ status }) => status === 'uploaded');
  useTrackDay.setState(({ outcomes }) => ({ outcomes: isContinued ? outcomes.map(withoutFailures) : [] }));
  for (const { fileId } of files) change(fileId, { status: 'uploading', detail: 'Waiting to be sent' });
  try {
    for (const file of files) keepOutcome(file, await sendFile(file, signal));
    const { outcomes } = useTrackDay.getState();
    const { succeeded, ...words } = describeOutcome(outcomes.flatMap(({ results }) => results));
    if (succeeded) {
      dispatchUpload({ type: 'day_sending', step: 'finished' });
      useTrackDay.setState({ ...EMPTY_DAY, outcomes });
    } else {
      dispatchUpload({ type: 'day_sending', step: 'stopped' });
      useTrackDay.setState({ outcomes: [] });
    }
    showToast({ ...words, destructive: !succeeded });
  } catch (error) {
    stop(files, signal.aborted ? null : sentenceFor(error, 'Upload failed'));
  }
  await refreshLaps(queryClient);
}

function withoutFailures<Outcome extends UploadOutcome>(outcome: Outcome): Outcome {
  return { ...outcome, results: outcome.results.filter(({ success }) => success) };
}

/** Files that are done stay so; the others can be sent again. */
function stop(files: readonly DayFile[], message: string | null): void {
  const { queue } = getUpload();
  for (const { fileId } of files) {
    if (queue.find(({ id }) => id === fileId)?.status !== 'uploading') continue;
    change(fileId, { status: 'ready', detail: 'Not sent yet', sentShare: null });
  }
  dispatchUpload({ type: 'day_sending', step: 'stopped' });
  if (message !== null) showToast({ title: 'Upload failed', description: message, destructive: true });
}

async function sendFile({ file, fileId, trackId, details }: DayFile, signal: AbortSignal) {
  const onProgress = (sent: { loadedBytes: number; totalBytes: number }) =>
    change(fileId, describeProgress(sent.totalBytes > 0 ? sent.loadedBytes / sent.totalBytes : 0));
  let attempts = 0;
  const outcome = await untilConnected(
    () => {
      attempts += 1;
      return sendLapFiles([file], { ...details, trackId }, { signal, onProgress });
    },
    { signal, onWaiting: () => change(fileId, { detail: CONNECTION_LOST, sentShare: null }) },
  );
  // The answer to the first attempt may have been lost, and not the file.
  return attempts > 1 ? acceptCopies(outcome) : outcome;
}

function acceptCopies({ results, best }: UploadOutcome): UploadOutcome {
  return {
    best,
    results: results.map((result) => (result.isOwnCopy ? { ...result, success: true, error: null } : result)),
  };
}

function keepOutcome({ fileId, trackId }: DayFile, outcome: UploadOutcome): void {
  const [result] = outcome.results;
  if (result?.success) {
    const { lapCount, bestLapTimeMs } = result;
    const laps = lapCount === null ? 'Laps stored' : pluralize(lapCount, 'lap');
    const best = bestLapTimeMs === null ? '' : `, best ${formatLapTime(bestLapTimeMs)}`;
    change(fileId, { status: 'uploaded', detail: `${laps}${best}`, sentShare: null });
  } else {
    const detail = result?.error ?? 'This file could not be processed.';
    change(fileId, { status: 'error', detail, sentShare: null });
  }
  useTrackDay.setState(({ outcomes }) => {
    const known = outcomes.find((one) => one.trackId === trackId);
    const joined = { trackId, ...joinOutcomes(known, outcome) };
    return {
      outcomes: known ? outcomes.map((one) => (one === known ? joined : one)) : [...outcomes, joined],
    };
  });
}

function change(fileId: string, change: LapFileChange): void {
  dispatchUpload({ type: 'file_progress', fileId, change });
}
