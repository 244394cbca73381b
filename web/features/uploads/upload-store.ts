import { create } from 'zustand';
import { EMPTY_UPLOAD, reduceUpload, type UploadAction, type UploadState } from './upload-state.ts';

/**
 * The current upload. It lives as long as the tab, not as long as the page: a driver can add a car and come back to the same
 * files, and an upload goes on while the driver looks at a board.
 */
export const useUpload = create<UploadState>(() => EMPTY_UPLOAD);

export function getUpload(): UploadState {
  return useUpload.getState();
}

export function dispatchUpload(action: UploadAction): void {
  useUpload.setState((state) => reduceUpload(state, action), true);
}

// Closing or reloading the tab loses the files, and what was filled in about them.
useUpload.subscribe(({ queue }) => {
  if (queue.length > 0) window.addEventListener('beforeunload', preventUnload);
  else window.removeEventListener('beforeunload', preventUnload);
});

function preventUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
