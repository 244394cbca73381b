/** The laps in the URL of a track's page: one, or a reference and the laps that are compared with it. */
export type LapUrl = { lapId: string; otherIds: readonly string[] };

/** The number of laps in one comparison, including the reference. */
export const COMPARED_LAPS_MAX = 4;

/** Reads `?lap=…&vs=…,…`; null where no lap is asked for. A lap that is named twice counts once. */
export function readLapUrl(search: URLSearchParams): LapUrl | null {
  const lapId = search.get('lap');
  if (!lapId) return null;
  const others = (search.get('vs') ?? '').split(',').filter((id) => id !== '' && id !== lapId);
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

/** Returns two laps as a comparison whose reference is the faster one. */
export function compareFasterFirst(
  lap: { lapId: string; lapTimeMs: number },
  other: { lapId: string; lapTimeMs: number },
): LapUrl {
  const [reference, slower] = lap.lapTimeMs < other.lapTimeMs ? [lap, other] : [other, lap];
  return { lapId: reference.lapId, otherIds: [slower.lapId] };
}
