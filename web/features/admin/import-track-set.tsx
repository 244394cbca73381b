import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { describeError } from '#web/api/api-error.ts';
import { buttonClassName } from '#web/ui/button.tsx';
import { formatCount, pluralize } from '#web/ui/format.ts';
import { Progress } from '#web/ui/progress.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard, Warnings } from './admin-card.tsx';
import {
  importProgressQuery,
  importTrackSet,
  refreshTracks,
  TRACKS_EXPORT_ADDRESS,
  type ImportedTrackSet,
} from './admin-queries.ts';
import styles from './admin.module.css';
import { LibraryUpload, validateLibraryFile } from './library-upload.tsx';

type Outcome = { isImporting: boolean; problem: string | null; imported: ImportedTrackSet | null };

const NOTHING: Outcome = { isImporting: false, problem: null, imported: null };

/** Imports thousands of tracks at once, without a review of each. */
export function ImportTrackSet() {
  const queryClient = useQueryClient();
  const [{ isImporting, problem, imported }, setOutcome] = useState<Outcome>(NOTHING);

  async function importFile(files: readonly File[]): Promise<void> {
    const file = validateLibraryFile(files, '.zip');
    if (typeof file === 'string') return setOutcome({ ...NOTHING, problem: file });
    setOutcome({ ...NOTHING, isImporting: true });
    try {
      const set = await importTrackSet(file);
      setOutcome({ ...NOTHING, imported: set });
      showToast({ title: 'Import Complete', description: `${pluralize(set.added, 'track')} added.` });
      await refreshTracks(queryClient);
    } catch (error) {
      setOutcome({ ...NOTHING, problem: describeError(error) });
    }
  }

  return (
    <AdminCard
      title="Import a Track Set"
      lead="Adds every course of a ZIP archive of track files, or of a file that another Pitboard exported, that the library lacks. Thousands of tracks take up to a minute."
    >
      <LibraryUpload
        label="Track set"
        type=".zip"
        busyText={isImporting ? 'Reading, comparing and adding tracks...' : null}
        disabled={isImporting}
        isPrimary={false}
        problem={problem}
        onFiles={(files) => void importFile(files)}
      />
      {isImporting && <ImportProgress />}
      <output className={styles['outcome']}>
        {imported &&
          `${pluralize(imported.added, 'track')} added, ${formatCount(imported.known)} in the library already, ${formatCount(imported.duplicates)} more than once in the set.`}
      </output>
      {imported && (
        <Warnings
          noun="problem"
          sentences={imported.leftOut.map(({ file, reason }) => `${file}: ${reason}`)}
        />
      )}
      <p className={styles['lead']}>
        Another Pitboard reads what this one exports: every track with its lines and outline, as one file.
      </p>
      <a href={TRACKS_EXPORT_ADDRESS} download="tracks.json" className={buttonClassName({})}>
        Export All Tracks
      </a>
    </AdminCard>
  );
}

const STEP_LABELS = {
  reading: 'Reading files',
  comparing: 'Comparing tracks',
  adding: 'Adding tracks',
} as const;

/** In percent of each step; how long comparing takes is not known. */
function ImportProgress() {
  const { data } = useQuery(importProgressQuery);
  const { step = 'reading', done = 0, total = 0 } = data?.progress ?? {};
  const share = step === 'comparing' || total === 0 ? null : done / total;
  const label = STEP_LABELS[step];
  return (
    <div className={styles['outcome']}>
      <p>{share === null ? label : `${label}: ${Math.round(100 * share)} %`}</p>
      <Progress label={label} share={share} />
    </div>
  );
}
