import type { QueryClient } from '@tanstack/react-query';
import { create } from 'zustand';
import type { UpdatableField } from '#contract/admin.ts';
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
  /** Of the last import. */
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
  | { type: 'updated'; result: TrackResult }
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
    case 'updated': {
      const results = state.results?.map((other) =>
        other.row === action.result.row ? action.result : other,
      );
      return { ...state, results: results ?? null };
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

/** Every other row stays the same object, so that only the changed one is rendered again. */
function changeRow(
  rows: readonly ReviewRow[],
  rowId: string,
  change: (row: ReviewRow) => ReviewRow,
): ReviewRow[] {
  return rows.map((row) => (row.id === rowId ? change(row) : row));
}

/** The current import. It lives as long as the tab, so that nothing typed is lost when another page is looked at. */
export const useTrackImport = create<TrackImport>(() => EMPTY_IMPORT);

function getTrackImport(): TrackImport {
  return useTrackImport.getState();
}

function dispatch(action: TrackImportAction): void {
  useTrackImport.setState((state) => reduceTrackImport(state, action), true);
}

const NO_TRACKS = 'No valid tracks found in file';
const PARSE_FAILURE = 'Failed to parse track file';

/** Parses the chosen file and starts the review of its tracks. */
export async function parseTrackFile(files: readonly File[]): Promise<void> {
  if (getTrackImport().phase !== 'idle') return;
  const file = validateLibraryFile(files, '.json');
  if (typeof file === 'string') {
    failParsing(file);
    return;
  }
  dispatch({ type: 'parsing_started' });
  try {
    const tracks = await parseTracks(file);
    if (!Array.isArray(tracks) || tracks.length === 0) {
      failParsing(NO_TRACKS);
      return;
    }
    dispatch({ type: 'parsed', tracks });
    showToast({
      title: 'Parse Complete',
      description: `${pluralize(tracks.length, 'track')} found in the file.`,
    });
  } catch (error) {
    const problem = describeError(error, PARSE_FAILURE);
    failParsing(problem, problem === NO_TRACKS ? NO_TRACKS : PARSE_FAILURE);
  }
}

/** Imports every reviewed track without a problem. */
export async function importTracks(queryClient: QueryClient): Promise<void> {
  const sent = getTrackImport().rows.filter(isReady);
  if (getTrackImport().phase !== 'idle' || sent.length === 0) return;
  dispatch({ type: 'import_started' });
  try {
    const results = await createTracks(sent.map(toImportedTrack));
    dispatch({ type: 'imported', sent, results });
    showToast({ title: 'Import Complete', description: describeImport(results) });
  } catch (error) {
    dispatch({ type: 'import_failed' });
    const description = describeError(error, 'The tracks could not be imported. Please try again.');
    showToast({ title: 'Import Failed', description, destructive: true });
  }
  // Some may have been added although the answer was lost.
  await refreshTracks(queryClient);
}

/** Updates the chosen fields of a track that the library has; throws where the call fails. */
export async function updateTrack(
  { raw }: TrackResult,
  fields: UpdatableField[],
  queryClient: QueryClient,
): Promise<void> {
  const [result] = await createTracks([{ ...raw, update: fields }]);
  if (!result) throw new Error('The update of a track was not answered.');
  dispatch({ type: 'updated', result });
  const isUpdated = result.status === 'updated';
  const title = isUpdated ? 'Track Updated' : 'Update Failed';
  showToast({ title, description: result.message, destructive: !isUpdated });
  await refreshTracks(queryClient);
}

// Functions of the module rather than of a component: they stay the same, so that only a row that changes is rendered again.

export function editTrack(rowId: string, field: ReviewField, value: string): void {
  dispatch({ type: 'edited', rowId, field, value });
}

/** Removes a part, such as the outline, from a track. */
export function removePart(rowId: string, part: string): void {
  dispatch({ type: 'part_removed', rowId, part });
}

export function removeTrack(rowId: string): void {
  dispatch({ type: 'removed', rowId });
}

export function discardTracks(): void {
  dispatch({ type: 'discarded' });
}

/** The page says what is wrong with the file; the toast may say less. */
function failParsing(message: string, description = message): void {
  dispatch({ type: 'parsing_failed', message });
  showToast({ title: 'Parse Failed', description, destructive: true });
}

/** How many tracks have which result. */
export function countResults(results: readonly TrackResult[]): Record<TrackResult['status'], number> {
  const counts = { success: 0, exists: 0, updated: 0, error: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}

/** What the toast says after an import. */
export function describeImport(results: readonly TrackResult[]): string {
  return `Successfully imported ${countResults(results).success} of ${results.length} tracks`;
}
