import type { TrackResult } from './track-results.ts';
import {
  editRow,
  leaveOut,
  reviewTracks,
  rowsAfterImport,
  type FieldOfRow,
  type ReviewRow,
  type ToldTrack,
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
  | { type: 'parsed'; tracks: readonly ToldTrack[] }
  | { type: 'parsing_failed'; message: string }
  | ({ type: 'edited'; value: string } & FieldOfRow)
  | { type: 'part_left_out'; rowId: string; part: string }
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

type RowAction = Extract<TrackImportAction, { type: 'edited' | 'part_left_out' | 'removed' | 'discarded' }>;

function reduceRows(rows: readonly ReviewRow[], action: RowAction): readonly ReviewRow[] {
  switch (action.type) {
    case 'edited':
      return changeRow(rows, action.rowId, (row) => editRow(row, action.field, action.value));
    case 'part_left_out':
      return changeRow(rows, action.rowId, (row) => leaveOut(row, action.part));
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
