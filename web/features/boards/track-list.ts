import type { ListedTrack } from '#contract/tracks/schemas.ts';

const SUGGESTIONS_MAX = 5;

/** Tracks where the user has an entry come first, then those with more entries; equals keep their order. */
export function orderTracks<T extends Pick<ListedTrack, 'hasOwnEntry' | 'entryCount'>>(
  tracks: readonly T[],
): T[] {
  return tracks.toSorted(
    (a, b) => Number(b.hasOwnEntry) - Number(a.hasOwnEntry) || b.entryCount - a.entryCount,
  );
}

/**
 * The tracks whose name or location contains what is typed, in either case and with or without accents: 'nurb' finds the
 * Nürburgring. None for nothing but spaces.
 */
export function searchTracks<T extends Pick<ListedTrack, 'name' | 'location'>>(
  tracks: readonly T[],
  typed: string,
): T[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return [];
  return tracks.filter(({ name, location }) =>
    [name, location ?? ''].some((text) => {
      const written = text.toLowerCase();
      return written.includes(wanted) || withoutAccents(written).includes(withoutAccents(wanted));
    }),
  );
}

/** The first tracks that a search finds. */
export function suggestTracks<T extends Pick<ListedTrack, 'name' | 'location'>>(
  tracks: readonly T[],
  typed: string,
): T[] {
  return searchTracks(tracks, typed).slice(0, SUGGESTIONS_MAX);
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{Mark}/gu, '');
}
