import { useCallback, useEffect, useState } from 'react';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import { useBrowserValue } from '#web/ui/use-browser-value.ts';

export type Position = { lat: number; lon: number };

type Located = Pick<ListedTrack, 'centerLat' | 'centerLon' | 'timeZone'>;

/** Estimates the visitor's position as the centre of the tracks in the time zone, else on the continent, or null. */
export function estimatePosition(tracks: readonly Located[], timeZone: string): Position | null {
  const continent = `${timeZone.split('/')[0]}/`;
  const inZone = tracks.filter((track) => track.timeZone === timeZone);
  const near = inZone.length > 0 ? inZone : tracks.filter((track) => track.timeZone?.startsWith(continent));
  if (near.length === 0) return null;
  return {
    lat: mean(near.map(({ centerLat }) => centerLat)),
    lon: mean(near.map(({ centerLon }) => centerLon)),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Sorts tracks by distance, nearest first; equals keep their order. */
export function orderByDistance<T extends Located>(tracks: readonly T[], from: Position): T[] {
  return tracks
    .map((track) => ({ track, distance: measureDistance(from, track) }))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ track }) => track);
}

/** Returns a measure of the angle on the globe, for sorting only: 0 at the same position, 1 on the opposite side. */
function measureDistance({ lat, lon }: Position, { centerLat, centerLon }: Located): number {
  const radians = Math.PI / 180;
  const haversine = (degrees: number) => Math.sin((degrees * radians) / 2) ** 2;
  return (
    haversine(centerLat - lat) +
    Math.cos(lat * radians) * Math.cos(centerLat * radians) * haversine(centerLon - lon)
  );
}

export type VisitorPosition = {
  /** Null until the position is known; it is never known on the server. */
  position: Position | null;
  state: 'estimated' | 'asking' | 'exact' | 'refused';
  /** Asks the browser for the position, which asks the visitor for permission. */
  ask: () => void;
};

/** Returns the position of the visitor: the browser's if they allow it, else an estimate from the time zone. */
export function useVisitorPosition(tracks: readonly Located[] | undefined): VisitorPosition {
  // The server does not know the time zone.
  const timeZone = useBrowserValue(getTimeZone, null);
  const [exact, setExact] = useState<Position | null>(null);
  const [state, setState] = useState<VisitorPosition['state']>('estimated');

  const ask = useCallback(() => {
    setState('asking');
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        setExact({ lat: latitude, lon: longitude });
        setState('exact');
      },
      () => setState('refused'),
      { maximumAge: 600_000, timeout: 10_000 },
    );
  }, []);

  useEffect(() => {
    // A visitor who has already given permission is not asked again.
    navigator.permissions
      ?.query({ name: 'geolocation' })
      .then(({ state }) => state === 'granted' && ask())
      .catch(() => undefined);
  }, [ask]);

  const estimated = tracks && timeZone !== null ? estimatePosition(tracks, timeZone) : null;
  return { position: exact ?? estimated, state, ask };
}

let timeZone: string | undefined;

function getTimeZone(): string {
  return (timeZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone);
}
