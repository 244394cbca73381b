import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type ComponentType, type RefObject } from 'react';
import { Link } from 'wouter';
import { nameTrack } from '#contract/tracks/labels.ts';
import type { TrackId } from '#contract/ids.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { formatLapDate, formatLength, formatTrackLength, pluralize } from '#web/ui/format.ts';
import { EmptyState, QueryState } from '#web/ui/state-message.tsx';
import { TrackOrigins } from '#web/ui/track-origin.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { useFocusAfter } from '#web/ui/use-focus-after.ts';
import { AdminCard } from '#web/ui/admin-card.tsx';
import { trackHref } from '#web/ui/page-hrefs.ts';
import { proposedTracksQuery, type ProposedTrack } from './library-queries.ts';
import { pageFrom } from '#web/ui/pager.tsx';
import { EditTrack } from './edit-track.tsx';
import { MergeTrack } from './merge-track.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { Retimings } from './retimings.tsx';
import common from '#web/ui/common.module.css';
import styles from './proposed-tracks.module.css';

type Opened = { track: ProposedTrack; dialog: 'edit' | 'lines' | 'merge' | 'remove' };

export type LineEditor = ComponentType<{ trackId: TrackId; onClose: () => void }>;

/** Shows the tracks that drivers proposed, oldest first, to be approved, corrected, merged or removed. */
export function ProposedTracks({ LineEditor }: { LineEditor: LineEditor }) {
  const [page, setPage] = useState(0);
  const [opened, setOpened] = useState<Opened | null>(null);
  const heading = useRef<HTMLDivElement>(null);
  const query = useQuery(proposedTracksQuery(page));
  const { data } = query;
  const close = () => setOpened(null);
  return (
    <AdminCard
      title="Proposed Tracks"
      lead="Drivers use these tracks already. Approve a track once its line and names are right, or merge it into the track that it is."
    >
      <Retimings />
      <div ref={heading} tabIndex={-1} className={styles['queue']}>
        <QueryState noun="proposals" query={query} />
        {data?.total === 0 && (
          <EmptyState title="No proposed tracks">Tracks that drivers add wait here for approval.</EmptyState>
        )}
        {data && data.total > 0 && (
          <>
            <ul className={common['list']}>
              {data.proposals.map((track) => (
                <li key={track.id}>
                  <ProposedTrackCard track={track} focusAfter={heading} onOpen={setOpened} />
                </li>
              ))}
            </ul>
            <TrackOrigins tracks={data.proposals} />
            <Pager
              noun="proposals"
              page={pageFrom(data.proposals, page, data.total)}
              total={data.total}
              onPage={setPage}
            />
          </>
        )}
      </div>
      {opened && <OpenedDialog {...{ ...opened, LineEditor }} focusAfter={heading} onClose={close} />}
    </AdminCard>
  );
}

function OpenedDialog({ dialog, LineEditor, ...props }: Opened & RemoveProps & { LineEditor: LineEditor }) {
  const { track, onClose } = props;
  if (dialog === 'edit') return <EditTrack track={track} onClose={onClose} />;
  if (dialog === 'lines') return <LineEditor trackId={track.id} onClose={onClose} />;
  if (dialog === 'merge') return <MergeTrack {...props} />;
  return <RemoveProposal {...props} />;
}

const PICTURE_BOX = { width: 160, height: 110, padding: 8 };

type CardProps = {
  track: ProposedTrack;
  focusAfter: RefObject<HTMLElement | null>;
  onOpen: (opened: Opened) => void;
};

function ProposedTrackCard({ track, focusAfter, onOpen }: CardProps) {
  const { id, name, configuration, location, country, lengthMeters, nearTracks } = track;
  const title = nameTrack({ name, configuration });
  const facts = [location, country, lengthMeters && formatTrackLength(lengthMeters)];
  const open = (dialog: Opened['dialog']) => () => onOpen({ track, dialog });
  return (
    <Card as="article" className={styles['proposal']} aria-label={title}>
      <div className={styles['picture']}>
        <CircuitOutline track={track} box={PICTURE_BOX} />
      </div>
      <div className={styles['facts']}>
        <h3 className={styles['title']}>
          <Link href={trackHref(id)}>{title}</Link>
        </h3>
        <p>
          <Facts facts={facts} />
        </p>
        <p>{describeProposal(track)}</p>
        {nearTracks.length > 0 && <p>Near: {nearTracks.map(describeNear).join('; ')}</p>}
      </div>
      <div className={styles['actions']}>
        <ApproveButton track={track} focusAfter={focusAfter} />
        <Button size="small" onClick={open('edit')}>
          Edit
        </Button>
        <Button size="small" onClick={open('lines')}>
          Lines
        </Button>
        {nearTracks.length > 0 && (
          <Button size="small" onClick={open('merge')}>
            Merge
          </Button>
        )}
        <Button size="small" onClick={open('remove')}>
          Remove
        </Button>
      </div>
    </Card>
  );
}

function describeProposal({ proposedByName, proposedAt, lapCount, driverCount }: ProposedTrack): string {
  const by = proposedByName ? `Proposed by ${proposedByName}` : 'Proposed';
  const when = proposedAt ? ` on ${formatLapDate(proposedAt)}` : '';
  return `${by}${when} · ${pluralize(lapCount, 'lap')} by ${pluralize(driverCount, 'driver')}`;
}

/** Describes a track near the proposal: 'Long Ring, Short (1.2 km), 300 m away'. */
function describeNear(track: ProposedTrack['nearTracks'][number]): string {
  const { name, configuration, lengthMeters, distanceMeters } = track;
  const length = lengthMeters === null ? '' : ` (${formatTrackLength(lengthMeters)})`;
  return `${nameTrack({ name, configuration })}${length}, ${formatLength(distanceMeters)} away`;
}

function ApproveButton({ track, focusAfter }: Omit<CardProps, 'onOpen'>) {
  const { run, isBusy } = useCall('POST /api/admin/tracks/:trackId/approve', {
    success: { title: 'Track Approved', description: `${track.name} is official now.` },
    failure: 'Approval Failed',
  });
  useFocusAfter(focusAfter);
  return (
    <Button
      size="small"
      variant="primary"
      pending={isBusy}
      onClick={() => void run({ params: { trackId: track.id } })}
    >
      Approve
    </Button>
  );
}

type RemoveProps = {
  track: ProposedTrack;
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
};

function RemoveProposal({ track, focusAfter, onClose }: RemoveProps) {
  return (
    <ConfirmDialog
      title="Remove Track"
      confirmText="Remove Track"
      focusAfter={focusAfter}
      onConfirm={(send) =>
        send('DELETE /api/admin/tracks/:trackId', {
          params: { trackId: track.id },
          query: { laps: 'remove' },
        })
      }
      success={{ title: 'Track Removed', description: track.name }}
      onClose={onClose}
    >
      <p>
        You cannot undo this. {track.name} and its outline are deleted
        {track.sessionCount > 0 &&
          `, together with ${pluralize(track.sessionCount, 'session')} of ${pluralize(track.driverCount, 'driver')}, their laps and lap files. Drivers can upload these files again`}
        .
      </p>
    </ConfirmDialog>
  );
}
