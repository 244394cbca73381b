import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Track } from '#contract/tracks/schemas.ts';
import type { LayoutRelation } from '#engine/proposal/compare-layouts.ts';
import type { Track as DrivenTrack } from '#engine/track.ts';
import type { Answer } from '#web/api/call-api.ts';
import { nearbyQuery } from './track-queries.ts';
import type { TrackMaker } from './track-maker.ts';
import type { RelatedTrack } from './track-worker.ts';

/** A known track near a driven one with their relation; null if they share only the location. */
export type NearbyTrack = { track: Track; relation: LayoutRelation | null };

/** Fetches the surroundings of a driven track. Without an answer, the driver continues without them. */
export function useNearbyTracks(maker: TrackMaker, driven: DrivenTrack) {
  const { data, isPending, refetch } = useQuery(nearbyQuery(driven));
  const [nearby, setNearby] = useState<NearbyTrack[]>([]);
  const tracks = data?.tracks;
  useEffect(() => {
    if (tracks === undefined) return undefined;
    let isCurrent = true;
    const show = (related: readonly RelatedTrack[]) => {
      if (!isCurrent) return;
      setNearby(
        related.flatMap(({ trackId, relation }) => {
          const track = tracks.find(({ id }) => id === trackId);
          return track === undefined ? [] : [{ track, relation }];
        }),
      );
    };
    maker
      .compare(driven, tracks)
      .then(show)
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [maker, driven, tracks]);
  /** Returns what names a track here, after the answer where that is on its way. */
  const findPlaces = async () =>
    pickPlaces(isPending ? (await refetch({ cancelRefetch: false })).data : data);
  return { nearby, places: pickPlaces(data), findPlaces, tiles: data?.mapTiles ?? null };
}

function pickPlaces(found: Answer<'GET /api/nearby-tracks'> | undefined) {
  const { tracks = [], courses = [], country = null } = found ?? {};
  return { tracks, courses, country };
}
