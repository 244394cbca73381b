import type { LapId, RaceEventId, TrackId } from '#contract/ids.ts';
import type { LiveCode } from '#contract/live/code.ts';

// A URL says of which kind an id is. The server answers whether it exists, in the same way as for an id of another form.

/** Takes a non-empty text that a URL has in the place of a track's id as such an id. */
export function isTrackId(text: string | null | undefined): text is TrackId {
  return Boolean(text);
}

/** Takes a non-empty text that a URL has in the place of a lap's id as such an id. */
export function isLapId(text: string | null | undefined): text is LapId {
  return Boolean(text);
}

/** Takes a non-empty text that a URL has in the place of a live session's code as such a code. */
export function isLiveCode(text: string | null | undefined): text is LiveCode {
  return Boolean(text);
}

/** Takes a non-empty text that a URL has in the place of an event's id as such an id. */
export function isEventId(text: string | null | undefined): text is RaceEventId {
  return Boolean(text);
}
