import type { GpsAnalysis, TrackTiming, UploadOutcome } from '#web/api/specified-answers/uploads.ts';
import { findTiming, describeAnalysis } from './gps-analysis.ts';
import {
  addLapFiles,
  resetLapFiles,
  spreadSentBytes,
  updateLapFile,
  type LapFileChange,
  type QueuedLapFile,
} from './lap-file-queue.ts';
import type { UploadDetails } from './submit-checks.ts';
import { describeOutcome } from './upload-results.ts';

/** The laps of the analysed file on the chosen track, as far as they are known. */
export type TimingState =
  { state: 'known'; timing: TrackTiming } | { state: 'pending' } | { state: 'failed'; message: string };

/** How far the positions of a video have been read; `share` goes from 0 to 1. */
export type VideoProgress = { name: string; share: number; bytesRead: number; sizeBytes: number };

/** Everything that the upload page shows. */
export type UploadState = {
  queue: QueuedLapFile[];
  videos: VideoProgress[];
  /** Sentences about files that were left out when they were chosen. */
  refusals: string[];
  phase: 'idle' | 'analyzing' | 'sending';
  analysis: { fileId: string; found: GpsAnalysis } | null;
  isPickerOpen: boolean;
  trackId: string | null;
  /** Null while there is no track, or no analysed file to time on it. */
  timing: TimingState | null;
  details: UploadDetails;
  /** Of the last upload. */
  outcome: ({ trackId: string } & UploadOutcome) | null;
};

export type UploadAction =
  | { type: 'files_chosen'; files: readonly File[] }
  | { type: 'video_read'; video: VideoProgress }
  | { type: 'video_refused'; name: string; refusal: string }
  | { type: 'file_removed'; fileId: string }
  | { type: 'analysis_started'; fileId: string }
  | { type: 'analysis_finished'; fileId: string; found: GpsAnalysis }
  | { type: 'analysis_failed'; fileId: string; message: string }
  | { type: 'picker_opened' }
  | { type: 'picker_closed' }
  | { type: 'track_chosen'; trackId: string }
  | { type: 'timing_finished'; timing: TrackTiming }
  | { type: 'timing_failed'; trackId: string; message: string }
  | { type: 'detail_changed'; field: keyof UploadDetails; value: string }
  | { type: 'sending_started' }
  | { type: 'bytes_sent'; loadedBytes: number; totalBytes: number }
  | { type: 'sending_finished'; outcome: UploadOutcome }
  | { type: 'file_progress'; fileId: string; change: LapFileChange }
  | { type: 'day_sending'; step: 'started' | 'stopped' | 'finished' }
  | { type: 'file_changed'; fileId: string; change: LapFileChange }
  | { type: 'sending_failed'; message: string }
  | { type: 'sending_cancelled' };

export const EMPTY_UPLOAD: UploadState = {
  queue: [],
  videos: [],
  refusals: [],
  phase: 'idle',
  analysis: null,
  isPickerOpen: false,
  trackId: null,
  timing: null,
  details: { userCarId: '', tireCompound: '', videoUrl: '' },
  outcome: null,
};

const NO_TRACK = { analysis: null, isPickerOpen: false, trackId: null, timing: null } as const;

/** The upload page after `action`. An action of a file that was removed meanwhile changes nothing. */
export function reduceUpload(state: UploadState, action: UploadAction): UploadState {
  switch (action.type) {
    case 'files_chosen':
      return chooseFiles(state, action.files);
    case 'file_removed':
      return removeFile(state, action.fileId);
    case 'detail_changed':
      return { ...state, details: { ...state.details, [action.field]: action.value } };
    case 'analysis_started':
    case 'analysis_finished':
    case 'analysis_failed':
      return reduceAnalysis(state, action);
    case 'picker_opened':
    case 'picker_closed':
    case 'track_chosen':
    case 'timing_finished':
    case 'timing_failed':
      return reduceTrack(state, action);
    default:
      return reduceFiles(state, action);
  }
}

type ActionWithType<T extends UploadAction['type']> = Extract<UploadAction, { type: T }>;

/** New files make track and suggestions of the old ones meaningless. */
function chooseFiles(state: UploadState, files: readonly File[]): UploadState {
  if (state.phase === 'sending') return state;
  const { queue, refusals } = addLapFiles(state.queue, files);
  if (queue.length === state.queue.length) return { ...state, refusals };
  return { ...state, ...NO_TRACK, queue: resetLapFiles(queue), refusals, phase: 'idle', outcome: null };
}

function reduceVideos(
  state: UploadState,
  action: ActionWithType<'video_read' | 'video_refused'>,
): UploadState {
  if (action.type === 'video_read') {
    const { video } = action;
    const isKnown = state.videos.some(({ name }) => name === video.name);
    const videos = isKnown
      ? state.videos.map((known) => (known.name === video.name ? video : known))
      : [...state.videos, video];
    return { ...state, videos, refusals: isKnown ? state.refusals : [] };
  }
  const videos = state.videos.filter(({ name }) => name !== action.name);
  return { ...state, videos, refusals: [...state.refusals, action.refusal] };
}

