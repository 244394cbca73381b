import type { LapId, TrackId } from '#contract/ids.ts';
import { isLapId } from './url-ids.ts';
import { trackHref } from './page-hrefs.ts';

/** The laps in the URL of a track's page: one, or a reference and the laps that are compared with it. */
export type LapUrl = { lapId: LapId; otherIds: readonly LapId[] };

/** The number of laps in one comparison, including the reference. */
export const COMPARED_LAPS_MAX = 4;

/** Reads `?lap=…&vs=…,…`; null where no lap is asked for. A lap that is named twice counts once. */
export function readLapUrl(search: URLSearchParams): LapUrl | null {
  const lapId = search.get('lap');
  if (!isLapId(lapId)) return null;
  const others = (search.get('vs') ?? '')
    .split(',')
    .filter(isLapId)
    .filter((id) => id !== lapId);
  return { lapId, otherIds: [...new Set(others)].slice(0, COMPARED_LAPS_MAX - 1) };
}

/**
 * Returns the query of the same page with these laps, or with none; its other parameters, such as the filters of the
 * board, stay.
 */
export function writeLapUrl(search: URLSearchParams, lapUrl: LapUrl | null): URLSearchParams {
  const written = new URLSearchParams(search);
  written.delete('lap');
  written.delete('vs');
  if (lapUrl) {
    written.set('lap', lapUrl.lapId);
    if (lapUrl.otherIds.length > 0) written.set('vs', lapUrl.otherIds.join(','));
  }
  return written;
}

export type TimedLap = { lapId: LapId; lapTimeMs: number };

/** Returns two laps as a comparison whose reference is the faster one, or the first of two equal ones. */
export function compareFasterFirst(one: TimedLap, other: TimedLap): LapUrl {
  const [reference, slower] = other.lapTimeMs < one.lapTimeMs ? [other, one] : [one, other];
  return { lapId: reference.lapId, otherIds: [slower.lapId] };
}

/** Returns the URL of laps on the page of their track. */
export function lapHref(trackId: TrackId, lapUrl: LapUrl): string {
  return `${trackHref(trackId)}?${writeLapUrl(new URLSearchParams(), lapUrl).toString()}`;
}
