import type { TracedLap } from '../comparison/lap-trace.ts';
import { at } from '../fix-columns.ts';
import { planeAround, planeX, planeY } from '../geo.ts';

/** Describes how alike two laps are, whatever was added to all positions or times of one of them. */
export type Likeness = {
  /** Root mean square of the distance between them at the same share of the lap, without what is the same everywhere. */
  residualMeters: number;
  /** Root mean square of the difference in time that each stretch takes, as a share of that time. */
  paceDifference: number;
};

const STATIONS = 60;
const INTERVALS_MAX_MS = 1_100;

/** Two people never drive so alike: see `npm run bench -- flags`. */
export const COPY_RESIDUAL_METERS = 2;
const COPY_PACE_DIFFERENCE = 0.011;

/** Returns whether one lap must have been made of the positions of the other. */
export function isCopy({ residualMeters, paceDifference }: Likeness): boolean {
  return residualMeters < COPY_RESIDUAL_METERS && paceDifference < COPY_PACE_DIFFERENCE;
}

/** Compares two laps of the same track; null where one has too few fixes. */
export function measureLikeness(one: TracedLap, other: TracedLap): Likeness | null {
  const [a, b] = [resampleByDistance(one), resampleByDistance(other)];
  if (!a || !b) return null;
  const plane = planeAround({ lat: at(a.lats, 0), lon: at(a.lons, 0) });
  const xs = a.lons.map((lon, i) => planeX(plane, at(b.lons, i)) - planeX(plane, lon));
  const ys = a.lats.map((lat, i) => planeY(plane, at(b.lats, i)) - planeY(plane, lat));
  const stretches = Array.from({ length: STATIONS }, (_, i) => {
    const share = (times: Float64Array) => (at(times, i + 1) - at(times, i)) / at(times, STATIONS);
    return share(b.timesMs) / share(a.timesMs) - 1;
  });
  return {
    residualMeters: Math.sqrt(variance(xs) + variance(ys)),
    paceDifference: Math.sqrt(variance(stretches)),
  };
}

type Resampled = { lats: Float64Array; lons: Float64Array; timesMs: Float64Array };

/** Returns positions and times at equal distances along the lap; times from its start. */
function resampleByDistance({ trace: { fixes, intervalMs }, lap }: TracedLap): Resampled | null {
  if (!((intervalMs ?? Number.NaN) <= INTERVALS_MAX_MS)) return null;
  const { timesMs, lats, lons, length } = fixes;
  const rows = Array.from({ length }, (_, row) => row).filter(
    (row) => at(timesMs, row) >= lap.startTimeMs && at(timesMs, row) <= lap.startTimeMs + lap.lapTimeMs,
  );
  const first = rows[0];
  if (first === undefined || rows.length < STATIONS) return null;
  const plane = planeAround({ lat: at(lats, first), lon: at(lons, first) });
  let meters = 0;
  const along = rows.map((row, index) => {
    const before = rows[index - 1];
    if (before !== undefined)
      meters += Math.hypot(
        planeX(plane, at(lons, row)) - planeX(plane, at(lons, before)),
        planeY(plane, at(lats, row)) - planeY(plane, at(lats, before)),
      );
    return meters;
  });
  return interpolate(rows, along, fixes);
}

function interpolate(
  rows: readonly number[],
  along: readonly number[],
  { timesMs, lats, lons }: TracedLap['trace']['fixes'],
): Resampled {
  const total = along.at(-1) ?? 0;
  const resampled: Resampled = {
    lats: new Float64Array(STATIONS + 1),
    lons: new Float64Array(STATIONS + 1),
    timesMs: new Float64Array(STATIONS + 1),
  };
  let next = 1;
  for (let station = 0; station <= STATIONS; station += 1) {
    const meters = (total * station) / STATIONS;
    while (next < along.length - 1 && (along[next] ?? 0) < meters) next += 1;
    const [from, to] = [along[next - 1] ?? 0, along[next] ?? 0];
    const share = to > from ? (meters - from) / (to - from) : 0;
    const [before, after] = [rows[next - 1] ?? 0, rows[next] ?? 0];
    const between = (column: Float64Array) =>
      at(column, before) + share * (at(column, after) - at(column, before));
    resampled.lats[station] = between(lats);
    resampled.lons[station] = between(lons);
    resampled.timesMs[station] = between(timesMs) - at(timesMs, rows[0] ?? 0);
  }
  return resampled;
}

function variance(values: ArrayLike<number>): number {
  const list = Array.from(values);
  const mean = list.reduce((sum, value) => sum + value, 0) / list.length;
  return list.reduce((sum, value) => sum + (value - mean) ** 2, 0) / list.length;
}
