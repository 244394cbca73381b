import { formatCarName } from '#contract/laps/labels.ts';
import type { LapId, TrackId } from '#contract/ids.ts';
import type { LapView } from '#contract/lap-view/schemas.ts';
import { fromDegreeSteps } from '#engine/comparison/integer-columns.ts';
import { ApiError } from '#web/api/api-error.ts';
import { callApi } from '#web/api/call-api.ts';
import { isKept, keepTrack, listKeptTracks, type KeptLap, type KeptTrack } from './kept-tracks.ts';

/** Fetches a track with the laps that a drive may be compared with, and keeps it in this browser. */
export async function takeAlong(trackId: TrackId): Promise<void> {
  await keepTrack(await fetchTrack(trackId));
  // The browser may remove its data when the phone runs out of space, unless it is asked to keep them.
  await navigator.storage?.persist?.().catch(() => false);
}

/**
 * Fetches every track taken along again: a best lap may be younger than the copy. Those that cannot be fetched stay as they are,
 * and those that are removed meanwhile stay away.
 */
export async function refreshKeptTracks(): Promise<KeptTrack[]> {
  for (const { track } of await listKeptTracks()) {
    const fetched = await fetchTrack(track.id).catch(() => null);
    if (fetched !== null && (await isKept(track.id))) await keepTrack(fetched);
  }
  return listKeptTracks();
}

async function fetchTrack(trackId: TrackId): Promise<KeptTrack> {
  const track = await callApi('GET /api/tracks/:trackId', { params: { trackId } });
  return { track, laps: await fetchLaps(track.id), keptAtMs: Date.now() };
}

/** Fetches the own best lap, the nearest rival's and the record, as far as there are such laps and their drivers show the lines. */
async function fetchLaps(trackId: TrackId): Promise<KeptLap[]> {
  const board = await callApi('GET /api/laps/track/:trackId/best', {
    params: { trackId },
    query: { limit: 1 },
  });
  const recordId = board[0]?.lapId;
  if (recordId === undefined) return [];
  const record = await fetchLap(trackId, recordId);
  const own = record.isOwn ? record : await fetchLinked(trackId, record.ownBest?.lapId);
  const rival = await fetchLinked(trackId, own?.rival?.lapId);
  const chosen = [
    { kind: 'own' as const, lap: own },
    { kind: 'rival' as const, lap: rival },
    { kind: 'record' as const, lap: record },
  ];
  const laps: KeptLap[] = [];
  for (const { kind, lap } of chosen) {
    if (lap === null || !lap.canBeCompared || laps.some(({ lapId }) => lapId === lap.lapId)) continue;
    const kept = await fetchLine(kind, lap);
    if (kept !== null) laps.push(kept);
  }
  return laps;
}

function fetchLap(trackId: TrackId, lapId: LapId): Promise<LapView> {
  return callApi('GET /api/tracks/:trackId/laps/:lapId', { params: { trackId, lapId } });
}

async function fetchLinked(trackId: TrackId, lapId: LapId | undefined): Promise<LapView | null> {
  return lapId === undefined ? null : fetchLap(trackId, lapId);
}

async function fetchLine(kind: KeptLap['kind'], lap: LapView): Promise<KeptLap | null> {
  const { trackId, lapId, lapTimeMs, userName, sessionDate } = lap;
  try {
    const trace = await callApi('GET /api/tracks/:trackId/laps/:lapId/trace', { params: { trackId, lapId } });
    return {
      kind,
      lapId,
      driverName: userName,
      lapTimeMs,
      carName: formatCarName(lap),
      sessionDate,
      uncertaintyMs: lap.uncertaintyMs ?? 0,
      timesMs: trace.timesMs,
      lats: Array.from(fromDegreeSteps(trace.latSteps)),
      lons: Array.from(fromDegreeSteps(trace.lonSteps)),
      speedsKmh: trace.speedsKmh,
    };
  } catch (error) {
    // Its lap file may be gone, or its driver has made the line private a moment ago.
    if (error instanceof ApiError && [403, 404].includes(error.status)) return null;
    throw error;
  }
}
