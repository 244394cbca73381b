import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { ParsedApexTrack as ApexTrack } from '#contract/library/schemas.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { formatCount, formatLength, pluralize } from '#web/ui/format.ts';
import table from '#web/ui/table.module.css';
import { Headings, Table } from '#web/ui/table.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { useCall } from '#web/ui/use-call.ts';
import { AdminCard, Warnings } from '#web/ui/admin-card.tsx';
import { formWithFile, type ApexImport } from './import-queries.ts';
import admin from '#web/ui/admin.module.css';
import common from '#web/ui/common.module.css';
import styles from './apex-tracks.module.css';
import { LibraryUpload, validateLibraryFile } from './library-upload.tsx';
import { Pager, paginate } from '#web/ui/pager.tsx';

/** Imports tracks with their traps, which are stored until they are migrated to the library. */
export function ApexTracks() {
  const { parsed, reading, importing, read, importAll } = useApexImport();
  return (
    <>
      <AdminCard
        title="Upload Track File"
        lead="A JSON file of tracks with their traps. A track needs exactly one start/finish trap to be migrated to the library."
      >
        <LibraryUpload
          label="Track file"
          type=".json"
          busyText={reading.isBusy ? 'Reading the track file...' : null}
          disabled={reading.isBusy || importing.isBusy}
          isPrimary={parsed === null}
          problem={reading.sentence}
          onFiles={read}
        />
      </AdminCard>
      {parsed && (
        <AdminCard
          // Another file starts another search.
          key={parsed.fileCount}
          title="Parsed Tracks"
          takesFocus
        >
          <div className={admin['actions']}>
            <Button variant="primary" pending={importing.isBusy} onClick={() => importAll(parsed.tracks)}>
              {importing.isBusy ? 'Importing...' : `Import ${pluralize(parsed.tracks.length, 'Track')}`}
            </Button>
          </div>
          <div aria-live="polite" className={admin['outcome']}>
            {importing.result && <Outcome outcome={importing.result} />}
          </div>
          <ApexTrackTable tracks={parsed.tracks} />
        </AdminCard>
      )}
    </>
  );
}

function Outcome({ outcome: { summary, warnings } }: { outcome: ApexImport }) {
  const { tracksUpserted, trapsUpserted } = summary;
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

const NO_TRACKS = 'No valid tracks found in file';

function useApexImport() {
  const [parsed, setParsed] = useState<{ tracks: readonly ApexTrack[]; fileCount: number } | null>(null);
  const reading = useCall('POST /api/apex/parse', {
    success: ({ tracks }) =>
      tracks.length === 0
        ? { title: 'Parse Failed', description: NO_TRACKS, destructive: true }
        : { title: 'File Parsed', description: `${pluralize(tracks.length, 'track')} found in the file.` },
    failure: 'Parse Failed',
    fallback: 'Failed to parse track file',
    onDone: ({ tracks }) => {
      if (tracks.length === 0) return reading.refuse(NO_TRACKS);
      importing.refuse(null);
      setParsed({ tracks, fileCount: (parsed?.fileCount ?? 0) + 1 });
    },
  });
  const importing = useCall('POST /api/apex/import', {
    success: ({ summary: { tracksUpserted, trapsUpserted } }) => ({
      title: 'Import Complete',
      description: `${pluralize(tracksUpserted, 'track')} and ${pluralize(trapsUpserted, 'trap')} imported.`,
    }),
    failure: 'Import Failed',
    fallback: 'The tracks could not be imported. Please try again.',
  });

  function read(files: readonly File[]): void {
    const file = validateLibraryFile(files, '.json');
    if (typeof file !== 'string') {
      void reading.run({ form: formWithFile(file) });
      return;
    }
    reading.refuse(file);
    showToast({ title: 'Parse Failed', description: file, destructive: true });
  }

  return {
    parsed,
    reading,
    importing,
    read,
    importAll: (tracks: readonly ApexTrack[]) => void importing.run({ body: { tracks: [...tracks] } }),
  };
}

/** Shows the tracks of a file with a search; those that cannot be migrated are marked. */
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
        <output className={common['note']}>
          {describeFound(found.length, tracks.length)}
          {flaggedCount > 0 && ` ${formatCount(flaggedCount)} cannot be migrated as they are.`}
        </output>
      </div>
      {found.length > 0 && (
        <Table caption="Parsed tracks" head={<Headings columns={COLUMNS} />}>
          {shown.rows.map((track) => (
            <ApexTrackRow key={track.row} track={track} />
          ))}
        </Table>
      )}
      <Pager noun="parsed tracks" page={shown} total={found.length} onPage={setPage} />
    </div>
  );
}

const COLUMNS = {
  Track: '',
  City: 'wide',
  Country: 'wide',
  'Geofence radius': 'wide number',
  Traps: 'wide number',
  'Start/finish': '',
} as const;

function ApexTrackRow({ track }: { track: ApexTrack }) {
  const { name, configuration, city, country, geofenceRadiusM } = track.track;
  const location = [city, country].filter(Boolean).join(', ');
  const radius = geofenceRadiusM === null ? '—' : formatLength(geofenceRadiusM);
  return (
    <tr>
      <th scope="row">
        {name ?? `Track ${track.row}`}
        <span className={table['part']}>{configuration}</span>
        <span className={table['under']}>{location}</span>
        <Notes track={track} />
      </th>
      <td className={table['wide']}>{city ?? '—'}</td>
      <td className={table['wide']}>{country ?? '—'}</td>
      <td className={`${table['wide']} ${table['number']}`}>{radius}</td>
      <td className={`${table['wide']} ${table['number']}`}>{track.traps.length}</td>
      <td>
        <StartFinishBadge track={track} />
      </td>
    </tr>
  );
}

function Notes({ track: { problems, warnings } }: { track: ApexTrack }) {
  return (
    <>
      {Object.values(problems).map((sentence) => (
        <span key={sentence} className={`${table['part']} ${common['bad']}`}>
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
  const count = countStartFinish(track);
  if (hasOneStartFinish(track)) return <Badge tone="outline">1</Badge>;
  return (
    <Badge tone="warn">
      <TriangleAlert size={14} aria-hidden="true" />
      {count === 0 ? 'None' : formatCount(count)}
      <span className="visually-hidden"> start/finish traps; exactly one is needed</span>
    </Badge>
  );
}

function describeFound(foundCount: number, total: number): string {
  if (foundCount === total) return `${pluralize(total, 'track')}.`;
  if (foundCount === 0) return 'No tracks found.';
  return `${formatCount(foundCount)} of ${pluralize(total, 'track')}.`;
}

/** Returns true if a track can be migrated: laps begin and end at exactly one trap. */
export function hasOneStartFinish(track: Pick<ApexTrack, 'traps'>): boolean {
  return countStartFinish(track) === 1;
}

function countStartFinish({ traps }: Pick<ApexTrack, 'traps'>): number {
  return traps.filter(({ type }) => type === 'start_finish').length;
}

/** Finds the tracks with the search text in their name, configuration, city or country, ignoring case. */
export function searchApexTracks(tracks: readonly ApexTrack[], typed: string): readonly ApexTrack[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return tracks;
  return tracks.filter(({ track: { name, configuration, city, country } }) =>
    [name, configuration, city, country].some((text) => text?.toLowerCase().includes(wanted)),
  );
}
