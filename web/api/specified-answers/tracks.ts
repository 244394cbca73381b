export type { ListedTrack as LibraryTrack } from '#contract/tracks.ts';
export { tracksQuery } from '../track-queries.ts';
