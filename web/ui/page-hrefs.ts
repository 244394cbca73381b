import type { RaceEventId, TrackId, UserId } from '#contract/ids.ts';

/** Returns the path of a track's page. */
export function trackHref(trackId: TrackId): string {
  return `/track/${encodeURIComponent(trackId)}`;
}

/** Returns the path of a driver's profile. */
export function profileHref(userId: UserId): string {
  return `/profile/${encodeURIComponent(userId)}`;
}

/** Returns the path of an event's page. */
export function eventHref(eventId: RaceEventId): string {
  return `/event/${encodeURIComponent(eventId)}`;
}
