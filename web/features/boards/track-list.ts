import type { ListedTrack } from '#contract/tracks.ts';

/** A track of the list, as any server may answer it: the fields that are ours alone may be missing. */
export type BoardTrack = Omit<ListedTrack, 'entryCount' | 'hasOwnEntry' | 'outline' | 'timeZone'> &
  Partial<Pick<ListedTrack, 'entryCount' | 'hasOwnEntry' | 'outline'>>;

/** What the order of tracks depends on. */
export type TrackEntries = { entryCount: number; hasOwnEntry: boolean };

const SUGGESTIONS_MAX = 5;

/** Tracks where the user has an entry come first, then those with more entries; equals keep their order. */
export function orderTracks<T extends BoardTrack>(
  tracks: readonly T[],
  entriesOf: (track: T) => TrackEntries,
): T[] {
  return tracks
    .map((track) => ({ track, entries: entriesOf(track) }))
    .toSorted(
      (a, b) =>
        Number(b.entries.hasOwnEntry) - Number(a.entries.hasOwnEntry) ||
        b.entries.entryCount - a.entries.entryCount,
    )
    .map(({ track }) => track);
}

/** The first tracks whose name or location contains what is typed, in either case; none for nothing but spaces. */
export function suggestTracks<T extends Pick<BoardTrack, 'name' | 'location'>>(
  tracks: readonly T[],
  typed: string,
): T[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return [];
  return tracks
    .filter(({ name, location }) =>
      [name, location ?? ''].some((text) => text.toLowerCase().includes(wanted)),
    )
    .slice(0, SUGGESTIONS_MAX);
}
