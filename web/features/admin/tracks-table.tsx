import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useDeferredValue, useRef, useState } from 'react';
import { Link } from 'wouter';
import { Badge } from '#web/ui/badge.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { formatCount } from '#web/ui/format.ts';
import { FailedState, LoadingState } from '#web/ui/state-message.tsx';
import table from '#web/ui/table.module.css';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard } from './admin-card.tsx';
import {
  administeredTracksQuery,
  pageFrom,
  removeTrack,
  type AdministeredTrack,
  type TrackStatus,
} from './administration-queries.ts';
import styles from './admin.module.css';
import { EditTrack } from './edit-track.tsx';
import { Pager } from './pager.tsx';

const STATUS_LABELS: Record<TrackStatus, string> = { official: 'Official', community_submitted: 'Community' };

/** All tracks of the library, to be found, corrected and removed. */
export function TracksTable() {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<TrackStatus | ''>('');
  const [page, setPage] = useState(0);
  const [edited, setEdited] = useState<AdministeredTrack | null>(null);
  const [removed, setRemoved] = useState<AdministeredTrack | null>(null);
  const searchField = useRef<HTMLInputElement>(null);
  return (
    <AdminCard title="All Tracks" lead="A track with sessions cannot be removed.">
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
        <SelectField
          label="Status"
          value={status}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setStatus(value === 'official' || value === 'community_submitted' ? value : '');
            setPage(0);
          }}
        >
          <option value="">All</option>
          <option value="official">Official</option>
          <option value="community_submitted">Community</option>
        </SelectField>
      </div>
      <Rows {...{ search, status, page }} onPage={setPage} onEdit={setEdited} onRemove={setRemoved} />
      <EditTrack track={edited} onClose={() => setEdited(null)} />
      <RemoveTrack track={removed} focusAfter={searchField} onClose={() => setRemoved(null)} />
    </AdminCard>
  );
}

type RowsProps = {
  search: string;
  status: TrackStatus | '';
  page: number;
  onPage: (page: number) => void;
  onEdit: (track: AdministeredTrack) => void;
  onRemove: (track: AdministeredTrack) => void;
};

function Rows({ search, status, page, onPage, onEdit, onRemove }: RowsProps) {
  const { data, isError, refetch } = useQuery(
    administeredTracksQuery(useDeferredValue(search), status, page),
  );
  if (isError) return <FailedState title="The tracks could not be loaded." onRetry={() => void refetch()} />;
  if (!data) return <LoadingState>Loading tracks...</LoadingState>;
  return (
    <div>
      <output className={styles['caption']}>{formatCount(data.total)} found</output>
      <div className={table['frame']}>
        <table className={table['table']}>
          <caption className="visually-hidden">Tracks of the library</caption>
          <thead>
            <tr>
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
            </tr>
          </thead>
          <tbody>
            {data.tracks.map((track) => (
              <Row key={track.id} track={track} onEdit={onEdit} onRemove={onRemove} />
            ))}
          </tbody>
        </table>
      </div>
      <Pager
        noun="tracks"
        page={pageFrom(data.tracks, page, data.total)}
        total={data.total}
        onPage={onPage}
      />
    </div>
  );
}

type RowProps = { track: AdministeredTrack } & Pick<RowsProps, 'onEdit' | 'onRemove'>;

function Row({ track, onEdit, onRemove }: RowProps) {
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
        <Badge tone={status === 'official' ? 'outline' : 'accent'}>{STATUS_LABELS[status]}</Badge>
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
