import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { describeError } from '#web/api/api-error.ts';
import type { RawTrack, TrackResult } from '#web/api/specified-answers/admin.ts';
import { pluralize } from '#web/ui/format.ts';
import { showToast } from '#web/ui/toasts.ts';
import { createTracks, parseTracks, refreshTracks } from './admin-queries.ts';
import { validateLibraryFile } from './library-upload.tsx';
import {
  editRow,
  isReady,
  removeRowPart,
  type ReviewField,
  type ReviewRow,
  reviewTracks,
  type RowField,
  rowsAfterImport,
  toImportedTrack,
} from './track-review.ts';

/** From a file of tracks to their results. */
export type TrackImport = {
  phase: 'idle' | 'parsing' | 'importing';
  /** The tracks under review. */
  rows: readonly ReviewRow[];
  /** How many files have been put under review so far. */
  reviewCount: number;
  /** Whether anything was typed that is not imported yet. */
  hasEdits: boolean;
  /** What became of the last import. */
  results: readonly TrackResult[] | null;
  /** Why the last file could not be read. */
  fileProblem: string | null;
};

export type TrackImportAction =
  | { type: 'parsing_started' }
  | { type: 'parsed'; tracks: readonly RawTrack[] }
  | { type: 'parsing_failed'; message: string }
  | ({ type: 'edited'; value: string } & RowField)
  | { type: 'part_removed'; rowId: string; part: string }
  | { type: 'removed'; rowId: string }
  | { type: 'discarded' }
  | { type: 'import_started' }
  | { type: 'imported'; sent: readonly ReviewRow[]; results: readonly TrackResult[] }
  | { type: 'import_failed' };

export const EMPTY_IMPORT: TrackImport = {
  phase: 'idle',
  rows: [],
  reviewCount: 0,
  hasEdits: false,
  results: null,
  fileProblem: null,
};

/** The import after something has happened. */
export function reduceTrackImport(state: TrackImport, action: TrackImportAction): TrackImport {
  switch (action.type) {
    case 'parsing_started':
      return { ...state, phase: 'parsing', fileProblem: null };
    case 'parsed': {
      const reviewCount = state.reviewCount + 1;
      const rows = reviewTracks(action.tracks, reviewCount);
      return { ...EMPTY_IMPORT, rows, reviewCount };
    }
    case 'parsing_failed':
      // What was under review stays: the file in hand has nothing to do with it.
      return { ...state, phase: 'idle', fileProblem: action.message };
    case 'import_started':
      return { ...state, phase: 'importing', results: null };
    case 'imported': {
      const rows = rowsAfterImport(state.rows, action.sent, action.results);
      return { ...state, phase: 'idle', rows, results: action.results, hasEdits: rows.length > 0 };
    }
    case 'import_failed':
      return { ...state, phase: 'idle' };
    default:
      return { ...state, rows: reduceRows(state.rows, action), hasEdits: action.type !== 'discarded' };
  }
}

type RowAction = Extract<TrackImportAction, { type: 'edited' | 'part_removed' | 'removed' | 'discarded' }>;

function reduceRows(rows: readonly ReviewRow[], action: RowAction): readonly ReviewRow[] {
  switch (action.type) {
    case 'edited':
      return changeRow(rows, action.rowId, (row) => editRow(row, action.field, action.value));
    case 'part_removed':
      return changeRow(rows, action.rowId, (row) => removeRowPart(row, action.part));
    case 'removed':
      return rows.filter(({ id }) => id !== action.rowId);
    default:
      return [];
  }
}

/** Every other row stays the same object, so that only the changed one is drawn again. */
function changeRow(
  rows: readonly ReviewRow[],
  rowId: string,
  change: (row: ReviewRow) => ReviewRow,
): ReviewRow[] {
  return rows.map((row) => (row.id === rowId ? change(row) : row));
}

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

/** Has the chosen file read and puts its tracks under review. */
export async function parseTrackFile(files: readonly File[]): Promise<void> {
  if (currentTrackImport().phase !== 'idle') return;
  const file = validateLibraryFile(files, '.json');
  if (typeof file === 'string') {
    failParsing(file);
    return;
  }
  dispatchTrackImport({ type: 'parsing_started' });
  try {
    const tracks = await parseTracks(file);
    if (!Array.isArray(tracks) || tracks.length === 0) {
      failParsing('No valid tracks found in file');
      return;
    }
    dispatchTrackImport({ type: 'parsed', tracks });
    showToast({
      title: 'Parse Complete',
      description: `${pluralize(tracks.length, 'track')} found in the file.`,
    });
  } catch (error) {
    failParsing(describeError(error, 'Failed to parse track file'));
  }
}

/** Imports every track under review that has no problem. */
export async function importTracks(queryClient: QueryClient): Promise<void> {
  const sent = currentTrackImport().rows.filter(isReady);
  if (currentTrackImport().phase !== 'idle' || sent.length === 0) return;
  dispatchTrackImport({ type: 'import_started' });
  try {
    const results = await createTracks(sent.map(toImportedTrack));
    dispatchTrackImport({ type: 'imported', sent, results });
    showToast({ title: 'Import Complete', description: describeImport(results) });
  } catch (error) {
    dispatchTrackImport({ type: 'import_failed' });
    const description = describeError(error, 'The tracks could not be imported. Please try again.');
    showToast({ title: 'Import Failed', description, destructive: true });
  }
  // Some may have been added even where the answer got lost.
  await refreshTracks(queryClient);
}

// Functions of the module rather than of a component: they stay the same, so that a row is drawn again only when it changes.

/** Changes one field of a track under review. */
export function editTrack(rowId: string, field: ReviewField, value: string): void {
  dispatchTrackImport({ type: 'edited', rowId, field, value });
}

/** Takes a part out of a track under review. */
export function removePart(rowId: string, part: string): void {
  dispatchTrackImport({ type: 'part_removed', rowId, part });
}

/** Takes a track off the review. */
export function removeTrack(rowId: string): void {
  dispatchTrackImport({ type: 'removed', rowId });
}

function failParsing(message: string): void {
  dispatchTrackImport({ type: 'parsing_failed', message });
  showToast({ title: 'Parse Failed', description: message, destructive: true });
}

/** How many tracks came to which end. */
export function countResults(results: readonly TrackResult[]): Record<TrackResult['status'], number> {
  const counts = { success: 0, exists: 0, error: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}

/** What the toast says after an import. */
export function describeImport(results: readonly TrackResult[]): string {
  return `Successfully imported ${countResults(results).success} of ${results.length} tracks`;
}
