import { distanceMeters, type Position } from '#engine/geo.ts';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import type { TrackSuggestion } from './upload-answers.ts';
import { formatKilometers } from '#web/ui/format.ts';

/** Describes a row of the track dialog. The confidence is null for a track that the GPS data does not suggest, the distance where no position is known. */
export type TrackChoice = { track: ListedTrack; confidencePct: number | null; awayKm: number | null };

/** Lists the suggested tracks, best match first. A suggestion of a track that is not in the list is left out. */
export function listSuggestedTracks(
  tracks: readonly ListedTrack[],
  suggestions: readonly Pick<TrackSuggestion, 'trackId' | 'confidencePct'>[],
): TrackChoice[] {
  return suggestions.flatMap(({ trackId, confidencePct }) => {
    const track = tracks.find((track) => track.id === trackId);
    return track === undefined ? [] : [{ track, confidencePct, awayKm: null }];
  });
}

/** Lists all tracks whose name, configuration, location or country holds every word of `search`: the nearest first, or by name. */
export function searchTracks(
  tracks: readonly ListedTrack[],
  search: string,
  near: Position | null = null,
): TrackChoice[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return tracks
    .filter((track) => {
      const text = [track.name, track.configuration, track.location, track.country].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .map((track) => ({ track, confidencePct: null, awayKm: near && awayKm(track, near) }))
    .toSorted(
      (one, other) =>
        (one.awayKm ?? 0) - (other.awayKm ?? 0) || one.track.name.localeCompare(other.track.name, 'en'),
    );
}

function awayKm({ centerLat, centerLon }: ListedTrack, position: Position): number {
  return Math.round(distanceMeters({ lat: centerLat, lon: centerLon }, position) / 1000);
}

/** Lists configuration, location, country and length of a track, as far as they are known. */
export function describeTrack(track: ListedTrack): string[] {
  const { configuration, location, country, lengthMeters } = track;
  const length = typeof lengthMeters === 'number' ? formatKilometers(lengthMeters) : null;
  return [configuration, location, country, length].filter((part) => part !== null && part !== undefined);
}
