import { useQuery } from '@tanstack/react-query';
import { buttonClassName } from '#web/ui/button.tsx';
import { formatCount, pluralize } from '#web/ui/format.ts';
import { Progress } from '#web/ui/progress.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { AdminCard, Warnings } from '#web/ui/admin-card.tsx';
import { formWithFile, importProgressQuery, TRACKS_EXPORT_URL } from './import-queries.ts';
import common from '#web/ui/common.module.css';
import styles from '#web/ui/admin.module.css';
import { LibraryUpload, validateLibraryFile } from './library-upload.tsx';

/** Imports thousands of tracks at once, without a review of each. */
export function ImportTrackSet() {
  const imports = useCall('POST /api/admin/import-track-set', {
    success: ({ added }) => ({
      title: 'Import Complete',
      description: `${pluralize(added, 'track')} added.`,
    }),
  });
  const { isBusy: isImporting, sentence: problem, result: imported } = imports;

  function importFile(files: readonly File[]): void {
    const file = validateLibraryFile(files, '.zip');
    if (typeof file === 'string') imports.refuse(file);
    else void imports.run({ form: formWithFile(file) });
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
        onFiles={importFile}
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
      <div className={common['row']}>
        <a href={TRACKS_EXPORT_URL} download="tracks.json" className={buttonClassName({})}>
          Export All Tracks
        </a>
      </div>
    </AdminCard>
  );
}

const STEP_LABELS = {
  reading: 'Reading files',
  comparing: 'Comparing tracks',
  adding: 'Adding tracks',
} as const;

/** Shows the progress of each step in percent; the duration of the comparison is not known. */
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
