import { AdminCard } from '#web/ui/admin-card.tsx';
import { ImportResults } from './import-results.tsx';
import { ImportTrackSet } from './import-track-set.tsx';
import { LibraryUpload } from './library-upload.tsx';
import { MigrateTracks } from './migrate-tracks.tsx';
import { ReviewTracks } from './review-tracks.tsx';
import { discardTracks, useImporting, useParsing, useTrackImport } from './track-import.ts';

/** Shows the cards of the import: migrate, upload, review and results. */
export function ImportTracks() {
  const parse = useParsing();
  const importAll = useImporting();
  const { rows, results, phase, fileProblem, hasEdits } = useTrackImport();
  return (
    <>
      <MigrateTracks />
      <ImportTrackSet />
      <AdminCard
        title="Upload Track Storage JSON"
        lead="Review the tracks before they are added to the library."
      >
        <LibraryUpload
          label="Track file"
          type=".json"
          busyText={phase === 'parsing' ? 'Reading the track file...' : null}
          disabled={phase !== 'idle'}
          isPrimary={rows.length === 0}
          problem={fileProblem}
          onFiles={parse}
        />
      </AdminCard>
      {rows.length > 0 && (
        <ReviewTracks
          // Another file starts another review.
          key={rows[0]?.reviewId}
          rows={rows}
          isImporting={phase === 'importing'}
          hasEdits={hasEdits}
          onDiscard={discardTracks}
          onImport={importAll}
        />
      )}
      {results && <ImportResults results={results} />}
    </>
  );
}
