import { create } from 'zustand';
import type { CreatedTrack, ParsedTrack, UpdatableField } from '#contract/library/schemas.ts';
import type { Send } from '#web/api/refresh.ts';
import { pluralize } from '#web/ui/format.ts';
import { showToast } from '#web/ui/toasts.ts';
import { useCall, useCalls } from '#web/ui/use-call.ts';
import { formWithFile } from './import-queries.ts';
import { validateLibraryFile } from './library-upload.tsx';
import {
  editRow,
  type ImportedTrack,
  isReady,
  removeRowPart,
  type ReviewField,
  type ReviewRow,
  reviewTracks,
  type RowField,
  rowsAfterImport,
  toImportedTrack,
} from './track-review.ts';

/** The result of importing one track, by its number in the file, with the track that was sent. */
export type TrackResult = CreatedTrack & { raw: ImportedTrack };

/** The state of an import, from a file of tracks to their results. */
export type TrackImport = {
  phase: 'idle' | 'parsing' | 'importing';
  rows: readonly ReviewRow[];
  reviewCount: number;
  /** True if there are edits that are not imported yet. */
  hasEdits: boolean;
  /** The results of the last import. */
  results: readonly TrackResult[] | null;
  fileProblem: string | null;
};

export type TrackImportAction =
  | { type: 'parsing_started' }
  | { type: 'parsed'; tracks: readonly ParsedTrack[] }
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
      // The tracks under review stay, because the unreadable file does not concern them.
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

/** Changes one row; every other row stays the same object, so that only the changed one renders again. */
function changeRow(
  rows: readonly ReviewRow[],
  rowId: string,
  change: (row: ReviewRow) => ReviewRow,
): ReviewRow[] {
  return rows.map((row) => (row.id === rowId ? change(row) : row));
}

/** The current import. It lives as long as the tab, so that edits survive a visit to another page. */
export const useTrackImport = create<TrackImport>(() => EMPTY_IMPORT);

function getTrackImport(): TrackImport {
  return useTrackImport.getState();
}

function dispatch(action: TrackImportAction): void {
  useTrackImport.setState((state) => reduceTrackImport(state, action), true);
}

const NO_TRACKS = 'No valid tracks found in file';
const PARSE_FAILURE = 'Failed to parse track file';

/** Returns a function that parses the chosen file and starts the review of its tracks. */
export function useParsing(): (files: readonly File[]) => void {
  const { run } = useCall('POST /api/admin/parse-tracks', {
    fallback: PARSE_FAILURE,
    onDone: startReview,
    onFailed: ({ sentence }) => failParsing(sentence, sentence === NO_TRACKS ? NO_TRACKS : PARSE_FAILURE),
  });
  return (files) => {
    if (getTrackImport().phase !== 'idle') return;
    const file = validateLibraryFile(files, '.json');
    if (typeof file === 'string') return failParsing(file);
    dispatch({ type: 'parsing_started' });
    void run({ form: formWithFile(file) });
  };
}

function startReview(tracks: readonly ParsedTrack[]): void {
  if (tracks.length === 0) return failParsing(NO_TRACKS);
  dispatch({ type: 'parsed', tracks });
  showToast({
    title: 'Parse Complete',
    description: `${pluralize(tracks.length, 'track')} found in the file.`,
  });
}

/** Returns a function that imports every reviewed track without a problem. */
export function useImporting(): () => void {
  const { run } = useCalls(
    async (send, sent: readonly ReviewRow[]) => ({
      sent,
      results: await createTracks(send, sent.map(toImportedTrack)),
    }),
    {
      success: ({ results }) => ({ title: 'Import Complete', description: describeImport(results) }),
      failure: 'Import Failed',
      fallback: 'The tracks could not be imported. Please try again.',
      onDone: (imported) => dispatch({ type: 'imported', ...imported }),
      onFailed: () => dispatch({ type: 'import_failed' }),
      // The server may have added some tracks although the answer was lost.
      refreshesAfterFailure: true,
    },
  );
  return () => {
    const sent = getTrackImport().rows.filter(isReady);
    if (getTrackImport().phase !== 'idle' || sent.length === 0) return;
    dispatch({ type: 'import_started' });
    void run(sent);
  };
}

/** Returns a function that updates the chosen fields of a track that the library has. */
export function useUpdate({ raw }: TrackResult) {
  return useCalls(
    async (send, fields: UpdatableField[]) => {
      const [result] = await createTracks(send, [{ ...raw, update: fields }]);
      if (!result) throw new Error('The update of a track was not answered.');
      return result;
    },
    {
      success: ({ status, message }) => {
        const isUpdated = status === 'updated';
        const title = isUpdated ? 'Track Updated' : 'Update Failed';
        return { title, description: message, destructive: !isUpdated };
      },
      onDone: (result) => dispatch({ type: 'updated', result }),
    },
  );
}

async function createTracks(send: Send, sent: readonly ImportedTrack[]): Promise<TrackResult[]> {
  return joinResults(await send('POST /api/admin/create-tracks', { body: { tracks: [...sent] } }), sent);
}

/** Joins the results of an import, which are in the order of the tracks, with the tracks that were sent. */
export function joinResults(results: readonly CreatedTrack[], sent: readonly ImportedTrack[]): TrackResult[] {
  return results.flatMap((result, index) => {
    const raw = sent[index];
    return raw ? [{ ...result, row: raw.row, raw }] : [];
  });
}

// These are functions of the module rather than of a component: they stay the same, so that only a changed row renders
// again.

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

/** Reports a file that cannot be parsed; the page has the full message, and the toast may have a shorter one. */
function failParsing(message: string, description = message): void {
  dispatch({ type: 'parsing_failed', message });
  showToast({ title: 'Parse Failed', description, destructive: true });
}

export function countResults(results: readonly TrackResult[]): Record<TrackResult['status'], number> {
  const counts = { success: 0, exists: 0, updated: 0, error: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}

export function describeImport(results: readonly TrackResult[]): string {
  return `Successfully imported ${countResults(results).success} of ${results.length} tracks`;
}
