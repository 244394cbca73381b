import { useQuery } from '@tanstack/react-query';
import { MapPinOff } from 'lucide-react';
import { useState } from 'react';
import type { Position } from '#engine/geo.ts';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import { tracksQuery } from '#web/api/track-queries.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { focusInDialog } from '#web/ui/modals.ts';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { chooseTrack } from './process-files.ts';
import { listSuggestedTracks, searchTracks, type TrackChoice } from './track-choices.ts';
import styles from './track-picker.module.css';
import { TrackRow } from './track-row.tsx';
import { useUpload, useUploadState } from './use-upload.ts';

type MissingProps = {
  /** Is called if the driver's track is not in the library. */
  onMissing: () => void;
};

export function TrackPicker({ onMissing }: MissingProps) {
  const upload = useUpload();
  const { data: tracks, isError, refetch } = useQuery(tracksQuery);
  return (
    <Dialog onClose={() => upload.change({ isPickerOpen: false })} title="Select Track">
      {tracks !== undefined && <Choices tracks={tracks} onMissing={onMissing} />}
      {tracks === undefined && !isError && <LoadingState>Loading tracks...</LoadingState>}
      {isError && (
        <FailedState title="The tracks could not be loaded." onRetry={() => void refetch()}>
          Your files stay here while you try again.
        </FailedState>
      )}
    </Dialog>
  );
}

type ChoicesProps = MissingProps & { tracks: readonly ListedTrack[] };

function Choices({ tracks, onMissing }: ChoicesProps) {
  const found = useUploadState().analysis?.found;
  const suggested = listSuggestedTracks(tracks, found?.suggestions ?? []);
  const [showsAll, setShowsAll] = useState(false);
  if (showsAll || tracks.length === 0) return <AllTracks {...{ tracks, onMissing }} />;
  const searchAll = (text: string) => (
    <Button variant="quiet" wide onClick={() => setShowsAll(true)}>
      {text}
    </Button>
  );
  if (suggested.length === 0) {
    const nearest = searchTracks(tracks, '', found?.position ?? null).slice(0, NEAREST_SHOWN);
    return (
      <>
        <UnknownTrack points={found?.points ?? []} onMissing={onMissing} />
        <h3 className={styles['heading']}>Known tracks, the nearest first</h3>
        <ChoiceList choices={nearest} />
        {searchAll('Search all tracks')}
      </>
    );
  }
  return (
    <>
      <h3 className={styles['heading']}>GPS Detected Matches</h3>
      <ChoiceList choices={suggested} focusesFirst />
      {searchAll('None of these? Search all tracks')}
    </>
  );
}

/** Shows what was driven, and offers to add it as a track. */
function UnknownTrack({ points, onMissing }: MissingProps & { points: readonly Position[] }) {
  const outline = points.map(({ lat, lon }): [number, number] => [lat, lon]);
  return (
    <section className={styles['unknown']} aria-label="A new track">
      <span className={styles['driven']}>
        <CircuitOutline track={{ outline }} hidesStart />
      </span>
      <p>No known track fits. Yours is the first lap here.</p>
      <Button variant="primary" size="large" wide ref={focusInDialog} onClick={onMissing}>
        Add this track
      </Button>
    </section>
  );
}

function AllTracks({ tracks, onMissing }: ChoicesProps) {
  const [search, setSearch] = useState('');
  const choices = searchTracks(tracks, search, useUploadState().analysis?.found.position ?? null);
  return (
    <>
      {tracks.length > 0 && (
        <div className={styles['search']}>
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
        </div>
      )}
      {choices.length > 0 && <ChoiceList choices={choices} />}
      {choices.length === 0 && (
        <EmptyState title="No tracks found" icon={<MapPinOff size={22} />}>
          Contact an administrator to add new tracks.
        </EmptyState>
      )}
      <Button wide onClick={onMissing}>
        Add this track
      </Button>
    </>
  );
}

type ChoiceListProps = { choices: readonly TrackChoice[]; focusesFirst?: boolean };

function ChoiceList({ choices, focusesFirst = false }: ChoiceListProps) {
  const upload = useUpload();
  return (
    <ul className={styles['list']}>
      {choices.map(({ track, confidencePct, awayKm }, index) => (
        <li key={track.id}>
          <button
            type="button"
            className={styles['choice']}
            ref={focusesFirst && index === 0 ? focusInDialog : undefined}
            onClick={() => void chooseTrack(upload, track.id)}
          >
            <TrackRow track={track}>
              {confidencePct !== null && (
                <Badge tone={confidencePct >= GOOD_MATCH_PCT ? 'pb' : 'warn'}>
                  {Math.round(confidencePct)}% Match
                </Badge>
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

/** Further tracks are behind a search. */
const NEAREST_SHOWN = 8;

/** Tracks at a greater distance show none. */
const NEAR_KM = 100;

/** A match below this is shown as uncertain. */
const GOOD_MATCH_PCT = 75;
