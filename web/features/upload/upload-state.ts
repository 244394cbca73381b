import type { TrackId } from '#contract/ids.ts';
import type { SentBytes } from '#web/api/send-with-progress.ts';
import type { GpsAnalysis, TrackTiming, UploadOutcome } from './upload-answers.ts';
import { findTiming, fitsAny } from './gps-analysis.ts';
import {
  addLapFiles,
  listOtherGpsFiles,
  resetLapFiles,
  spreadSentBytes,
  updateLapFile,
  type LapFileChange,
  type QueuedLapFile,
} from './lap-file-queue.ts';
import type { FilledIn, UploadCall, UploadDetails } from './upload-groups.ts';
import { describeOutcome, describeResult, joinOutcomes } from './upload-results.ts';

/** Holds the laps of the analysed file on the chosen track, as far as they are known. */
export type TimingState =
  | { state: 'known'; timing: TrackTiming }
  | { state: 'pending' }
  | { state: 'failed'; message: string };

/** The progress of reading the positions of a video; `share` goes from 0 to 1. */
export type VideoProgress = { name: string; share: number; bytesRead: number; sizeBytes: number };

export type TrackOutcome = { trackId: TrackId } & UploadOutcome;

export type UploadState = FilledIn & {
  videos: VideoProgress[];
  /** The reasons why files were left out when they were chosen. */
  refusals: string[];
  /** True if the browser refuses to store the chosen files, mostly without space, so that a closed tab loses them. */
  isStorageRefused: boolean;
  phase: 'idle' | 'analyzing' | 'sending';
  analysis: { fileId: string; found: GpsAnalysis } | null;
  isPickerOpen: boolean;
  /** Null while there is no track, or no analysed file to time on it. */
  timing: TimingState | null;
  /** The outcomes of the last upload, one for each track; more follow while it runs. */
  outcomes: TrackOutcome[];
};

/** Returns the state after a change. A change of a file that has been removed has no effect. */
export type UploadChange = (state: UploadState) => UploadState;

export const EMPTY_UPLOAD: UploadState = {
  queue: [],
  videos: [],
  refusals: [],
  isStorageRefused: false,
  phase: 'idle',
  analysis: null,
  isPickerOpen: false,
  trackId: null,
  timing: null,
  details: { userCarId: '', tireCompound: '', videoUrl: '' },
  overrides: {},
  outcomes: [],
};

const NO_TRACK = { analysis: null, isPickerOpen: false, trackId: null, timing: null } as const;

/** Adds chosen files. They make track and suggestions of the earlier ones meaningless. */
export function addFiles(files: readonly File[]): UploadChange {
  return (state) => {
    if (state.phase === 'sending') return state;
    const { queue, refusals: added } = addLapFiles(state.queue, files);
    const refusals = [...state.refusals, ...added];
    if (queue.length === state.queue.length) return { ...state, refusals };
    return { ...state, ...NO_TRACK, queue: resetLapFiles(queue), refusals, phase: 'idle' };
  };
}

/** Removes a file; an analysis of it ends. */
export function withoutFile(fileId: string): UploadChange {
  return (state) => {
    if (state.phase === 'sending') return state;
    const isBeingRead = state.queue.some(({ id, status }) => id === fileId && status === 'uploading');
    const wasAnalyzed = state.analysis?.fileId === fileId;
    return {
      ...state,
      queue: state.queue.filter(({ id }) => id !== fileId),
      phase: isBeingRead ? 'idle' : state.phase,
      refusals: [],
      ...(wasAnalyzed && { analysis: null, isPickerOpen: false, timing: null }),
    };
  };
}

export function changeFile(fileId: string, change: LapFileChange): UploadChange {
  return (state) => ({ ...state, queue: updateLapFile(state.queue, fileId, change) });
}

/** Shows how far a video has been read. */
export function showVideo(video: VideoProgress): UploadChange {
  return (state) => ({
    ...state,
    videos: [...state.videos.filter(({ name }) => name !== video.name), video],
  });
}

/** Leaves out a video, and says why. */
export function refuseVideo(name: string, refusal: string): UploadChange {
  return (state) => ({
    ...state,
    videos: state.videos.filter((video) => video.name !== name),
    refusals: [...state.refusals, refusal],
  });
}

/** Starts the analysis of the files; all that was known of them before is discarded. */
export function startAnalysis(state: UploadState): UploadState {
  return {
    ...state,
    ...NO_TRACK,
    outcomes: [],
    queue: resetLapFiles(state.queue),
    phase: 'analyzing',
    refusals: [],
  };
}

/** Stores what was found in a file, and opens the choice of a track if the file has positions. */
export function finishAnalysis(fileId: string, found: GpsAnalysis): UploadChange {
  return (state) =>
    state.phase === 'analyzing'
      ? { ...state, phase: 'idle', analysis: { fileId, found }, isPickerOpen: found.hasGps }
      : state;
}

/** Stores what is found in the analysed file after tracks have arrived, unless a track was chosen or the file was removed. */
export function matchedAgain(fileId: string, found: GpsAnalysis): UploadChange {
  return (state) =>
    state.analysis?.fileId === fileId && state.trackId === null
      ? { ...state, analysis: { fileId, found }, isPickerOpen: true }
      : state;
}

