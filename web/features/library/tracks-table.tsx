import MapPinned from 'lucide-react/icons/map-pinned';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { nameTrack } from '#contract/tracks/labels.ts';
import { IconButton } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatCount } from '#web/ui/format.ts';
import table from '#web/ui/table.module.css';
import { AdminCard } from '#web/ui/admin-card.tsx';
import { StatusBadge } from '#web/ui/admin-table.tsx';
import { trackHref } from '#web/ui/page-hrefs.ts';
import { administeredTracksQuery, type AdministeredTrack } from './library-queries.ts';
import styles from '#web/ui/admin.module.css';
import { EditTrack } from './edit-track.tsx';
import { LibraryTable } from './library-table.tsx';
import type { LineEditor } from './proposed-tracks.tsx';
import { Retimings } from './retimings.tsx';

type Opened = { track: AdministeredTrack; dialog: 'edit' | 'lines' | 'remove' };

/** Shows all tracks of the library with a search; administrators correct and remove them here. */
export function TracksTable({ LineEditor }: { LineEditor: LineEditor }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const close = () => setOpened(null);
  return (
    <AdminCard title="All Tracks" lead="A track with sessions cannot be removed.">
      <Retimings />
      <LibraryTable noun="tracks" query={administeredTracksQuery} searchField={searchField} columns={COLUMNS}>
        {(track) => <Row key={track.id} track={track} onOpen={(dialog) => setOpened({ track, dialog })} />}
      </LibraryTable>
      {opened?.dialog === 'edit' && <EditTrack track={opened.track} onClose={close} />}
      {opened?.dialog === 'lines' && <LineEditor trackId={opened.track.id} onClose={close} />}
      {opened?.dialog === 'remove' && (
        <ConfirmDialog
          title="Remove Track"
          confirmText="Remove Track"
          focusAfter={searchField}
          onConfirm={(send) =>
            send('DELETE /api/admin/tracks/:trackId', {
              params: { trackId: opened.track.id },
              query: { laps: 'keep' },
            })
          }
          success={{ title: 'Track Removed', description: opened.track.name }}
          onClose={close}
        >
          <p>You cannot undo this. It removes {opened.track.name} from the library.</p>
        </ConfirmDialog>
      )}
    </AdminCard>
  );
}

const COLUMNS = {
  Track: '',
  Location: 'wide',
  Status: '',
  Laps: 'number',
  Actions: 'for-screen-readers',
} as const;

function Row({ track, onOpen }: { track: AdministeredTrack; onOpen: (dialog: Opened['dialog']) => void }) {
  const { id, name, configuration, location, country, status, lapCount, sessionCount } = track;
  const title = nameTrack({ name, configuration });
  const place = [location, country].filter(Boolean).join(', ');
  return (
    <tr>
      <th scope="row">
        <Link href={trackHref(id)} className={styles['link']}>
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
            onClick={() => onOpen('edit')}
          />
          <IconButton
            size="small"
            label={`Edit the lines of ${title}`}
            icon={<MapPinned size={16} />}
            onClick={() => onOpen('lines')}
          />
          {sessionCount === 0 && (
            <IconButton
              size="small"
              label={`Remove ${title}`}
              icon={<Trash2 size={16} />}
              onClick={() => onOpen('remove')}
            />
          )}
        </span>
      </td>
    </tr>
  );
}
