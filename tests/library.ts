import { readFileSync } from 'node:fs';
import type { Track } from '#engine/track.ts';

/** The tracks that come with Pitboard. */
export const LIBRARY: readonly Track[] = JSON.parse(
  readFileSync(new URL('../data/tracks.json', import.meta.url), 'utf8'),
);

/** One of them. */
export function libraryTrack(id: string): Track {
  const track = LIBRARY.find((candidate) => candidate.id === id);
  if (track === undefined) throw new Error(`data/tracks.json has no track ${id}.`);
  return track;
}
