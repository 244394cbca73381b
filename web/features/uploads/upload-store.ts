import { useSyncExternalStore } from 'react';
import { EMPTY_UPLOAD, reduceUpload, type UploadAction, type UploadState } from './upload-state.ts';

// The upload lives as long as the tab, not as long as the page: a driver who finds the garage empty can add a
// car and come back to the same files, and what is being sent goes on while they look at a board.
let state = EMPTY_UPLOAD;
const listeners = new Set<() => void>();

/** The upload at hand, for a component. */
export function useUpload(): UploadState {
  return useSyncExternalStore(subscribe, currentUpload);
}

/** The upload at hand, at this moment. */
export function currentUpload(): UploadState {
  return state;
}

/** Changes the upload and everything that shows it. */
export function dispatchUpload(action: UploadAction): void {
  state = reduceUpload(state, action);
  if (state.queue.length > 0) window.addEventListener('beforeunload', askBeforeLeaving);
  else window.removeEventListener('beforeunload', askBeforeLeaving);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A tab that is closed or loaded anew forgets the files, and what was filled in about them. */
function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
