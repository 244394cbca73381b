import { AdminCard } from '#web/ui/admin-card.tsx';
import { GetTracks } from './get-tracks.tsx';

/** Shows the published sets on the page Import Tracks. */
export function GetTracksCard() {
  return (
    <AdminCard
      title="Get Tracks"
      lead="Published sets of tracks, in one click each. Where a set has no start lines, its courses wait: the first driver on one confirms the line, and its track is there."
    >
      <GetTracks />
    </AdminCard>
  );
}
