import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type RefObject, type SyntheticEvent } from 'react';
import { describeError } from '#web/api/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { formatLengthKm, pluralize } from '#web/ui/format.ts';
import { showToast } from '#web/ui/toasts.ts';
import styles from './admin.module.css';
import { mergeTrack, type ProposedTrack } from './administration-queries.ts';

type MergeTrackProps = {
  /** The proposal; null while none is being merged. */
  track: ProposedTrack | null;
  /** Takes the focus once the proposal is gone. */
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
};

type Outcome = { isMerging: boolean; failure?: string };

/** Moves the laps of a proposed track to one of those near it. */
export function MergeTrack({ track, focusAfter, onClose }: MergeTrackProps) {
  const formId = useId();
  const { isMerging, failure, merge, close } = useMerging({ track, focusAfter, onClose });
  return (
    <Dialog
      open={track !== null}
      title="Merge Track"
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={formId} variant="destructive" pending={isMerging}>
            Merge
          </Button>
        </>
      }
    >
      {track && (
        <form id={formId} noValidate className={styles['upload']} onSubmit={(event) => void merge(event)}>
          <p>
            You cannot undo this. The laps on {track.name} move to the track that you choose and are timed
            again on its line. Links to {track.name} lead there.
          </p>
          <fieldset className={styles['choices']}>
            <legend>The track that stays</legend>
            {track.nearTracks.map((near) => (
              <NearTrack key={near.id} near={near} />
            ))}
          </fieldset>
          {failure !== undefined && (
            <p role="alert" className={styles['problem']}>
              {failure}
            </p>
          )}
        </form>
      )}
    </Dialog>
  );
}

function NearTrack({ near }: { near: ProposedTrack['nearTracks'][number] }) {
  const { id, name, configuration, lengthMeters, distanceMeters, status } = near;
  const facts = [
    lengthMeters && formatLengthKm(lengthMeters),
    `${distanceMeters} m away`,
    status === 'community_submitted' && 'Community',
  ];
  return (
    <label className={styles['choice']}>
      <input type="radio" name="intoTrackId" value={id} />
      <span>
        {[name, configuration].filter(Boolean).join(', ')}
        <span className={styles['facts']}>{facts.filter(Boolean).join(' · ')}</span>
      </span>
    </label>
  );
}

function useMerging({ track, focusAfter, onClose }: MergeTrackProps) {
  const queryClient = useQueryClient();
  const [{ isMerging, failure }, setOutcome] = useState<Outcome>({ isMerging: false });

  const isOpen = useRef(false);
  useEffect(() => {
    // The dialog has returned the focus by now, unless the card that had it is gone.
    if (isOpen.current && track === null && document.activeElement === document.body)
      focusAfter.current?.focus();
    isOpen.current = track !== null;
  }, [track, focusAfter]);

  function close(): void {
    setOutcome({ isMerging: false });
    onClose();
  }

  async function merge(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const intoTrackId = new FormData(event.currentTarget).get('intoTrackId');
    if (!track || isMerging) return;
    if (typeof intoTrackId !== 'string') {
      setOutcome({ isMerging, failure: 'Choose the track that stays.' });
      return;
    }
    setOutcome({ isMerging: true });
    try {
      const { track: into, movedLaps, movedSessions } = await mergeTrack(track.id, intoTrackId, queryClient);
      const description =
        movedSessions === 0
          ? `Links to ${track.name} lead to ${into.name} now.`
          : `${pluralize(movedLaps, 'lap')} of ${pluralize(movedSessions, 'session')} moved to ${into.name}. They are being timed again.`;
      showToast({ title: 'Tracks Merged', description });
      close();
    } catch (error) {
      setOutcome({ isMerging: false, failure: describeError(error) });
    }
  }

  return { isMerging, failure, merge, close };
}
