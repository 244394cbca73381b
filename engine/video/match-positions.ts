import type { CameraMoment } from '../formats/camera/read-camera-video.ts';
import { planeAround, planeX, planeY } from '../geo.ts';
import { median } from '../statistics.ts';
import type { VideoClock } from './video-clock.ts';

/** Holds the positions that a camera recorded, by the time of the video, and what UTC it had from its satellites. */
export type CameraPositions = {
  mediaTimesMs: readonly number[];
  lats: readonly number[];
  lons: readonly number[];
  moments: readonly CameraMoment[];
};

/** Holds a lap as it was driven: times since its start, which was at `startMs` on the clock of the lap file. */
export type LapPositions = {
  startMs: number;
  timesMs: readonly number[];
  lats: readonly number[];
  lons: readonly number[];
};

export type PositionMatch =
  | { kind: 'one'; clock: VideoClock; residualMeters: number }
  /** Several parts of the video fit the lap equally well. */
  | { kind: 'several' }
  | { kind: 'none' };

const GRID_MS = 100;
const COARSE_STEP_MS = 400;
const FINE_STEPS_MS = [100, 20, 5, 1];
/** Positions further apart than this count as so far apart, so that one spike decides nothing. */
const FAR_METERS = 60;
/** Two receivers on one car agree better than this. */
const RESIDUAL_METERS_MAX = 12;
/** A second part of the video that is nearly as good is another lap of the same line. */
const RIVAL_APART_MS = 5_000;
const RIVAL_FACTOR = 1.5;
const RIVAL_METERS = 2;
/** The camera's UTC and that of the lap file differ by less where both are of satellites. */
const UTC_REACH_MS = 3_000;
const LAP_SAMPLES = 120;
/** A recording longer than this shows how fast the camera's clock runs. */
const DRIFT_SPAN_MS = 60_000;
const DRIFT_MAX = 0.0005;
/** Four hours at a step of 400 ms. */
const CANDIDATES_MAX = 36_000;

/**
 * Finds the part of a video that shows a lap, by where the car was. The camera's UTC says where to look first; without it, or where the
 * clock of the lap file shows another time, the whole video is searched.
 */
export function matchPositions(camera: CameraPositions, lap: LapPositions): PositionMatch {
  const rate = measureRate(camera.moments);
  const cost = measureDistance(camera, lap, rate);
  const last = camera.mediaTimesMs.at(-1) ?? 0;
  const offsetMs = median(camera.moments.map(({ utcMs, mediaMs }) => utcMs - mediaMs * rate));
  if (offsetMs !== null) {
    const aroundMs = (lap.startMs - offsetMs) / rate;
    const found = refine(cost, findBest(cost, aroundMs - UTC_REACH_MS, aroundMs + UTC_REACH_MS));
    if (found.meters <= RESIDUAL_METERS_MAX) return toMatch(found, lap, rate);
  }
  const minima = listMinima(cost, last);
  const [best] = minima;
  if (best === undefined || best.meters > RESIDUAL_METERS_MAX) return { kind: 'none' };
  const rival = minima.find(({ mediaMs }) => Math.abs(mediaMs - best.mediaMs) > RIVAL_APART_MS);
  if (rival && rival.meters < RIVAL_FACTOR * best.meters + RIVAL_METERS) return { kind: 'several' };
  return toMatch(best, lap, rate);
}

type Candidate = { mediaMs: number; meters: number };
/** Returns the root mean square of the distances if the lap began at this moment of the video. */
type Cost = (mediaMs: number) => number;

function toMatch({ mediaMs, meters }: Candidate, { startMs }: LapPositions, rate: number): PositionMatch {
  return {
    kind: 'one',
    clock: { videoSeconds: mediaMs / 1_000, timeMs: startMs, rate },
    residualMeters: meters,
  };
}

function findBest(cost: Cost, fromMs: number, toMs: number): Candidate {
  let best: Candidate = { mediaMs: fromMs, meters: Number.POSITIVE_INFINITY };
  for (let mediaMs = fromMs; mediaMs <= toMs; mediaMs += FINE_STEPS_MS[0] ?? 1) {
    const meters = cost(mediaMs);
    if (meters < best.meters) best = { mediaMs, meters };
  }
  return best;
}

function refine(cost: Cost, coarse: Candidate): Candidate {
  let best = coarse;
  let reachMs = COARSE_STEP_MS;
  for (const stepMs of FINE_STEPS_MS) {
    for (
      let mediaMs = best.mediaMs - reachMs, end = best.mediaMs + reachMs;
      mediaMs <= end;
      mediaMs += stepMs
    ) {
      const meters = cost(mediaMs);
      if (meters < best.meters) best = { mediaMs, meters };
    }
    reachMs = stepMs;
  }
  return best;
}

