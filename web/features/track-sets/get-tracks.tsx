import { useState, type ReactNode } from 'react';
import { mayAdminister } from '#contract/people/labels.ts';
import type { TrackSet } from '#contract/tracks/sets.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { formatMegabytes, pluralize } from '#web/ui/format.ts';
import { Progress } from '#web/ui/progress.tsx';
import { Failure, QueryState } from '#web/ui/state-message.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { describeProgress, describeResult, findShare, isMoving } from './describe-track-set.ts';
import { useTrackSets } from './use-track-sets.ts';
import common from '#web/ui/common.module.css';
import styles from './get-tracks.module.css';

type GetTracksProps = {
  /** Called once for each set that arrives while the list is shown, after data about tracks is fetched again. */
  onInstalled?: (setName: string) => void;
  /** Leaves out the sets that are here, and their removal. */
  isCompact?: boolean;
  /** Stands above the list where there is one. */
  heading?: ReactNode;
};

/** Lists published sets of tracks. Administrators get one with a click; members ask them for it. */
export function GetTracks({ onInstalled, isCompact = false, heading }: GetTracksProps) {
  const { user } = useCurrentUser();
  const { sets, query } = useTrackSets(onInstalled);
  const state = <QueryState noun="sets of tracks" query={query} />;
  if (!sets) return state;
  const shown = isCompact ? sets.filter(({ state }) => state !== 'installed') : sets;
  if (shown.length === 0) return null;
  return (
    <>
      {heading}
      {state}
      <ul className={common['stack']} aria-label="Sets of tracks">
        {shown.map((set) => (
          <li key={set.name} className={styles['set']}>
            <SetFacts set={set} />
            {mayAdminister(user) ? <Administered set={set} /> : <Wanted set={set} />}
          </li>
        ))}
      </ul>
    </>
  );
}

function SetFacts({ set }: { set: TrackSet }) {
  const { title, summary, attribution, licence, sourceUrl, approximateBytes } = set;
  const facts = [
    summary,
    attribution,
    licence,
    approximateBytes !== null && `${formatMegabytes(approximateBytes)} to download`,
  ];
  return (
    <div className={styles['facts']}>
      <a href={sourceUrl} rel="noreferrer" className={styles['title']}>
        {title}
      </a>
      <p className={common['note']}>
        <Facts facts={facts} />
      </p>
    </div>
  );
}

function Administered({ set }: { set: TrackSet }) {
  const { name, title, state } = set;
  const { run, isBusy, sentence } = useCall('POST /api/admin/track-sets/:setName/fetch');
  return (
    <>
      <output className={styles['outcome']}>
        {isMoving(set.state) && <Moving set={set} />}
        {set.result && <p>{describeResult(set.result)}</p>}
      </output>
      <Failure>{sentence ?? (state === 'failed' ? set.problem : null)}</Failure>
      {(state === 'absent' || state === 'failed') && (
        <Button
          className={styles['action']}
          pending={isBusy}
          aria-label={`${state === 'failed' ? 'Try Again' : 'Get Tracks'}: ${title}`}
          onClick={() => void run({ params: { setName: name } })}
        >
          {state === 'failed' ? 'Try Again' : 'Get Tracks'}
        </Button>
      )}
      {state === 'installed' && <RemoveSet set={set} />}
    </>
  );
}

function Moving({ set }: { set: TrackSet }) {
  const label = describeProgress(set);
  return (
    <>
      <p>{label}</p>
      <Progress label={label} share={findShare(set)} />
    </>
  );
}

function RemoveSet({ set: { name, title } }: { set: TrackSet }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button
        className={styles['action']}
        aria-label={`Remove Set: ${title}`}
        onClick={() => setIsAsking(true)}
      >
        Remove Set
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Remove ${title}?`}
          confirmText="Remove Set"
          onClose={() => setIsAsking(false)}
          onConfirm={(send) => send('DELETE /api/admin/track-sets/:setName', { params: { setName: name } })}
          success={({ removedTracks, removedCourses, keptTracks }) => ({
            title: 'Set removed',
            description: [
              `Gone: ${pluralize(removedTracks + removedCourses, 'layout')}.`,
              keptTracks > 0 && `${pluralize(keptTracks, 'track')} with laps stayed.`,
            ]
              .filter(Boolean)
              .join(' '),
          })}
        >
          <p>Its tracks and courses leave the library, but for tracks with laps.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Lets a member ask the administrators, who get one notice. */
function Wanted({ set }: { set: TrackSet }) {
  const { name, title, state, hasAsked } = set;
  const { run, isBusy, sentence } = useCall('POST /api/track-sets/:setName/requests');
  if (state === 'installed') return <p className={common['note']}>Here already.</p>;
  if (isMoving(set.state)) return <p className={common['note']}>On its way.</p>;
  return (
    <>
      <Failure>{sentence}</Failure>
      <output className={styles['outcome']}>
        {hasAsked && 'You have asked for it. A notice tells you when it is here.'}
      </output>
      {!hasAsked && (
        <Button
          className={styles['action']}
          pending={isBusy}
          aria-label={`Ask an administrator for these tracks: ${title}`}
          onClick={() => void run({ params: { setName: name } })}
        >
          Ask an administrator for these tracks
        </Button>
      )}
    </>
  );
}
