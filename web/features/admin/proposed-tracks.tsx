import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ComponentType, type RefObject } from 'react';
import { Link } from 'wouter';
import { describeError } from '#web/api/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatLapDate, formatLengthKm, pluralize } from '#web/ui/format.ts';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard } from './admin-card.tsx';
import { approveTrack, pageFrom, proposedTracksQuery, removeTrack } from './administration-queries.ts';
import type { ProposedTrack } from './administration-queries.ts';
import { EditTrack } from './edit-track.tsx';
import { MergeTrack } from './merge-track.tsx';
import { Pager } from './pager.tsx';
import { Retimings } from './retimings.tsx';
import styles from './proposed-tracks.module.css';

type Opened = { track: ProposedTrack; dialog: 'edit' | 'lines' | 'merge' | 'remove' };

/** The editor of lines, for the track with this id; closed for null. */
export type LineEditor = ComponentType<{ trackId: string | null; onClose: () => void }>;

/** Tracks that drivers proposed, those that have waited longest first, to be approved, corrected, merged or removed. */
export function ProposedTracks({ LineEditor }: { LineEditor: LineEditor }) {
  const [page, setPage] = useState(0);
  const [opened, setOpened] = useState<Opened | null>(null);
  const heading = useRef<HTMLDivElement>(null);
  const { data, isError, refetch } = useQuery(proposedTracksQuery(page));
  const shown = (dialog: Opened['dialog']) => (opened?.dialog === dialog ? opened.track : null);
  const close = () => setOpened(null);
  return (
    <AdminCard
      title="Proposed Tracks"
      lead="Drivers use these tracks already. Approve a track once its line and names are right, or merge it into the track that it is."
    >
      <Retimings />
      <div ref={heading} tabIndex={-1} className={styles['queue']}>
        {isError && <FailedState title="The proposals could not be loaded." onRetry={() => void refetch()} />}
        {!isError && !data && <LoadingState>Loading proposals...</LoadingState>}
        {data?.total === 0 && (
          <EmptyState title="No proposed tracks">Tracks that drivers add wait here for approval.</EmptyState>
        )}
        {data && data.total > 0 && (
          <>
            <ul className={styles['list']}>
              {data.proposals.map((track) => (
                <li key={track.id}>
                  <ProposedTrackCard track={track} focusAfter={heading} onOpen={setOpened} />
                </li>
              ))}
            </ul>
            <Pager
              noun="proposals"
              page={pageFrom(data.proposals, page, data.total)}
              total={data.total}
              onPage={setPage}
            />
          </>
        )}
      </div>
      <EditTrack track={shown('edit')} onClose={close} />
      <LineEditor trackId={shown('lines')?.id ?? null} onClose={close} />
      <MergeTrack track={shown('merge')} focusAfter={heading} onClose={close} />
      <RemoveProposal track={shown('remove')} focusAfter={heading} onClose={close} />
    </AdminCard>
  );
}

const PICTURE_BOX = { width: 160, height: 110, padding: 8 };

type CardProps = {
  track: ProposedTrack;
  focusAfter: RefObject<HTMLElement | null>;
  onOpen: (opened: Opened) => void;
};

function ProposedTrackCard({ track, focusAfter, onOpen }: CardProps) {
  const { id, name, configuration, location, country, lengthMeters, nearTracks } = track;
  const title = [name, configuration].filter(Boolean).join(', ');
  const facts = [location, country, lengthMeters && formatLengthKm(lengthMeters)];
  const open = (dialog: Opened['dialog']) => () => onOpen({ track, dialog });
  return (
    <Card as="article" className={styles['proposal']} aria-label={title}>
      <div className={styles['picture']}>
        <CircuitOutline track={track} box={PICTURE_BOX} />
      </div>
      <div className={styles['facts']}>
        <h3 className={styles['title']}>
          <Link href={`/track/${encodeURIComponent(id)}`}>{title}</Link>
        </h3>
        <p>{facts.filter(Boolean).join(' · ')}</p>
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

/** 'Long Ring, Short (1.2 km), 300 m away'. */
function describeNear(track: ProposedTrack['nearTracks'][number]): string {
  const { name, configuration, lengthMeters, distanceMeters } = track;
  const length = lengthMeters === null ? '' : ` (${formatLengthKm(lengthMeters)})`;
  return `${[name, configuration].filter(Boolean).join(', ')}${length}, ${distanceMeters} m away`;
}

function ApproveButton({ track, focusAfter }: Omit<CardProps, 'onOpen'>) {
  const queryClient = useQueryClient();
  const [isApproving, setIsApproving] = useState(false);

  async function approve(): Promise<void> {
    setIsApproving(true);
    try {
      await approveTrack(track.id, queryClient);
      showToast({ title: 'Track Approved', description: `${track.name} is official now.` });
      // The button that was pressed is gone.
      focusAfter.current?.focus();
    } catch (error) {
      setIsApproving(false);
      showToast({ title: 'Approval Failed', description: describeError(error), destructive: true });
    }
  }

  return (
    <Button size="small" variant="primary" pending={isApproving} onClick={() => void approve()}>
      Approve
    </Button>
  );
}

type RemoveProps = {
  track: ProposedTrack | null;
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
};

function RemoveProposal({ track, focusAfter, onClose }: RemoveProps) {
  const queryClient = useQueryClient();

  async function remove(): Promise<void> {
    if (!track) return;
    await removeTrack(track.id, queryClient, 'remove');
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
      {track && (
        <p>
          You cannot undo this. {track.name} and its outline are deleted
          {track.sessionCount > 0 &&
            `, together with ${pluralize(track.sessionCount, 'session')} of ${pluralize(track.driverCount, 'driver')}, their laps and lap files. Drivers can upload these files again`}
          .
        </p>
      )}
    </ConfirmDialog>
  );
}