function removeFile(state: UploadState, fileId: string): UploadState {
  if (state.phase === 'sending') return state;
  const queue = state.queue.filter((queued) => queued.id !== fileId);
  const isBeingRead = state.queue.some((queued) => queued.id === fileId && queued.status === 'uploading');
  const phase = isBeingRead ? 'idle' : state.phase;
  if (state.analysis?.fileId !== fileId) return { ...state, queue, phase, refusals: [] };
  return { ...state, queue, phase, refusals: [], analysis: null, isPickerOpen: false, timing: null };
}

function reduceAnalysis(
  state: UploadState,
  action: ActionWithType<'analysis_started' | 'analysis_finished' | 'analysis_failed'>,
): UploadState {
  const { fileId } = action;
  if (action.type === 'analysis_started') {
    const queue = updateLapFile(resetLapFiles(state.queue), fileId, {
      status: 'uploading',
      detail: 'Reading GPS positions and matching the track…',
    });
    return { ...state, ...NO_TRACK, queue, phase: 'analyzing', refusals: [], outcome: null };
  }
  if (state.phase !== 'analyzing') return state;
  if (action.type === 'analysis_failed') {
    const queue = updateLapFile(state.queue, fileId, { status: 'error', detail: action.message });
    return { ...state, queue, phase: 'idle' };
  }
  const { found } = action;
  const queue = updateLapFile(state.queue, fileId, {
    status: found.hasGps ? 'ready' : 'error',
    detail: describeAnalysis(found),
  });
  return { ...state, queue, phase: 'idle', analysis: { fileId, found }, isPickerOpen: found.hasGps };
}

function reduceTrack(
  state: UploadState,
  action: ActionWithType<
    'picker_opened' | 'picker_closed' | 'track_chosen' | 'timing_finished' | 'timing_failed'
  >,
): UploadState {
  switch (action.type) {
    case 'picker_opened':
      return { ...state, isPickerOpen: true };
    case 'picker_closed':
      return { ...state, isPickerOpen: false };
    case 'track_chosen': {
      const { trackId } = action;
      return { ...state, trackId, isPickerOpen: false, timing: startTiming(state, trackId) };
    }
    case 'timing_finished':
      if (state.trackId !== action.timing.trackId || state.analysis === null) return state;
      return { ...state, timing: { state: 'known', timing: action.timing } };
    default:
      if (state.trackId !== action.trackId || state.analysis === null) return state;
      return { ...state, timing: { state: 'failed', message: action.message } };
  }
}

function startTiming({ analysis }: UploadState, trackId: string): TimingState | null {
  if (analysis === null) return null;
  const timing = findTiming(analysis.found, trackId);
  return timing === null ? { state: 'pending' } : { state: 'known', timing };
}

/** What happens to the files while videos are read, and while they are checked and sent. */
function reduceFiles(
  state: UploadState,
  action: ActionWithType<
    | 'video_read'
    | 'video_refused'
    | 'file_changed'
    | 'file_progress'
    | 'day_sending'
    | 'sending_started'
    | 'bytes_sent'
    | 'sending_finished'
    | 'sending_failed'
    | 'sending_cancelled'
  >,
): UploadState {
  switch (action.type) {
    case 'video_read':
    case 'video_refused':
      return reduceVideos(state, action);
    case 'file_changed': {
      if (state.phase !== 'idle') return state;
      return { ...state, queue: updateLapFile(state.queue, action.fileId, action.change) };
    }
    case 'file_progress':
      return { ...state, queue: updateLapFile(state.queue, action.fileId, action.change) };
    case 'day_sending':
      return changeDay(state, action.step);
    case 'sending_started': {
      const queue = spreadSentBytes(state.queue, { loadedBytes: 0, totalBytes: 1 });
      return { ...state, queue, phase: 'sending', refusals: [], outcome: null };
    }
    case 'bytes_sent':
      return state.phase === 'sending' ? { ...state, queue: spreadSentBytes(state.queue, action) } : state;
    case 'sending_finished':
      return finishSending(state, action.outcome);
    case 'sending_failed': {
      const change = { status: 'error', detail: action.message, sentShare: null } as const;
      return { ...state, phase: 'idle', queue: state.queue.map((queued) => ({ ...queued, ...change })) };
    }
    default:
      return { ...state, phase: 'idle', queue: resetLapFiles(state.queue) };
  }
}

/** Files of several tracks go one by one, each with a state of its own; a success of any clears the form. */
function changeDay(state: UploadState, step: ActionWithType<'day_sending'>['step']): UploadState {
  if (step === 'finished') return EMPTY_UPLOAD;
  return { ...state, phase: step === 'started' ? 'sending' : 'idle', refusals: [] };
}

/** A success clears the form and leaves the results; where every file failed, everything stays for another try. */
function finishSending(state: UploadState, outcome: UploadOutcome): UploadState {
  const { trackId } = state;
  const { results } = outcome;
  if (describeOutcome(results).succeeded && trackId !== null) {
    return { ...EMPTY_UPLOAD, outcome: { trackId, ...outcome } };
  }
  const queue = state.queue.map((queued, index) => ({
    ...queued,
    status: 'error' as const,
    detail: results[index]?.error ?? 'This file could not be processed.',
    sentShare: null,
  }));
  return { ...state, phase: 'idle', queue };
}
