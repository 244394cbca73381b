import type { LibraryTrack, TrackEntries } from '#web/api/specified-answers/tracks.ts';

const SUGGESTIONS_MAX = 5;

/** Tracks where the user has an entry come first, then those with more entries; equals keep their order. */
export function orderTracks<T>(tracks: readonly T[], getEntries: (track: T) => TrackEntries): T[] {
  return tracks
    .map((track) => ({ track, entries: getEntries(track) }))
    .toSorted(
      (a, b) =>
        Number(b.entries.hasOwnEntry) - Number(a.entries.hasOwnEntry) ||
        b.entries.entryCount - a.entries.entryCount,
    )
    .map(({ track }) => track);
}

/** The first tracks whose name or location contains what is typed, in either case; none for nothing but spaces. */
export function suggestTracks<T extends Pick<LibraryTrack, 'name' | 'location'>>(
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
