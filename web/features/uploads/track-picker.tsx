import { MapPinOff } from 'lucide-react';
import { useState } from 'react';
import type { Position } from '#engine/geo.ts';
import type { LibraryTrack } from '#web/api/specified-answers/tracks.ts';
import type { TrackSuggestion } from '#web/api/specified-answers/uploads.ts';
import { Badge, type BadgeTone } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { focusInDialog } from '#web/ui/modals.ts';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { listSuggestedTracks, searchTracks, type TrackChoice } from './track-choices.ts';
import styles from './track-picker.module.css';
import { TrackRow } from './track-row.tsx';

type TrackPickerProps = {
  open: boolean;
  /** Are undefined while they are loading. */
  tracks: readonly LibraryTrack[] | undefined;
  hasFailed: boolean;
  onRetry: () => void;
  suggestions: readonly TrackSuggestion[];
  /** Lies in the middle of the recording; is null where it is unknown. */
  position: Position | null;
  onChoose: (trackId: string) => void;
  /** Is called where the driver's track is not among them. */
  onMissing: () => void;
  onClose: () => void;
};

/** Asks the driver for the track of the laps. */
export function TrackPicker({ open, tracks, hasFailed, onRetry, ...choosing }: TrackPickerProps) {
  return (
    <Dialog open={open} onClose={choosing.onClose} title="Select Track">
      {tracks !== undefined && <Choices tracks={tracks} {...choosing} />}
      {tracks === undefined && !hasFailed && <LoadingState>Loading tracks...</LoadingState>}
      {hasFailed && (
        <FailedState title="The tracks could not be loaded." onRetry={onRetry}>
          Your files stay here while you try again.
        </FailedState>
      )}
    </Dialog>
  );
}

type ChoicesProps = Pick<TrackPickerProps, 'suggestions' | 'position' | 'onChoose' | 'onMissing'> & {
  tracks: readonly LibraryTrack[];
};

function Choices({ tracks, suggestions, position, onChoose, onMissing }: ChoicesProps) {
  const suggested = listSuggestedTracks(tracks, suggestions);
  const [showsAll, setShowsAll] = useState(suggested.length === 0);
  if (!showsAll) {
    return (
      <>
        <h3 className={styles['heading']}>GPS Detected Matches</h3>
        <ChoiceList choices={suggested} onChoose={onChoose} focusesFirst />
        <Button variant="quiet" wide onClick={() => setShowsAll(true)}>
          None of these? Search all tracks
        </Button>
      </>
    );
  }
  return <AllTracks {...{ tracks, position, onChoose, onMissing }} wasUnmatched={suggested.length === 0} />;
}

type AllTracksProps = Omit<ChoicesProps, 'suggestions'> & { wasUnmatched: boolean };

function AllTracks({ tracks, position, onChoose, onMissing, wasUnmatched }: AllTracksProps) {
  const [search, setSearch] = useState('');
  const choices = searchTracks(tracks, search, position);
  return (
    <>
      {tracks.length > 0 && (
        <div className={styles['search']}>
          {wasUnmatched && (
            <p className={styles['note']}>No track matches the GPS data for sure. Choose yours here.</p>
          )}
          <TextField
            type="search"
            label="Search tracks"
            hideLabel
            ref={focusInDialog}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            placeholder="Search by name, location or country"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <output className="visually-hidden">{search !== '' && `${choices.length} tracks`}</output>
          <Button variant="quiet" wide onClick={onMissing}>
            My track is not here: add it
          </Button>
        </div>
      )}
      {choices.length > 0 ? (
        <ChoiceList choices={choices} onChoose={onChoose} />
      ) : (
        <EmptyState
          title="No tracks found"
          icon={<MapPinOff size={22} />}
          actions={tracks.length === 0 && <Button onClick={onMissing}>Add your track</Button>}
        >
          Contact an administrator to add new tracks.
        </EmptyState>
      )}
    </>
  );
}

type ChoiceListProps = {
  choices: readonly TrackChoice[];
  onChoose: (trackId: string) => void;
  focusesFirst?: boolean;
};

function ChoiceList({ choices, onChoose, focusesFirst = false }: ChoiceListProps) {
  return (
    <ul className={styles['list']}>
      {choices.map(({ track, confidencePct, awayKm }, index) => (
        <li key={track.id}>
          <button
            type="button"
            className={styles['choice']}
            ref={focusesFirst && index === 0 ? focusInDialog : undefined}
            onClick={() => onChoose(track.id)}
          >
            <TrackRow track={track}>
              {confidencePct !== null && (
                <Badge tone={matchTone(confidencePct)}>{Math.round(confidencePct)}% Match</Badge>
              )}
              {awayKm !== null && awayKm <= NEAR_KM && (
                <Badge>{awayKm < 2 ? 'Here' : `${awayKm} km away`}</Badge>
              )}
            </TrackRow>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Tracks that are farther away have no distance. */
const NEAR_KM = 100;

/** A match below this is shown as uncertain. */
const GOOD_MATCH_PCT = 75;

function matchTone(confidencePct: number): BadgeTone {
  return confidencePct >= GOOD_MATCH_PCT ? 'pb' : 'warn';
}
