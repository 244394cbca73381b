import { useQuery } from '@tanstack/react-query';
import MapPinOff from 'lucide-react/icons/map-pin-off';
import { useState } from 'react';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import { tracksQuery } from '#web/api/track-queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FileName } from '#web/ui/file-name.tsx';
import { focusInDialog } from '#web/ui/modals.ts';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { NoTracks } from './known-tracks.tsx';
import { TrackChoiceList } from './track-choice-list.tsx';
import { listSuggestedTracks, searchTracks } from './track-choices.ts';
import styles from './track-picker.module.css';
import { useUpload, useUploadState } from './use-upload.ts';

type TrackPickerProps = {
  /** True if the matches are passed over. */
  showsAll: boolean;
  onSearchAll: () => void;
  /** Is called if the driver's track is not in the library; null where no file shows it. */
  onMissing: (() => void) | null;
};

export function TrackPicker(props: TrackPickerProps) {
  const upload = useUpload();
  const { data: tracks, isError, refetch } = useQuery(tracksQuery);
  const { queue, analysis } = useUploadState();
  const analyzed = queue.find(({ id }) => id === analysis?.fileId);
  return (
    <Dialog closesOutside onClose={() => upload.change({ isPickerOpen: false })} title="Select Track">
      {queue.length > 1 && analyzed && (
        <div className={styles['file']}>
          <FileName name={analyzed.file.name} />
        </div>
      )}
      {tracks !== undefined && <Choices tracks={tracks} {...props} />}
      {tracks === undefined && !isError && <LoadingState>Loading tracks...</LoadingState>}
      {isError && (
        <FailedState title="The tracks could not be loaded." onRetry={() => void refetch()}>
          Your files stay here while you try again.
        </FailedState>
      )}
    </Dialog>
  );
}

type ChoicesProps = TrackPickerProps & { tracks: readonly ListedTrack[] };

function Choices({ tracks, showsAll, onSearchAll, onMissing }: ChoicesProps) {
  const suggested = listSuggestedTracks(tracks, useUploadState().analysis?.found.suggestions ?? []);
  if (showsAll || suggested.length === 0) return <AllTracks {...{ tracks, onMissing }} />;
  return (
    <>
      <h3 className={styles['heading']}>GPS Detected Matches</h3>
      <TrackChoiceList choices={suggested} focusesFirst />
      <Button variant="quiet" wide onClick={onSearchAll}>
        None of these? Search all tracks
      </Button>
    </>
  );
}

function AllTracks({ tracks, onMissing }: Pick<ChoicesProps, 'tracks' | 'onMissing'>) {
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
      {choices.length > 0 && <TrackChoiceList choices={choices} />}
      {choices.length === 0 && onMissing === null && <NoTracks />}
      {choices.length === 0 && onMissing !== null && (
        <EmptyState title="No tracks found" icon={<MapPinOff size={22} />}>
          Add it from your laps.
        </EmptyState>
      )}
      {onMissing !== null && (
        <Button wide onClick={onMissing}>
          Add this track
        </Button>
      )}
    </>
  );
}
