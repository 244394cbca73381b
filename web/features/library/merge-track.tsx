import type { RefObject } from 'react';
import { nameTrack } from '#contract/tracks/labels.ts';
import { formatLength, formatTrackLength, pluralize } from '#web/ui/format.ts';
import styles from '#web/ui/admin.module.css';
import type { ProposedTrack } from './library-queries.ts';
import { MergeChoice, MergeDialog } from './merge-dialog.tsx';

type MergeTrackProps = {
  track: ProposedTrack;
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
};

/** Moves the laps of a proposed track to one of those near it. */
export function MergeTrack({ track, ...dialog }: MergeTrackProps) {
  return (
    <MergeDialog
      title="Merge Track"
      chooseFirst="Choose the track that stays."
      onMerge={(send, intoTrackId) =>
        send('POST /api/admin/tracks/:trackId/merge', {
          params: { trackId: track.id },
          body: { intoTrackId },
        })
      }
      success={({ track: into, movedLaps, movedSessions }) => ({
        title: 'Tracks Merged',
        description:
          movedSessions === 0
            ? `Links to ${track.name} lead to ${into.name} now.`
            : `${pluralize(movedLaps, 'lap')} of ${pluralize(movedSessions, 'session')} moved to ${into.name}. They are being timed again.`,
      })}
      {...dialog}
    >
      <p>
        You cannot undo this. The laps on {track.name} move to the track that you choose and are timed again
        on its line. Links to {track.name} lead there.
      </p>
      <fieldset className={styles['choices']}>
        <legend>The track that stays</legend>
        {track.nearTracks.map((near) => (
          <MergeChoice key={near.id} id={near.id} name={nameTrack(near)} facts={describeNear(near)} />
        ))}
      </fieldset>
    </MergeDialog>
  );
}

function describeNear({ lengthMeters, distanceMeters, status }: ProposedTrack['nearTracks'][number]): string {
  const facts = [
    lengthMeters && formatTrackLength(lengthMeters),
    `${formatLength(distanceMeters)} away`,
    status === 'community_submitted' && 'Community',
  ];
  return facts.filter(Boolean).join(' · ');
}