/** Chooses the track; the laps on it are pending where the analysis does not hold them. */
export function withTrack(trackId: TrackId): UploadChange {
  return (state) => {
    const timing = state.analysis && startTiming(state.analysis.found, trackId);
    return { ...state, trackId, isPickerOpen: false, timing };
  };
}

function startTiming(found: GpsAnalysis, trackId: TrackId): TimingState {
  const timing = findTiming(found, trackId);
  return timing === null ? { state: 'pending' } : { state: 'known', timing };
}

/** Shows the laps on a track, as long as that is the chosen one. */
export function showTiming(trackId: TrackId, timing: TimingState): UploadChange {
  return (state) => (state.trackId === trackId && state.analysis !== null ? { ...state, timing } : state);
}

/** Changes the details of the upload, which hold for every file without its own. */
export function changeDetails(change: Partial<UploadDetails>): UploadChange {
  return (state) => ({ ...state, details: { ...state.details, ...change } });
}

/** Changes the details of one file. */
export function override(fileId: string, change: Partial<UploadDetails>): UploadChange {
  return (state) => ({
    ...state,
    overrides: { ...state.overrides, [fileId]: { ...state.overrides[fileId], ...change } },
  });
}

/** Starts to send what is not uploaded yet. Results of files that are done stay; those that failed are tried again. */
export function startSending(state: UploadState): UploadState {
  const isContinued = state.queue.some(({ status }) => status === 'uploaded');
  const outcomes = state.outcomes
    .map((outcome) => ({ ...outcome, results: outcome.results.filter(({ success }) => success) }))
    .filter(({ results }) => results.length > 0);
  const queue = state.queue.map((queued) =>
    queued.status === 'uploaded'
      ? queued
      : { ...queued, status: 'ready' as const, detail: 'Waiting to be sent' },
  );
  return { ...state, queue, phase: 'sending', refusals: [], outcomes: isContinued ? outcomes : [] };
}

/** Shows how much of a call has left the browser. */
export function showSentBytes({ files }: UploadCall, sent: SentBytes): UploadChange {
  return (state) =>
    state.phase === 'sending'
      ? { ...state, queue: replace(state.queue, spreadSentBytes(files, sent)) }
      : state;
}

function replace(queue: readonly QueuedLapFile[], changed: readonly QueuedLapFile[]): QueuedLapFile[] {
  return queue.map((queued) => changed.find(({ id }) => id === queued.id) ?? queued);
}

/** Shows the results of a call, which are in the order of its files. */
export function finishCall({ trackId, files }: UploadCall, outcome: UploadOutcome): UploadChange {
  return (state) => {
    const done = files.map((queued, index): QueuedLapFile => {
      const result = outcome.results[index];
      const detail = result ? describeResult(result) : 'This file could not be processed.';
      const isOnServer = result?.alreadyUploaded === true;
      const status = result?.success ? 'uploaded' : 'error';
      return { ...queued, status, detail, sentShare: null, isOnServer };
    });
    const known = state.outcomes.find((one) => one.trackId === trackId);
    const joined = { trackId, ...joinOutcomes(known, outcome) };
    const outcomes = known
      ? state.outcomes.map((one) => (one === known ? joined : one))
      : [...state.outcomes, joined];
    return { ...state, queue: replace(state.queue, done), outcomes };
  };
}

/**
 * Ends the upload: a success clears the form and leaves the outcomes, and what has become of videos meanwhile; where every file failed,
 * everything stays for another try.
 */
export function finishSending(state: UploadState): UploadState {
  const { outcomes, refusals } = state;
  if (describeOutcome(outcomes.flatMap(({ results }) => results)).succeeded) {
    const videos = state.videos.filter(({ share }) => share < 1);
    return { ...EMPTY_UPLOAD, outcomes, refusals, videos };
  }
  return { ...state, phase: 'idle', outcomes: [] };
}

/** Ends the upload early. The files of the call that failed say so; without a message the driver has cancelled. The others can be sent again. */
export function stopSending(message: string | null): UploadChange {
  return (state) => ({
    ...state,
    phase: 'idle',
    queue: state.queue.map((queued): QueuedLapFile => {
      if (queued.status === 'uploading' && message !== null) {
        return { ...queued, status: 'error', detail: message, sentShare: null };
      }
      const isUnsent = queued.status === 'uploading' || queued.status === 'ready';
      return isUnsent ? { ...queued, status: 'ready', detail: 'Not sent yet', sentShare: null } : queued;
    }),
  });
}

/** Returns true if no known track fits the analysed file. */
export function fitsNothing({ analysis }: UploadState): boolean {
  return analysis !== null && analysis.found.hasGps && !fitsAny(analysis.found);
}

/** Lists the files that may show the track, with the analysed one first. */
export function listFilesOfTrack({ analysis, queue }: UploadState): File[] {
  const analyzed = queue.find(({ id }) => id === analysis?.fileId);
  if (analyzed === undefined) return [];
  return [analyzed, ...listOtherGpsFiles(queue, analyzed.id)].map(({ file }) => file);
}
