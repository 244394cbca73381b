import type { TrackId, UserId } from '#contract/ids.ts';
import { findTiming } from './gps-analysis.ts';
import { openLapFileCache } from './lap-file-cache.ts';
import { identify } from './lap-file-queue.ts';
import { chooseFiles, chooseTrack, processFiles } from './process-files.ts';
import type { TrackTiming } from './upload-answers.ts';
import type { UploadState } from './upload-state.ts';
import type { Upload } from './upload-store.ts';

/** Sends what waits in this browser to be read and timed, and chooses the track where the laps fit it. Car and tires are left to the driver. */
export async function timeWaitingFiles(
  upload: Upload,
  userId: UserId,
  trackId: TrackId | null,
): Promise<void> {
  await upload.untilSent();
  if (upload.state.phase !== 'idle') return;
  await openLapFileCache(upload, userId, (files) => chooseFiles(upload, files));
  if (upload.state.queue.length === 0 || upload.state.trackId !== null) return;
  await processFiles(upload);
  const found = upload.state.analysis?.found;
  const fitting = trackId ?? found?.suggestions[0]?.trackId ?? null;
  if (found === undefined || fitting === null || findTiming(found, fitting) === null) return;
  await chooseTrack(upload, fitting);
}

/** Says where a file is on its way to the board. */
export type FileProgress =
  | { step: 'waiting' | 'sending' | 'sent' }
  | { step: 'timed'; timing: TrackTiming }
  | { step: 'refused'; sentence: string }
  /** `counts` is true where one of its laps counts. */
  | { step: 'stored'; trackId: TrackId; counts: boolean };

export function findProgress(state: UploadState, file: File): FileProgress {
  for (const { trackId, results } of state.outcomes) {
    const stored = results.find((result) => result.success && result.file === file.name);
    if (stored) return { step: 'stored', trackId, counts: typeof stored.bestLapTimeMs === 'number' };
  }
  const queued = state.queue.find(({ id }) => id === identify(file));
  if (queued === undefined) return { step: 'waiting' };
  if (queued.status === 'uploading') return { step: 'sending' };
  if (queued.status === 'error') return { step: 'refused', sentence: queued.detail };
  const isAnalyzed = state.analysis?.fileId === queued.id;
  if (isAnalyzed && state.timing?.state === 'known') return { step: 'timed', timing: state.timing.timing };
  return { step: isAnalyzed ? 'sent' : 'waiting' };
}
