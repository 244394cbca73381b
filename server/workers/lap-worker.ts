import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { trackSchema } from '#contract/tracks.ts';
import { at, type FixColumns } from '#engine/fix-columns.ts';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import type { Lap } from '#engine/laps.ts';
import { buildTrackIndex, type TrackIndex } from '#engine/match-tracks.ts';
import { openLapFile, type OpenedLapFile, suggestTracks, timeLaps } from '#engine/time-lap-file.ts';
import type { Position } from '#engine/geo.ts';
import type { OutlinePoint, Track } from '#engine/track.ts';
import { listedOutline } from '#server/tracks/thin-outline.ts';
import { type FixStretch, hashPositions, hashRoundedPositions } from './hash-positions.ts';
import type {
  AnalyzedLapFile,
  AnalyzeTask,
  DrivenOutline,
  LapTaskResult,
  SharedTracks,
  Suggestion,
  TimedLapFile,
  TimeTask,
} from './lap-tasks.ts';
import { workInBackground } from './work-in-background.ts';

// Runs in a worker thread: everything here may take as long as a large lap file takes.
workInBackground();

/** Times the laps of the lap file at `path` on one track. */
export async function timeLapFile({ path, track }: TimeTask): Promise<LapTaskResult<TimedLapFile>> {
  return await withLapFile(path, (file) => {
    const { format, clock, startTimeMs, gpsRateHz, dropped } = file;
    const { fixes } = file.trace;
    const firstFixMs = fixes.timesMs[0] ?? null;
    const timed = timeLaps(file, track);
    const described = { format, clock, startTimeMs, firstFixMs, gpsRateHz, dropped };
    const positionsHash = hashPositions(fixes, { first: 0, end: fixes.length });
    const roundedHashes = hashRoundedPositions(fixes);
    const lapPositionsHashes = timed.laps.map((lap) => hashPositions(fixes, fixesOf(lap, fixes)));
    const drivenOutline = track.outline === null ? outlineOfFastest(timed.laps, fixes) : null;
    const hashes = { positionsHash, roundedHashes, lapPositionsHashes };
    return { ...described, ...timed, ...hashes, drivenOutline };
  });
}

function outlineOfFastest(laps: readonly Lap[], fixes: FixColumns): DrivenOutline | null {
  const [fastest] = laps
    .filter(({ status }) => status === 'valid')
    .toSorted((a, b) => a.lapTimeMs - b.lapTimeMs);
  if (!fastest) return null;
  const { first, end } = fixesOf(fastest, fixes);
  const way = Array.from({ length: end - first }, (_, i): OutlinePoint => [
    at(fixes.lats, first + i),
    at(fixes.lons, first + i),
  ]);
  return { lapNumber: fastest.number, points: listedOutline(way) };
}

/** The fixes between the two passes of a lap. */
function fixesOf({ startTimeMs, lapTimeMs }: Lap, { timesMs }: FixColumns): FixStretch {
  return { first: firstAfter(timesMs, startTimeMs), end: firstAfter(timesMs, startTimeMs + lapTimeMs) };
}

function firstAfter(timesMs: Float64Array, timeMs: number): number {
  let [low, high] = [0, timesMs.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (at(timesMs, middle) <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds out what the lap file at `path` holds and on which tracks it may have been driven. */
export async function analyzeLapFile(task: AnalyzeTask): Promise<LapTaskResult<AnalyzedLapFile>> {
  return await withLapFile(task.path, (file) => {
    const { tracks, index } = readTracks(task.tracks);
    const track = tracks.find(({ id }) => id === task.trackId);
    const found = suggestTracks(file, index).map(toSuggestion);
    const onlyOne = track && timeLaps(file, track);
    return {
      format: file.format,
      gpsRateHz: file.gpsRateHz,
      pointCount: file.fixCount,
      points: thinPoints(file, task.pointsMax),
      suggestions: onlyOne ? [forTrack(track.id, onlyOne, found)] : found,
      distanceToTrackMeters: onlyOne?.distanceToTrackMeters ?? null,
    };
  });
}

async function withLapFile<Value>(
  path: string,
  use: (file: OpenedLapFile) => Value,
): Promise<LapTaskResult<Value>> {
  const bytes = await readFile(path);
  try {
    return { isReadable: true, value: use(openLapFile(bytes)) };
  } catch (error) {
    if (error instanceof UnreadableLapFileError) return { isReadable: false, sentence: error.message };
    throw error;
  }
}

type Timed = Pick<Suggestion, 'laps' | 'bestLapTimeMs'>;

function toSuggestion(match: { track: Track; confidencePct: number; timed: Timed }): Suggestion {
  const { laps, bestLapTimeMs } = match.timed;
  return { trackId: match.track.id, confidencePct: match.confidencePct, laps, bestLapTimeMs };
}

/** The track that the driver has chosen: 0 per cent where nothing but the driver speaks for it. */
function forTrack(trackId: string, { laps, bestLapTimeMs }: Timed, found: Suggestion[]): Suggestion {
  const confidencePct = found.find((suggestion) => suggestion.trackId === trackId)?.confidencePct ?? 0;
  return { trackId, confidencePct, laps, bestLapTimeMs };
}

/** At most `pointsMax` positions, evenly spread over the fixes. */
function thinPoints({ trace: { fixes } }: OpenedLapFile, pointsMax: number): Position[] {
  const step = Math.max(1, fixes.length / pointsMax);
  const count = Math.min(fixes.length, pointsMax);
  return Array.from({ length: count }, (_, i) => {
    const index = Math.floor(i * step);
    return { lat: fixes.lats[index] ?? 0, lon: fixes.lons[index] ?? 0 };
  });
}

const tracksSchema = z.array(trackSchema);

type ReadTracks = { version: string; tracks: Track[]; index: TrackIndex };

let lastRead: ReadTracks | null = null;

/** The tracks and their index; read again only when the library has changed. */
function readTracks({ version, json }: SharedTracks): ReadTracks {
  if (lastRead?.version !== version) {
    const tracks = tracksSchema.parse(JSON.parse(Buffer.from(json).toString('utf8')));
    lastRead = { version, tracks, index: buildTrackIndex(tracks) };
  }
  return lastRead;
}
