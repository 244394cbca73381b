import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { tracksQuery } from '#web/api/track-queries.ts';
import { Button } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { TrackChoiceList } from './track-choice-list.tsx';
import { searchTracks } from './track-choices.ts';
import styles from './known-tracks.module.css';
import { useUploadState } from './use-upload.ts';

type KnownTracksProps = {
  /** True if the tracks around the drive are shown already. */
  isNearShown: boolean;
  onSearchAll: () => void;
};

/** Shows the known tracks that are the nearest to a drive that fits none; all others are behind a search. */
export function KnownTracks({ isNearShown, onSearchAll }: KnownTracksProps) {
  const position = useUploadState().analysis?.found.position ?? null;
  const nearest = searchTracks(useQuery(tracksQuery).data ?? [], '', position)
    .filter(({ awayKm }) => !isNearShown || awayKm === null || awayKm > AROUND_KM)
    .slice(0, NEAREST_SHOWN);
  const isFar = nearest.every(({ awayKm }) => awayKm !== null && awayKm > AROUND_KM);
  return (
    <section aria-label="Known tracks" className={common['lines']}>
      {nearest.length > 0 && (
        <div className={styles['head']}>
          <h3 className={common['heading']}>Known tracks</h3>
          <p className={common['note']}>{isFar ? 'too far to be this one' : 'the nearest first'}</p>
        </div>
      )}
      <TrackChoiceList choices={nearest} />
      <Button wide onClick={onSearchAll}>
        <Search size={18} aria-hidden="true" /> Search all tracks
      </Button>
    </section>
  );
}

/** Further tracks are behind the search. */
const NEAREST_SHOWN = 3;

/** The tracks of a venue lie within this distance. */
const AROUND_KM = 12;
