import type { ListedTrack } from '#contract/tracks/schemas.ts';

const SUGGESTIONS_MAX = 5;

/** Sorts tracks: first those with an entry of the user, then those with more entries; equals keep their order. */
export function orderTracks<T extends Pick<ListedTrack, 'hasOwnEntry' | 'entryCount'>>(
  tracks: readonly T[],
): T[] {
  return tracks.toSorted(
    (a, b) => Number(b.hasOwnEntry) - Number(a.hasOwnEntry) || b.entryCount - a.entryCount,
  );
}

/** Finds tracks by name or location, ignoring case and accents: 'nurb' finds the Nürburgring; spaces find none. */
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

export function suggestTracks<T extends Pick<ListedTrack, 'name' | 'location'>>(
  tracks: readonly T[],
  typed: string,
): T[] {
  return searchTracks(tracks, typed).slice(0, SUGGESTIONS_MAX);
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{Mark}/gu, '');
}
