import { useQuery } from '@tanstack/react-query';
import MapPinOff from 'lucide-react/icons/map-pin-off';
import Search from 'lucide-react/icons/search';
import { tracksQuery } from '#web/api/track-queries.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState, LoadingState, RetryLine } from '#web/ui/state-message.tsx';
import common from '#web/ui/common.module.css';
import type { GpsAnalysis } from './upload-answers.ts';
import { TrackChoiceList } from './track-choice-list.tsx';
import { listSuggestedTracks, searchTracks, type TrackChoice } from './track-choices.ts';
import styles from './known-tracks.module.css';
import { useUploadState } from './use-upload.ts';

/** Says whether the laps show a track; while they are read, that is open. */
export type LapsShowTrack = 'reading' | 'yes' | 'no';

type KnownTracksProps = {
  /** The track can be added where the laps show it; the known ones around it are then shown already. */
  lapsShowTrack: LapsShowTrack;
  onSearchAll: () => void;
};

/** Shows the known tracks that are the nearest to a drive that fits none; all others are behind a search. */
export function KnownTracks({ lapsShowTrack, onSearchAll }: KnownTracksProps) {
  const found = useUploadState().analysis?.found;
  const { data: tracks, isError, refetch } = useQuery(tracksQuery);
  if (isError) return <RetryLine onRetry={() => void refetch()}>The tracks could not be loaded.</RetryLine>;
  if (tracks === undefined) return <LoadingState>Loading tracks...</LoadingState>;
  if (tracks.length === 0) return lapsShowTrack === 'no' ? <NoTracks /> : null;
  const suggested = listSuggestedTracks(tracks, found?.suggestions ?? []);
  const nearest = searchTracks(tracks, '', found?.position ?? null).filter(
    (choice) => lapsShowTrack !== 'yes' || !isAround(choice),
  );
  const shown = (suggested.length > 0 ? suggested : nearest).slice(0, NEAREST_SHOWN);
  return (
    <section aria-label="Known tracks" className={common['lines']}>
      {shown.length > 0 && (
        <div className={styles['head']}>
          <h3 className={common['heading']}>Known tracks</h3>
          <p className={common['note']}>{describeChoices(shown, found)}</p>
        </div>
      )}
      <TrackChoiceList choices={shown} />
      <Button wide onClick={onSearchAll}>
        <Search size={18} aria-hidden="true" /> Search all tracks
      </Button>
    </section>
  );
}

/** Says why none of these tracks is chosen already; courses that fit are shown above them. */
function describeChoices(choices: readonly TrackChoice[], found: GpsAnalysis | undefined): string {
  if (choices.some(({ confidencePct }) => confidencePct !== null))
    return found && found.courses.length > 0 ? 'they fit less well' : 'the best match first';
  return choices.some((choice) => choice.awayKm === null || isAround(choice))
    ? 'the nearest first'
    : 'too far to be this one';
}

function isAround({ awayKm }: TrackChoice): boolean {
  return awayKm !== null && awayKm <= AROUND_KM;
}

/** Says whom to ask, where the driver cannot add the track. */
export function NoTracks() {
  return (
    <EmptyState title="No tracks found" icon={<MapPinOff size={22} />}>
      Contact an administrator to add new tracks.
    </EmptyState>
  );
}

/** Further tracks are behind the search. */
const NEAREST_SHOWN = 3;

/** The tracks of a venue lie within this distance. */
const AROUND_KM = 12;
