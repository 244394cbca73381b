import { useId, useState } from 'react';
import { Link } from 'wouter';
import { formatLapTime } from '#engine/lap-time.ts';
import type { Position } from '#engine/geo.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { formatLapDate, formatLength, formatTrackLength } from '#web/ui/format.ts';
import { measureLine } from './find-track.ts';
import type { KeptLap, KeptTrack } from './kept-tracks.ts';
import styles from './before.module.css';

const OUTLINE_BOX = { width: 132, height: 92, padding: 6 };

type TrackChoiceProps = {
  tracks: readonly KeptTrack[];
  chosen: KeptTrack | null;
  /** True while the choice follows the position. */
  isFound: boolean;
  /** True once the driver has chosen a track, or none. */
  isOwnChoice: boolean;
  position: Position | null;
  onChoose: (track: KeptTrack | null) => void;
};

/** Shows the track of the drive, and lets the driver choose another one of those taken along. */
export function TrackChoice(props: TrackChoiceProps) {
  const { tracks, chosen, isFound, isOwnChoice, position, onChoose } = props;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {chosen === null ? (
        <Card as="section" aria-label="Track" className={styles['card']}>
          <h2 className={styles['question']}>No track</h2>
          <p className={styles['explained']}>
            {isOwnChoice ? 'You chose to record only.' : describeNone(tracks, position)}
          </p>
          {tracks.length > 0 && <Button onClick={() => setIsOpen(true)}>Choose a track</Button>}
          <p className={styles['explained']}>
            You can start without one: the drive is recorded, and its laps are timed after the upload.
          </p>
        </Card>
      ) : (
        <button type="button" className={styles['track']} onClick={() => setIsOpen(true)}>
          <span className={styles['outline']}>
            <CircuitOutline track={chosen.track} box={OUTLINE_BOX} />
          </span>
          <span>
            <b>{chosen.track.name}</b>
            <span className={styles['second']}>{describeLayout(chosen)}</span>
            <span className={styles['third']}>{describePlace(chosen, { isFound, position })}</span>
          </span>
        </button>
      )}
      {isOpen && (
        <TrackDialog
          tracks={tracks}
          onClose={() => setIsOpen(false)}
          onChoose={(track) => {
            setIsOpen(false);
            onChoose(track);
          }}
        />
      )}
    </>
  );
}

type TrackDialogProps = Pick<TrackChoiceProps, 'tracks' | 'onChoose'> & { onClose: () => void };

function TrackDialog({ tracks, onChoose, onClose }: TrackDialogProps) {
  return (
    <Dialog closesOutside title="Choose a track" width="form" onClose={onClose}>
      <ul className={styles['choices']}>
        {tracks.map((kept) => (
          <li key={kept.track.id}>
            <button type="button" onClick={() => onChoose(kept)}>
              <b>{kept.track.name}</b>
              <span className={styles['second']}>{describeLayout(kept)}</span>
            </button>
          </li>
        ))}
        <li>
          <button type="button" onClick={() => onChoose(null)}>
            <b>No track</b>
            <span className={styles['second']}>Record only</span>
          </button>
        </li>
      </ul>
      <p className={styles['explained']}>
        Yours is missing? Open it under <Link href="/leaderboards">Leaderboards</Link> and press “Take this
        track along”.
      </p>
    </Dialog>
  );
}

function describeNone(tracks: readonly KeptTrack[], position: Position | null): string {
  if (tracks.length === 0) {
    return 'Open your track under Leaderboards and press “Take this track along”: then laps and gaps are timed here, without a network too.';
  }
  return position === null
    ? 'Your track is found among those taken along as soon as there is a position.'
    : 'None of the tracks that you have taken along is here.';
}

function describeLayout({ track }: KeptTrack): string {
  return [track.configuration, track.lengthMeters && formatTrackLength(track.lengthMeters)]
    .filter(Boolean)
    .join(', ');
}

function describePlace(
  kept: KeptTrack,
  { isFound, position }: Pick<TrackChoiceProps, 'isFound' | 'position'>,
): string {
  const lineMeters = position === null ? null : measureLine(kept, position);
  const line = lineMeters === null ? '' : `line ${formatLength(lineMeters)} away`;
  if (isFound) return line === '' ? 'Found' : `Found: ${line}`;
  return line === '' ? 'Chosen' : `Chosen: ${line}`;
}

type CompareWithProps = {
  laps: readonly KeptLap[];
  chosen: KeptLap | null;
  onChoose: (lap: KeptLap | null) => void;
};

/** Lets the driver choose the lap that the gap is measured against. */
export function CompareWith({ laps, chosen, onChoose }: CompareWithProps) {
  const name = useId();
  return (
    <fieldset className={styles['compare']}>
      <legend>Compare with</legend>
      <Card padded={false}>
        {laps.map((lap) => (
          <label key={lap.lapId}>
            <input type="radio" name={name} checked={chosen === lap} onChange={() => onChoose(lap)} />
            <span>
              {nameLap(lap)}
              <small>{describeLap(lap)}</small>
            </span>
            <b className="num">{formatLapTime(lap.lapTimeMs)}</b>
          </label>
        ))}
        <label>
          <input type="radio" name={name} checked={chosen === null} onChange={() => onChoose(null)} />
          <span>
            Best of this drive
            <small>From the second lap on</small>
          </span>
        </label>
      </Card>
    </fieldset>
  );
}

function nameLap({ kind, driverName }: KeptLap): string {
  if (kind === 'own') return 'Your best';
  return kind === 'record' ? 'Record' : driverName;
}

function describeLap({ kind, driverName, carName, sessionDate }: KeptLap): string {
  if (kind === 'record') return driverName;
  if (kind === 'rival') return ['Your rival', carName].filter(Boolean).join(', ');
  return [carName, formatLapDate(sessionDate)].filter(Boolean).join(', ');
}
