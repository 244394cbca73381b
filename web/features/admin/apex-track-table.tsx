import { TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Badge } from '#web/ui/badge.tsx';
import { TextField } from '#web/ui/field.tsx';
import { formatCount } from '#web/ui/format-count.ts';
import table from '#web/ui/table.module.css';
import { hasOneStartFinish, searchApexTracks, type ApexTrack } from './apex-track.ts';
import styles from './apex-tracks.module.css';
import { counted } from './counted.ts';
import { Pager } from './pager.tsx';
import { pageOf } from './paging.ts';

/** The tracks of a file, to be searched; those that cannot be migrated are marked. */
export function ApexTrackTable({ tracks }: { tracks: readonly ApexTrack[] }) {
  const [typed, setTyped] = useState('');
  const [page, setPage] = useState(0);
  const found = useMemo(() => searchApexTracks(tracks, typed), [tracks, typed]);
  const shown = pageOf(found, page);
  const flaggedCount = useMemo(() => tracks.filter((track) => !hasOneStartFinish(track)).length, [tracks]);
  return (
    <div>
      <div className={styles['tools']}>
        <TextField
          type="search"
          label="Search parsed tracks"
          hideLabel
          placeholder="Search tracks..."
          className={styles['search'] ?? ''}
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
  const place = [track.city, track.country].filter(Boolean).join(', ');
  const radius = track.geofenceRadiusM === null ? '—' : `${formatCount(Math.round(track.geofenceRadiusM))} m`;
  return (
    <tr>
      <th scope="row">
        {track.name}
        <span className={table['part']}>{track.configuration}</span>
        <span className={table['under']}>{place}</span>
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
  if (foundCount === total) return `${counted(total, 'track')}.`;
  if (foundCount === 0) return 'No tracks found.';
  return `${formatCount(foundCount)} of ${counted(total, 'track')}.`;
}
