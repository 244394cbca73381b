import { useQueryClient } from '@tanstack/react-query';
import { ImportResults } from '#web/features/admin/import-results.tsx';
import { MigrateTracks } from '#web/features/admin/migrate-tracks.tsx';
import { ReviewTracks } from '#web/features/admin/review-tracks.tsx';
import {
  dispatchTrackImport,
  editTrack,
  importTracks,
  removePart,
  parseTrackFile,
  removeTrack,
  useTrackImport,
} from '#web/features/admin/track-import.ts';
import { UploadTracks } from '#web/features/admin/upload-tracks.tsx';
import { AdminOnly } from '#web/shell/admin-only.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import styles from './admin.module.css';

/** Where administrators bring new tracks into the library. */
export function Page() {
  return (
    <PageColumn>
      <PageTitle>Import Tracks</PageTitle>
      <AdminOnly deniedTitle="Access Denied - Admin access is required to import tracks">
        <ImportTracks />
      </AdminOnly>
    </PageColumn>
  );
}

function ImportTracks() {
  const queryClient = useQueryClient();
  const { rows, results, phase, fileProblem, hasEdits } = useTrackImport();
  return (
    <div className={styles['cards']}>
      <MigrateTracks />
      <UploadTracks
        isParsing={phase === 'parsing'}
        disabled={phase !== 'idle'}
        isPrimary={rows.length === 0}
        problem={fileProblem}
        onFiles={(files) => void parseTrackFile(files)}
      />
      {rows.length > 0 && (
        <ReviewTracks
          // Another file is another review.
          key={rows[0]?.reviewId}
          rows={rows}
          isImporting={phase === 'importing'}
          hasEdits={hasEdits}
          onEdit={editTrack}
          onRemovePart={removePart}
          onRemove={removeTrack}
          onDiscard={() => dispatchTrackImport({ type: 'discarded' })}
          onImport={() => void importTracks(queryClient)}
        />
      )}
      {results && <ImportResults results={results} />}
    </div>
  );
}
