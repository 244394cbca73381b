import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MapPinned, Pencil, Trash2 } from 'lucide-react';
import { useDeferredValue, useRef, useState } from 'react';
import { Link } from 'wouter';
import { IconButton } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { formatCount } from '#web/ui/format.ts';
import table from '#web/ui/table.module.css';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard } from './admin-card.tsx';
import { AdminTable, StatusBadge, StatusFilter } from './admin-table.tsx';
import {
  administeredTracksQuery,
  removeTrack,
  type AdministeredTrack,
  type LibraryStatus,
} from './administration-queries.ts';
import styles from './admin.module.css';
import { EditTrack } from './edit-track.tsx';
import type { LineEditor } from './proposed-tracks.tsx';
import { Retimings } from './retimings.tsx';

/** All tracks of the library, to be found, corrected and removed. */
export function TracksTable({ LineEditor }: { LineEditor: LineEditor }) {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<LibraryStatus | ''>('');
  const [page, setPage] = useState(0);
  const [edited, setEdited] = useState<AdministeredTrack | null>(null);
  const [linesOf, setLinesOf] = useState<AdministeredTrack | null>(null);
  const [removed, setRemoved] = useState<AdministeredTrack | null>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const { data, isError, refetch } = useQuery(
    administeredTracksQuery(useDeferredValue(search), status, page),
  );
  return (
    <AdminCard title="All Tracks" lead="A track with sessions cannot be removed.">
      <Retimings />
      <div className={styles['filters']}>
        <TextField
          ref={searchField}
          type="search"
          label="Search tracks"
          autoComplete="off"
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            setPage(0);
          }}
        />
        <StatusFilter
          status={status}
          onChange={(value) => {
            setStatus(value);
            setPage(0);
          }}
        />
      </div>
      <AdminTable
        noun="tracks"
        caption="Tracks of the library"
        found={data && { rows: data.tracks, total: data.total }}
        hasFailed={isError}
        onRetry={() => void refetch()}
        {...{ page }}
        onPage={setPage}
        head={<TracksHead />}
      >
        {(track) => (
          <Row key={track.id} track={track} onEdit={setEdited} onLines={setLinesOf} onRemove={setRemoved} />
        )}
      </AdminTable>
      <EditTrack track={edited} onClose={() => setEdited(null)} />
      <LineEditor trackId={linesOf?.id ?? null} onClose={() => setLinesOf(null)} />
      <RemoveTrack track={removed} focusAfter={searchField} onClose={() => setRemoved(null)} />
    </AdminCard>
  );
}

function TracksHead() {
  return (
    <>
      <th scope="col">Track</th>
      <th scope="col" className={table['wide']}>
        Location
      </th>
      <th scope="col">Status</th>
      <th scope="col" className={table['number']}>
        Laps
      </th>
      <th scope="col">
        <span className="visually-hidden">Actions</span>
      </th>
    </>
  );
}

type RowProps = {
  track: AdministeredTrack;
  onEdit: (track: AdministeredTrack) => void;
  onLines: (track: AdministeredTrack) => void;
  onRemove: (track: AdministeredTrack) => void;
};

function Row({ track, onEdit, onLines, onRemove }: RowProps) {
  const { id, name, configuration, location, country, status, lapCount, sessionCount } = track;
  const title = [name, configuration].filter(Boolean).join(', ');
  const place = [location, country].filter(Boolean).join(', ');
  return (
    <tr>
      <th scope="row">
        <Link href={`/track/${encodeURIComponent(id)}`} className={styles['link']}>
          {name}
        </Link>
        {configuration && <span className={table['part']}>{configuration}</span>}
        <span className={table['under']}>{place}</span>
      </th>
      <td className={table['wide']}>{place}</td>
      <td>
        <StatusBadge status={status} />
      </td>
      <td className={table['number']}>{formatCount(lapCount)}</td>
      <td className={table['row']}>
        <span className={styles['rowActions']}>
          <IconButton
            size="small"
            label={`Edit ${title}`}
            icon={<Pencil size={16} />}
            onClick={() => onEdit(track)}
          />
          <IconButton
            size="small"
            label={`Edit the lines of ${title}`}
            icon={<MapPinned size={16} />}
            onClick={() => onLines(track)}
          />
          {sessionCount === 0 && (
            <IconButton
              size="small"
              label={`Remove ${title}`}
              icon={<Trash2 size={16} />}
              onClick={() => onRemove(track)}
            />
          )}
        </span>
      </td>
    </tr>
  );
}

type RemoveTrackProps = {
  track: AdministeredTrack | null;
  focusAfter: React.RefObject<HTMLInputElement | null>;
  onClose: () => void;
};

function RemoveTrack({ track, focusAfter, onClose }: RemoveTrackProps) {
  const queryClient = useQueryClient();

  async function remove(): Promise<void> {
    if (!track) return;
    await removeTrack(track.id, queryClient);
    showToast({ title: 'Track Removed', description: track.name });
  }

  return (
    <ConfirmDialog
      open={track !== null}
      title="Remove Track"
      confirmText="Remove Track"
      focusAfter={focusAfter}
      onConfirm={remove}
      onClose={onClose}
    >
      {track && <p>You cannot undo this. It removes {track.name} from the library.</p>}
    </ConfirmDialog>
  );
}
