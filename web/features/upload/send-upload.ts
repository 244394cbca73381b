import type { QueryClient } from '@tanstack/react-query';
import { refreshAfter } from '#web/api/refresh.ts';
import type { UploadOutcome } from './upload-answers.ts';
import { showToast } from '#web/ui/toasts.ts';
import { describeFailure } from './process-files.ts';
import { saveLastTires } from './preselect-details.ts';
import { findSubmitProblem, type SubmitProblem } from './submit-checks.ts';
import { CONNECTION_LOST, untilConnected } from './until-connected.ts';
import { hasSeveralTracks, listCalls, type UploadCall } from './upload-groups.ts';
import { garageQuery, sendLapFiles } from './upload-queries.ts';
import { describeOutcome } from './upload-results.ts';
import {
  changeFile,
  finishCall,
  finishSending,
  showSentBytes,
  startSending,
  stopSending,
} from './upload-state.ts';
import type { Upload } from './upload-store.ts';

/** Sends everything and shows the results, or shows and returns the reason why it cannot be sent. */
export async function submitUpload(upload: Upload, queryClient: QueryClient): Promise<SubmitProblem | null> {
  const calls = listCalls(upload.state, queryClient.getQueryData(garageQuery.queryKey));
  const problem = findSubmitProblem(upload.state, calls);
  if (problem === null) {
    await sendAll(upload, calls);
    if (upload.state.outcomes.length > 0) await refreshAfter('POST /api/upload', queryClient);
  } else {
    showToast({ title: problem.title, description: problem.description, destructive: true });
  }
  return problem;
}

async function sendAll(upload: Upload, calls: readonly UploadCall[]): Promise<void> {
  const signal = upload.beginStep();
  upload.change(startSending);
  try {
    for (const call of calls) {
      upload.change(finishCall(call, await send(upload, call, signal)));
      saveLastTires(call.details.tireCompound);
    }
    const results = upload.state.outcomes.flatMap(({ results }) => results);
    const { succeeded, ...message } = describeOutcome(results);
    upload.change(finishSending);
    showToast({ ...message, destructive: !succeeded });
  } catch (error) {
    const description = signal.aborted ? null : describeFailure(error, 'Upload failed');
    upload.change(stopSending(description));
    if (description !== null) showToast({ title: 'Upload failed', description, destructive: true });
  }
}

/** Makes one call. With several tracks, a call whose connection is lost is made again once it is back. */
async function send(upload: Upload, call: UploadCall, signal: AbortSignal): Promise<UploadOutcome> {
  const sendOnce = () => {
    upload.change(showSentBytes(call, { loadedBytes: 0, totalBytes: 1 }));
    return sendLapFiles(upload, call, {
      signal,
      onProgress: (sent) => upload.change(showSentBytes(call, sent)),
    });
  };
  if (!hasSeveralTracks(upload.state)) return sendOnce();
  const showWaiting = () => {
    for (const { id } of call.files) upload.change(changeFile(id, { detail: CONNECTION_LOST, sentShare: 0 }));
  };
  return untilConnected(
    // The answer to an earlier attempt may have been lost although the file arrived.
    async (attempt) => (attempt > 0 ? acceptOwnCopies(await sendOnce()) : sendOnce()),
    { signal, onWaiting: showWaiting },
  );
}

function acceptOwnCopies({ results, best }: UploadOutcome): UploadOutcome {
  return {
    best,
    results: results.map((result) => (result.alreadyUploaded ? { ...result, success: true } : result)),
  };
}
