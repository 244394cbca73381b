import { useLocation } from 'wouter';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import { Combobox } from '#web/ui/combobox.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { trackHref } from '#web/ui/page-hrefs.ts';
import { suggestTracks } from './track-list.ts';
import common from '#web/ui/common.module.css';
import styles from './track-search.module.css';

type TrackSearchProps = {
  /** The tracks that the search covers. */
  tracks: readonly ListedTrack[];
  typed: string;
  onTyped: (typed: string) => void;
};

/** Shows the search box with at most five suggestions, each a link to its track; Enter opens the first. */
export function TrackSearch({ tracks, typed, onTyped }: TrackSearchProps) {
  const [, navigate] = useLocation();
  return (
    <Combobox
      label="Search tracks"
      placeholder="Search tracks..."
      inputValue={typed}
      onInputChange={onTyped}
      selectsFirstOnEnter
      items={suggestTracks(tracks, typed)}
      itemKey={(track) => track.id}
      itemText={(track) => track.name}
      itemHref={(track) => trackHref(track.id)}
      onSelect={(track) => navigate(trackHref(track.id))}
      emptyMessage={typed.trim() === '' ? undefined : 'No tracks found'}
      renderItem={(track) => (
        <span className={styles['suggestion']}>
          <span className={styles['name']}>{track.name}</span>
          <span className={common['note']}>
            <Facts facts={[track.configuration, track.location || 'Location not set']} />
          </span>
        </span>
      )}
    />
  );
}
