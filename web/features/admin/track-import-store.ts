import { useSyncExternalStore } from 'react';
import { EMPTY_IMPORT, reduceTrackImport, type TrackImport, type TrackImportAction } from './track-import.ts';

// A review lives as long as the tab, not as long as the page: who looks something up on a board does not lose an hour's work.
let state = EMPTY_IMPORT;
const listeners = new Set<() => void>();

/** The import of tracks at hand, for a component. */
export function useTrackImport(): TrackImport {
  return useSyncExternalStore(subscribe, currentTrackImport);
}

/** The import of tracks at hand, at this moment. */
export function currentTrackImport(): TrackImport {
  return state;
}

/** Changes the import and everything that shows it. */
export function dispatchTrackImport(action: TrackImportAction): void {
  state = reduceTrackImport(state, action);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
