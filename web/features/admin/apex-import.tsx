import { useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { describeError } from '#web/api/api-error.ts';
import type { ApexImport, ApexTrack } from '#web/api/specified-answers/admin.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { formatCount, pluralize } from '#web/ui/format.ts';
import table from '#web/ui/table.module.css';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard, Warnings } from './admin-card.tsx';
import { importApexTracks, parseApexTracks, refreshTracks } from './admin-queries.ts';
import admin from './admin.module.css';
import styles from './apex-import.module.css';
import { LibraryUpload, validateLibraryFile } from './library-upload.tsx';
import { Pager, paginate } from './pager.tsx';

/** Imports tracks with their traps, which are stored until they are migrated to the library. */
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
          // Another file starts another search.
          key={fileCount}
          title="Parsed Tracks"
          takesFocus
        >
          <div className={admin['actions']}>
            <Button variant="primary" pending={phase === 'importing'} onClick={() => void importAll(tracks)}>
              {phase === 'importing' ? 'Importing...' : `Import ${pluralize(tracks.length, 'Track')}`}
            </Button>
          </div>
          <div aria-live="polite" className={admin['outcome']}>
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
        {pluralize(tracksUpserted, 'track')} and {pluralize(trapsUpserted, 'trap')} imported.{' '}
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
    const file = validateLibraryFile(files, '.json');
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
        description: `${pluralize(tracks.length, 'track')} found in the file.`,
      });
    } catch (error) {
      failReading(describeError(error, 'Failed to parse track file'));
    }
  }

  async function importAll(tracks: readonly ApexTrack[]): Promise<void> {
    change({ phase: 'importing', outcome: null });
    try {
      const outcome = await importApexTracks(tracks);
      change({ phase: 'idle', outcome });
      const description = `${pluralize(outcome.tracksUpserted, 'track')} and ${pluralize(outcome.trapsUpserted, 'trap')} imported.`;
      showToast({ title: 'Import Complete', description });
    } catch (error) {
      change({ phase: 'idle' });
      const description = describeError(error, 'The tracks could not be imported. Please try again.');
      showToast({ title: 'Import Failed', description, destructive: true });
    }
    await refreshTracks(queryClient);
  }

  return { ...state, read, importAll };
}

/** The tracks of a file, to be searched; those that cannot be migrated are marked. */
function ApexTrackTable({ tracks }: { tracks: readonly ApexTrack[] }) {
  const [typed, setTyped] = useState('');
  const [page, setPage] = useState(0);
  const found = useMemo(() => searchApexTracks(tracks, typed), [tracks, typed]);
  const shown = paginate(found, page);
  const flaggedCount = useMemo(() => tracks.filter((track) => !hasOneStartFinish(track)).length, [tracks]);
  return (
    <div>
      <div className={styles['tools']}>
        <TextField
          type="search"
          label="Search parsed tracks"
          hideLabel
          placeholder="Search tracks..."
          className={styles['search']}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setPage(0);
          }}
        />
        <output className={styles['count']}>
          {describeFound(found.length, tracks.length)}
          {flaggedCount > 0 && ` ${formatCount(flaggedCount)} cannot be migrated as they are.`}
        </output>
      </div>
      {found.length > 0 && (
        <div className={table['frame']}>
          <table className={table['table']}>
            <caption className="visually-hidden">Parsed tracks</caption>
            <ApexTableHead />
            <tbody>
              {shown.rows.map((track) => (
                <ApexTrackRow key={track.row} track={track} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager noun="parsed tracks" page={shown} total={found.length} onPage={setPage} />
    </div>
  );
}

function ApexTableHead() {
  return (
    <thead>
      <tr>
        <th scope="col">Track</th>
        <th scope="col" className={table['wide']}>
          City
        </th>
        <th scope="col" className={table['wide']}>
          Country
        </th>
        <th scope="col" className={`${table['wide']} ${table['number']}`}>
          Geofence radius
        </th>
        <th scope="col" className={`${table['wide']} ${table['number']}`}>
          Traps
        </th>
        <th scope="col">Start/finish</th>
      </tr>
    </thead>
  );
}

function ApexTrackRow({ track }: { track: ApexTrack }) {
  const location = [track.city, track.country].filter(Boolean).join(', ');
  const radius = track.geofenceRadiusM === null ? '—' : `${formatCount(Math.round(track.geofenceRadiusM))} m`;
  return (
    <tr>
      <th scope="row">
        {track.name}
        <span className={table['part']}>{track.configuration}</span>
        <span className={table['under']}>{location}</span>
        <Notes track={track} />
      </th>
      <td className={table['wide']}>{track.city ?? '—'}</td>
      <td className={table['wide']}>{track.country ?? '—'}</td>
      <td className={`${table['wide']} ${table['number']}`}>{radius}</td>
      <td className={`${table['wide']} ${table['number']}`}>{track.trapCount}</td>
      <td>
        <StartFinishBadge track={track} />
      </td>
    </tr>
  );
}

function Notes({ track: { problems, warnings } }: { track: ApexTrack }) {
  return (
    <>
      {problems.map((sentence) => (
        <span key={sentence} className={`${table['part']} ${table['bad']}`}>
          {sentence}
        </span>
      ))}
      {warnings.map((sentence) => (
        <span key={sentence} className={table['part']}>
          {sentence}
        </span>
      ))}
    </>
  );
}

function StartFinishBadge({ track }: { track: ApexTrack }) {
  if (hasOneStartFinish(track)) return <Badge tone="outline">1</Badge>;
  return (
    <Badge tone="warn">
      <TriangleAlert size={14} aria-hidden="true" />
      {track.startFinishCount === 0 ? 'None' : formatCount(track.startFinishCount)}
      <span className="visually-hidden"> start/finish traps; exactly one is needed</span>
    </Badge>
  );
}

function describeFound(foundCount: number, total: number): string {
  if (foundCount === total) return `${pluralize(total, 'track')}.`;
  if (foundCount === 0) return 'No tracks found.';
  return `${formatCount(foundCount)} of ${pluralize(total, 'track')}.`;
}

/** Whether a track can be migrated: laps begin and end at exactly one trap. */
export function hasOneStartFinish({ startFinishCount }: Pick<ApexTrack, 'startFinishCount'>): boolean {
  return startFinishCount === 1;
}

/** The tracks that have what is typed in their name, configuration, city or country, in either case. */
export function searchApexTracks(tracks: readonly ApexTrack[], typed: string): readonly ApexTrack[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return tracks;
  return tracks.filter((track) =>
    [track.name, track.configuration, track.city, track.country].some((text) =>
      text?.toLowerCase().includes(wanted),
    ),
  );
}
