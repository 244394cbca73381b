import { readFileSync } from 'node:fs';
import process from 'node:process';
import { trackIdSchema } from '#contract/ids.ts';
import { at } from '#engine/fix-columns.ts';
import { distanceMeters, planeAround, toPlane } from '#engine/geo.ts';
import type { PlanePoint, Position } from '#engine/geo.ts';
import { buildTrackIndex, matchTracks } from '#engine/matching/match-tracks.ts';
import { median, quantile } from '#engine/statistics.ts';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import type { OpenedLapFile } from '#engine/time-lap-file.ts';
import { type TimingLine, undirectedLine } from '#engine/timing-line.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { trackFromLine, type Track } from '#engine/track.ts';
import { readTrackSet } from '#server/features/library/track-sets/read-track-set.ts';
import { sortOutTracks } from '#server/features/library/track-sets/sort-out-tracks.ts';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { openTrackLibrary, toNewTrack } from '#server/model/tracks/library-track.ts';
import { lineThrough, listLapSamples, type LapSample } from '../tests/lap-samples.ts';
import { LIBRARY } from '../tests/library.ts';

// This measures how real recordings are recognised among all tracks of a set: `LAP_SAMPLES=FOLDER TRACK_SET=PATH npm
// run bench -- recognition`. Which layout is the right one is found in another way than by the matching: a lap between
// two passes of the device's own line is laid on every layout nearby, and the one that lies closest, both ways, is
// right.

const VENUE_METERS = 5_000;
/** The layout that lies closest is none that was driven where this much of the lap is farther from it than a road is wide. */
const FAR_SHARE = 0.95;
const FAR_METERS = 25;
/** If two layouts lie as close to a lap, either may be the right one. */
const EQUAL_METERS = 1.5;
const SURE_PCT = 90;
const ROUNDS = 15;

export async function run(): Promise<void> {
  const [samples, set] = [process.env['LAP_SAMPLES'], process.env['TRACK_SET']];
  if (samples === undefined || set === undefined) {
    console.log('Set LAP_SAMPLES to a folder of recordings and TRACK_SET to a set of tracks.');
    return;
  }
  const tracks = await readTracks(set);
  const index = buildTrackIndex(tracks);
  const found = listLapSamples(samples).flatMap((sample) => recognise(sample, tracks, index) ?? []);
  const inSet = found.filter(({ right }) => right.layouts.length > 0);
  const wrong = found.filter(({ isRight, confidencePct }) => !isRight && confidencePct >= SURE_PCT);
  const times = found.flatMap(({ timesMs }) => timesMs);
  console.log(`
${tracks.length} layouts.
Recordings with a known line that find their venue: ${count(found, ({ isVenue }) => isVenue)}
Recordings whose layout is in the set that find it first: ${count(inSet, ({ isRight }) => isRight)}
Wrong at ${SURE_PCT} % or more: ${wrong.length}
One match: ${(median(times) ?? 0).toFixed(1)} ms (median), ${(quantile(times, FAR_SHARE) ?? 0).toFixed(1)} ms (95 %)`);
}

function count(recordings: readonly Recognised[], isCounted: (one: Recognised) => boolean): string {
  return `${recordings.filter(isCounted).length} of ${recordings.length}`;
}

type Recognised = {
  right: RightLayouts;
  isRight: boolean;
  isVenue: boolean;
  confidencePct: number;
  timesMs: number[];
};

/** Matches one recording and says what came of it; null where its device knew no line. */
function recognise(
  sample: LapSample,
  tracks: readonly Track[],
  index: ReturnType<typeof buildTrackIndex>,
): Recognised | null {
  const driven = readDrivenLap(sample);
  if (driven === null) return null;
  const { file, lap } = driven;
  const right = listRightLayouts(lap, tracks);
  const [best] = matchTracks(file.trace, index);
  const timesMs = Array.from({ length: ROUNDS }, () => timeMatch(file, index));
  const isRight = best !== undefined && right.layouts.includes(best.track);
  const confidencePct = best?.confidencePct ?? 0;
  const verdict = isRight ? 'right' : right.layouts.length === 0 ? 'not in the set' : 'WRONG';
  console.log(
    verdict.padEnd(15),
    `${confidencePct} %`.padStart(5),
    sample.name.padEnd(56),
    best ? nameTrack(best.track) : 'no track',
    isRight ? '' : `← ${right.layouts.map(nameTrack).join(' or ') || right.nearest}`,
  );
  return {
    right,
    isRight,
    isVenue: best !== undefined && right.venue.includes(best.track),
    confidencePct,
    timesMs,
  };
}

/** Reads the library with all tracks of the set that it lacks. */
export async function readTracks(path: string): Promise<Track[]> {
  const { tracks } = sortOutTracks((await readTrackSet(path)).tracks, LIBRARY);
  const library = openTrackLibrary(LIBRARY.map((track) => ({ ...track, id: trackIdSchema.parse(track.id) })));
  return [
    ...LIBRARY,
    ...tracks.map(({ row: _row, problems: _problems, warnings: _warnings, ...track }) => ({
      ...toNewTrack(track),
      id: library.add(track),
    })),
  ];
}

function timeMatch({ trace }: OpenedLapFile, index: ReturnType<typeof buildTrackIndex>): number {
  const begin = performance.now();
  matchTracks(trace, index);
  return performance.now() - begin;
}

/** Holds a recording whose device knew its line, and the way of its median lap over that. */
export type DrivenLap = { file: OpenedLapFile; line: TimingLine; lap: Position[] };

