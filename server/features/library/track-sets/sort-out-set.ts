import type { Track } from '#contract/tracks/schemas.ts';
import { toNewTrack } from '#server/model/tracks/library-track.ts';
import { readTrackSet } from './read-track-set.ts';
import { type SortedSet, sortOutTracks } from './sort-out-tracks.ts';

/** The new tracks of a set, each as the JSON of a `NewTrack`, and the reasons why others were left out. */
export type NewTracks = Pick<SortedSet, 'known' | 'duplicates' | 'leftOut'> & { definitions: string[] };

/**
 * Reads a set and selects the tracks that the library, given as JSON, lacks. This takes some seconds for thousands of tracks,
 * so a server runs it in a separate thread. Calls `onFile` after each file.
 * @throws AppError where nothing can be read
 */
export async function sortOutSet(
  path: string,
  library: readonly string[],
  onFile?: (done: number, total: number) => void,
): Promise<NewTracks> {
  const { tracks, unreadable } = await readTrackSet(path, onFile);
  const known = library.map((json): Track => JSON.parse(json));
  const sorted = sortOutTracks(tracks, known);
  return {
    definitions: sorted.tracks.map(({ row: _row, problems: _problems, warnings: _warnings, ...track }) =>
      JSON.stringify(toNewTrack(track)),
    ),
    known: sorted.known,
    duplicates: sorted.duplicates,
    leftOut: [...unreadable, ...sorted.leftOut],
  };
}
