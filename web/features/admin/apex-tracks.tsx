import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { sentenceOf } from '#web/api/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard } from './admin-card.tsx';
import { importApexTracks, parseApexTracks, refreshTracks } from './admin-queries.ts';
import type { ApexImport, ApexTrack } from './apex-track.ts';
import { ApexTrackTable } from './apex-track-table.tsx';
import styles from './apex-tracks.module.css';
import { counted } from './counted.ts';
import { takeLibraryFile } from './library-file.ts';
import { LibraryUpload } from './library-upload.tsx';
import { Warnings } from './warnings.tsx';

/** Brings in tracks with their traps, which are kept until they are migrated to the library. */
export function ApexTracks() {
  const { tracks, outcome, phase, problem, fileCount, read, importAll } = useApexImport();
  return (
    <>
      <AdminCard
        title="Upload Track File"
        lead="A JSON file of tracks with their traps. A track needs exactly one start/finish trap to be migrated to the library."
      >
        <LibraryUpload
          label="Track file"
          type=".json"
          busyText={phase === 'reading' ? 'Reading the track file...' : null}
          disabled={phase !== 'idle'}
          isPrimary={tracks === null}
          problem={problem}
          onFiles={(files) => void read(files)}
        />
      </AdminCard>
      {tracks && (
        <AdminCard
          // Another file begins another search.
          key={fileCount}
          title="Parsed Tracks"
          takesFocus
        >
          <div className={styles['actions']}>
            <Button variant="primary" pending={phase === 'importing'} onClick={() => void importAll(tracks)}>
              {phase === 'importing' ? 'Importing...' : `Import ${counted(tracks.length, 'Track')}`}
            </Button>
          </div>
          <div aria-live="polite" className={styles['outcome']}>
            {outcome && <Outcome outcome={outcome} />}
          </div>
          <ApexTrackTable tracks={tracks} />
        </AdminCard>
      )}
    </>
  );
}

function Outcome({ outcome: { tracksUpserted, trapsUpserted, warnings } }: { outcome: ApexImport }) {
  return (
    <>
      <p>
        {counted(tracksUpserted, 'track')} and {counted(trapsUpserted, 'trap')} imported.{' '}
        <Link href="/admin/import-tracks">Migrate them to the library</Link> to give them a leaderboard.
      </p>
      <Warnings sentences={warnings} />
    </>
  );
}

type ApexState = {
  phase: 'idle' | 'reading' | 'importing';
  tracks: readonly ApexTrack[] | null;
  outcome: ApexImport | null;
  problem: string | null;
  /** How many files were read. */
  fileCount: number;
};

const EMPTY: ApexState = { phase: 'idle', tracks: null, outcome: null, problem: null, fileCount: 0 };

function useApexImport() {
  const queryClient = useQueryClient();
  const [state, setState] = useState(EMPTY);
  const change = (changes: Partial<ApexState>) => setState((state) => ({ ...state, ...changes }));

  function failReading(message: string): void {
    change({ phase: 'idle', problem: message });
    showToast({ title: 'Parse Failed', description: message, destructive: true });
  }

  async function read(files: readonly File[]): Promise<void> {
    const file = takeLibraryFile(files, '.json');
    if (typeof file === 'string') {
      failReading(file);
      return;
    }
    change({ phase: 'reading', problem: null });
    try {
      const tracks = await parseApexTracks(file);
      if (tracks.length === 0) {
        failReading('No valid tracks found in file');
        return;
      }
      setState(({ fileCount }) => ({ ...EMPTY, tracks, fileCount: fileCount + 1 }));
      showToast({
        title: 'File Parsed',
        description: `${counted(tracks.length, 'track')} found in the file.`,
      });
    } catch (error) {
      failReading(sentenceOf(error, 'Failed to parse track file'));
    }
  }

  async function importAll(tracks: readonly ApexTrack[]): Promise<void> {
    change({ phase: 'importing', outcome: null });
    try {
      const outcome = await importApexTracks(tracks);
      change({ phase: 'idle', outcome });
      const description = `${counted(outcome.tracksUpserted, 'track')} and ${counted(outcome.trapsUpserted, 'trap')} imported.`;
      showToast({ title: 'Import Complete', description });
    } catch (error) {
      change({ phase: 'idle' });
      const description = sentenceOf(error, 'The tracks could not be imported. Please try again.');
      showToast({ title: 'Import Failed', description, destructive: true });
    }
    await refreshTracks(queryClient);
  }

  return { ...state, read, importAll };
}