/** Reads a recording with the line of its device; null where the device knew none. */
export function readDrivenLap({ path, truth }: LapSample): DrivenLap | null {
  if (truth === null || (truth.startFinish === null && truth.startFinishPoint === undefined)) return null;
  let file: OpenedLapFile;
  try {
    file = openLapFile(readFileSync(path), inflateLapFile);
  } catch {
    return null;
  }
  const { startFinish, startFinishPoint } = truth;
  const line = startFinish
    ? undirectedLine(...startFinish)
    : startFinishPoint && lineThrough(startFinishPoint, file);
  if (!line) return null;
  const track = { ...trackFromLine(line), id: 'sample', radiusMeters: VENUE_METERS };
  const laps = timeLaps(file, track)
    .laps.filter(isRanking)
    .toSorted((a, b) => a.lapTimeMs - b.lapTimeMs);
  const lap = laps[Math.floor(laps.length / 2)];
  if (!lap) return null;
  const { fixes } = file.trace;
  const positions: Position[] = [];
  for (let fix = 0; fix < fixes.length; fix += 1) {
    const timeMs = at(fixes.timesMs, fix) - lap.startTimeMs;
    if (timeMs >= 0 && timeMs <= lap.lapTimeMs)
      positions.push({ lat: at(fixes.lats, fix), lon: at(fixes.lons, fix) });
  }
  return { file, line, lap: positions };
}

type RightLayouts = { venue: Track[]; layouts: Track[]; nearest: string };

/** Finds the layouts that lie closest to a lap and are driven in its direction. */
export function listRightLayouts(lap: readonly Position[], tracks: readonly Track[]): RightLayouts {
  const [start] = lap;
  if (!start) return { venue: [], layouts: [], nearest: '' };
  const venue = tracks.filter(
    ({ centerLat: lat, centerLon: lon }) => distanceMeters(start, { lat, lon }) <= VENUE_METERS,
  );
  const measured = venue
    .flatMap((track) => {
      const fit = measureFit(lap, track);
      return fit === null ? [] : [{ track, ...fit }];
    })
    .toSorted((a, b) => a.meanMeters - b.meanMeters);
  const [best] = measured;
  const nearest = best
    ? `nearest: ${nameTrack(best.track)}, ${best.farMeters.toFixed(0)} m off`
    : 'no layout';
  if (!best || best.farMeters > FAR_METERS) return { venue, layouts: [], nearest };
  const equal = measured.filter(({ meanMeters }) => meanMeters <= best.meanMeters + EQUAL_METERS);
  return { venue, layouts: equal.map(({ track }) => track), nearest };
}

/**
 * Measures how far a lap and an outline lie apart, both ways: on average, and 95 % of them; null where it was driven
 * the other way round.
 */
function measureFit(
  lap: readonly Position[],
  { outline }: Track,
): { meanMeters: number; farMeters: number } | null {
  const [start] = lap;
  if (!start || outline === null) return null;
  const plane = planeAround(start);
  const driven = withoutGaps(lap.map((position) => toPlane(plane, position)));
  const drawn = withoutGaps(outline.map(([lat, lon]) => toPlane(plane, { lat, lon })));
  if (!isSameDirection(driven, drawn)) return null;
  const distances = [
    ...driven.map((point) => distanceTo(point, drawn)),
    ...drawn.map((point) => distanceTo(point, driven)),
  ];
  const meanMeters = distances.reduce((sum, meters) => sum + meters, 0) / distances.length;
  return { meanMeters, farMeters: quantile(distances, FAR_SHARE) ?? Infinity };
}

const STEP_METERS = 5;

function withoutGaps(points: readonly PlanePoint[]): PlanePoint[] {
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    if (!before) return [point];
    const steps = Math.ceil(Math.hypot(point.x - before.x, point.y - before.y) / STEP_METERS);
    return Array.from({ length: steps }, (_, step) => {
      const share = (step + 1) / steps;
      return { x: before.x + share * (point.x - before.x), y: before.y + share * (point.y - before.y) };
    });
  });
}

function distanceTo({ x, y }: PlanePoint, points: readonly PlanePoint[]): number {
  return Math.sqrt(
    points.reduce((least, point) => Math.min(least, (point.x - x) ** 2 + (point.y - y) ** 2), Infinity),
  );
}

/** Decides by the directions of most pieces next to each other. */
function isSameDirection(driven: readonly PlanePoint[], drawn: readonly PlanePoint[]): boolean {
  let votes = 0;
  for (let index = 4; index < driven.length; index += 8) {
    const [from, to] = [driven[index - 4], driven[index]];
    if (!from || !to) continue;
    const distances = drawn.map((point) => (point.x - to.x) ** 2 + (point.y - to.y) ** 2);
    const nearest = distances.reduce(
      (best, squared, other) => (squared < (distances[best] ?? Infinity) ? other : best),
      0,
    );
    const [before, after] = [drawn[Math.max(0, nearest - 2)], drawn[Math.min(drawn.length - 1, nearest + 2)]];
    if (!before || !after || (distances[nearest] ?? Infinity) > FAR_METERS ** 2) continue;
    votes += Math.sign((to.x - from.x) * (after.x - before.x) + (to.y - from.y) * (after.y - before.y));
  }
  return votes > 0;
}

export function nameTrack({ name, configuration, lengthMeters }: Track & { name: string }): string {
  return `${[name, configuration].filter(Boolean).join(', ')} (${((lengthMeters ?? 0) / 1000).toFixed(2)} km)`;
}