/** Lists the best parts of the video, the best first, each refined. */
function listMinima(cost: Cost, lastMs: number): Candidate[] {
  const stepMs = Math.max(COARSE_STEP_MS, lastMs / CANDIDATES_MAX);
  const coarse: Candidate[] = [];
  for (let mediaMs = 0; mediaMs <= lastMs; mediaMs += stepMs) coarse.push({ mediaMs, meters: cost(mediaMs) });
  const minima = coarse.filter(({ meters }, index) => {
    const [before, after] = [
      coarse[index - 1]?.meters ?? FAR_METERS,
      coarse[index + 1]?.meters ?? FAR_METERS,
    ];
    return meters < FAR_METERS * 0.9 && meters <= before && meters <= after;
  });
  return minima
    .toSorted((a, b) => a.meters - b.meters)
    .slice(0, 20)
    .map((one) => refine(cost, one))
    .toSorted((a, b) => a.meters - b.meters);
}

/** Prepares the distances between lap and camera: positions of the camera on an even grid, some of the lap's. */
function measureDistance(camera: CameraPositions, lap: LapPositions, rate: number): Cost {
  const plane = planeAround({ lat: lap.lats[0] ?? 0, lon: lap.lons[0] ?? 0 });
  const grid = toGrid(camera, (lat, lon) => [planeX(plane, lon), planeY(plane, lat)]);
  const step = Math.max(1, Math.floor(lap.timesMs.length / LAP_SAMPLES));
  const samples = lap.timesMs.flatMap((timeMs, index) => {
    if (index % step !== 0) return [];
    return [
      {
        timeMs: timeMs / rate,
        x: planeX(plane, lap.lons[index] ?? 0),
        y: planeY(plane, lap.lats[index] ?? 0),
      },
    ];
  });
  return (mediaMs) => {
    let sum = 0;
    for (const { timeMs, x, y } of samples) {
      const place = (mediaMs + timeMs) / GRID_MS;
      const before = Math.floor(place);
      const share = place - before;
      const seenX = between(grid.xs, before, share) - x;
      const seenY = between(grid.ys, before, share) - y;
      const squared = seenX * seenX + seenY * seenY;
      sum += squared < FAR_METERS ** 2 ? squared : FAR_METERS ** 2;
    }
    return Math.sqrt(sum / samples.length);
  };
}

function between(column: Float64Array, before: number, share: number): number {
  const [from, to] = [column[before] ?? Number.NaN, column[before + 1] ?? Number.NaN];
  return from + (to - from) * share;
}

/** Returns the positions of the camera every tenth of a second; NaN where it had none for a while. */
function toGrid(
  { mediaTimesMs, lats, lons }: CameraPositions,
  toXy: (lat: number, lon: number) => readonly [x: number, y: number],
): { xs: Float64Array; ys: Float64Array } {
  const length = Math.max(0, Math.ceil((mediaTimesMs.at(-1) ?? 0) / GRID_MS) + 1);
  const [xs, ys] = [new Float64Array(length).fill(Number.NaN), new Float64Array(length).fill(Number.NaN)];
  for (let index = 1; index < mediaTimesMs.length; index += 1) {
    const [fromMs, toMs] = [mediaTimesMs[index - 1] ?? 0, mediaTimesMs[index] ?? 0];
    if (!(toMs > fromMs) || toMs - fromMs > GAP_MS_MAX) continue;
    const from = toXy(lats[index - 1] ?? 0, lons[index - 1] ?? 0);
    const to = toXy(lats[index] ?? 0, lons[index] ?? 0);
    for (let cell = Math.ceil(fromMs / GRID_MS); cell * GRID_MS <= toMs; cell += 1) {
      const share = (cell * GRID_MS - fromMs) / (toMs - fromMs);
      xs[cell] = from[0] + (to[0] - from[0]) * share;
      ys[cell] = from[1] + (to[1] - from[1]) * share;
    }
  }
  return { xs, ys };
}

const GAP_MS_MAX = 2_000;

function medianOffset(part: readonly CameraMoment[]): number {
  return median(part.map(({ utcMs, mediaMs }) => utcMs - mediaMs)) ?? 0;
}

function medianTime(part: readonly CameraMoment[]): number {
  return median(part.map(({ mediaMs }) => mediaMs)) ?? 0;
}

/** Returns how many seconds of UTC a second of the video lasts; 1 where the recording is too short to tell. */
function measureRate(moments: readonly CameraMoment[]): number {
  const [first, last] = [moments[0], moments.at(-1)];
  if (!first || !last || last.mediaMs - first.mediaMs < DRIFT_SPAN_MS) return 1;
  const third = Math.floor(moments.length / 3);
  const [early, late] = [moments.slice(0, third), moments.slice(-third)];
  const drift =
    (medianOffset(late) - medianOffset(early)) / Math.max(1, medianTime(late) - medianTime(early));
  return Math.abs(drift) <= DRIFT_MAX ? 1 + drift : 1;
}
