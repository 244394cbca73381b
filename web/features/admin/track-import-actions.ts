import type { QueryClient } from '@tanstack/react-query';
import { sentenceOf } from '#web/api/api-error.ts';
import { showToast } from '#web/ui/toasts.ts';
import { createTracks, parseTracks, refreshTracks } from './admin-queries.ts';
import { counted } from './counted.ts';
import { takeLibraryFile } from './library-file.ts';
import { currentTrackImport, dispatchTrackImport } from './track-import-store.ts';
import { describeImport } from './track-results.ts';
import { isReady, toImportedTrack, type ReviewField } from './track-review.ts';

/** Has the chosen file read and puts its tracks under review. */
export async function parseTrackFile(files: readonly File[]): Promise<void> {
  if (currentTrackImport().phase !== 'idle') return;
  const file = takeLibraryFile(files, '.json');
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
      description: `${counted(tracks.length, 'track')} found in the file.`,
    });
  } catch (error) {
    failParsing(sentenceOf(error, 'Failed to parse track file'));
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
    const description = sentenceOf(error, 'The tracks could not be imported. Please try again.');
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
export function leaveOutPart(rowId: string, part: string): void {
  dispatchTrackImport({ type: 'part_left_out', rowId, part });
}

/** Takes a track off the review. */
export function removeTrack(rowId: string): void {
  dispatchTrackImport({ type: 'removed', rowId });
}

function failParsing(message: string): void {
  dispatchTrackImport({ type: 'parsing_failed', message });
  showToast({ title: 'Parse Failed', description: message, destructive: true });
}
