import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { at } from '#engine/fix-columns.ts';
import { distanceMeters, planeAround, toPlane, toPosition } from '#engine/geo.ts';
import type { Position } from '#engine/geo.ts';
import type { TracedLap } from '#engine/comparison/lap-trace.ts';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import type { OpenedLapFile } from '#engine/time-lap-file.ts';
import { undirectedLine } from '#engine/timing-line.ts';
import type { TimingLine } from '#engine/timing-line.ts';
import { trackFromLine } from '#engine/track.ts';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { isLongRun } from './long-run.ts';

/**
 * Real recordings, which belong to those who drove them and are not part of Pitboard: a folder holds `lap-files/` and, for some of
 * them, the lap times of their own device in `truth/`.
 */
const position = z.tuple([z.number(), z.number()]).transform(([lat, lon]): Position => ({ lat, lon }));
const truthSchema = z.object({
  file: z.string(),
  derivedFiles: z.array(z.string()).optional(),
  /** The line that the times were taken on; null where it is unknown. */
  startFinish: z.tuple([position, position]).nullable(),
  /** A point of that line. */
  startFinishPoint: position.optional(),
  toleranceMs: z.number().nullable(),
  /** True if the times are the device's own, and not calculated from its positions. */
  official: z.boolean().default(false),
  laps: z.array(
    z.object({
      n: z.number(),
      timeMs: z.number(),
      gateMs: z.number().optional(),
      outLap: z.boolean().optional(),
    }),
  ),
  /** The device called these laps although they are none, or timed them in another way than its other laps. */
  excludedLaps: z.array(z.object({ timeMs: z.number(), gateMs: z.number().optional() })).default([]),
});
export type SampleTruth = z.infer<typeof truthSchema>;

/** One recording, and what its device said of its laps; null where it said nothing. */
export type LapSample = { name: string; path: string; truth: SampleTruth | null };

/** Every recording of a folder, by name. */
export function listLapSamples(folder: string): LapSample[] {
  const truths = new Map<string, SampleTruth>();
  for (const entry of readdirSync(join(folder, 'truth'))) {
    const truth = truthSchema.parse(JSON.parse(readFileSync(join(folder, 'truth', entry), 'utf8')));
    for (const name of truth.derivedFiles ?? [truth.file]) truths.set(name, truth);
  }
  const root = join(folder, 'lap-files');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.\w+$/.test(name) && existsSync(join(root, name)))
    .toSorted()
    .map((name) => ({ name, path: join(root, name), truth: truths.get(name) ?? null }));
}

/** `npm test` tries one recording in so many, because all of them take a minute of a core. */
const RECORDINGS_PER_TRIED = 8;

/** Every recording in `npm run test:all`, and some of them in `npm test`. */
export function listTriedSamples(folder: string): LapSample[] {
  const samples = listLapSamples(folder);
  return isLongRun ? samples : samples.filter((_, index) => index % RECORDINGS_PER_TRIED === 0);
}

/** The best ranking laps of a recording on the line of its device, quickest first; none where that is unknown. */
export function bestLapsOf({ path, truth }: LapSample): TracedLap[] {
  if (!truth?.startFinish) return [];
  try {
    const file = openLapFile(readFileSync(path), inflateLapFile);
    return timeLaps(file, trackFromLine(undirectedLine(...truth.startFinish)))
      .laps.filter(isRanking)
      .toSorted((a, b) => a.lapTimeMs - b.lapTimeMs)
      .map((lap) => ({ ...file, lap }));
  } catch (error) {
    if (error instanceof UnreadableLapFileError) return [];
    throw error;
  }
}

/** The times of the laps that rank, on a line of which nothing else is known. */
export function rankingTimes(file: OpenedLapFile, line: TimingLine): number[] {
  const track = { ...trackFromLine(line), id: 'sample', radiusMeters: 5000 };
  return timeLaps(file, track)
    .laps.filter(isRanking)
    .map((lap) => lap.lapTimeMs);
}

// Wide enough for any track, too narrow for the pit lane beside it.
const HALF_WIDTH_METERS = 15;
const NEAR_METERS = 25;

/** A line through a point, at right angles to the way that the car takes there. */
export function lineThrough(point: Position, { trace }: OpenedLapFile): TimingLine {
  const { lats, lons, length } = trace.fixes;
  const positions = Array.from({ length }, (_, fix) => ({ lat: at(lats, fix), lon: at(lons, fix) }));
  const near = positions.filter((candidate) => distanceMeters(candidate, point) < NEAR_METERS);
  const plane = planeAround(point);
  const [from, to] = [toPlane(plane, near[0] ?? point), toPlane(plane, near.at(-1) ?? point)];
  const reach = HALF_WIDTH_METERS / Math.hypot(to.x - from.x, to.y - from.y);
  const side = { x: (to.y - from.y) * reach, y: (from.x - to.x) * reach };
  return undirectedLine(toPosition(plane, side), toPosition(plane, { x: -side.x, y: -side.y }));
}

/** How our laps go together with those of the device: each of ours with the next of the device's, or with none. */
export type Comparison = { differencesMs: number[]; missing: number[]; tooMany: number[] };

/** A device's own first or last lap of a stint is no whole lap to us, but may look like one within this: cars roll off at a walk. */
const EXCLUDED_TOLERANCE_MS = 1500;

/** Two times that differ by less are. */
const SURELY_SAME_MS = 5;

/** Two times that differ by more are not of the same lap. */
const SAME_LAP_MS = 500;

/** Compares our times with those that the device gave, both in the order in which they were driven. */
export function compareWithTruth(
  times: readonly number[],
  { laps, excludedLaps }: SampleTruth,
  sameLapMs = SAME_LAP_MS,
): Comparison {
  const excluded = excludedLaps.map(({ timeMs, gateMs }) => gateMs ?? timeMs);
  const isOfficial = (time: number) => laps.some(({ timeMs }) => Math.abs(time - timeMs) < SURELY_SAME_MS);
  const isLeftOut = (time: number) => excluded.some((known) => Math.abs(time - known) < SURELY_SAME_MS);
  const ours = times.filter((time) => isOfficial(time) || !isLeftOut(time));
  const differencesMs: number[] = [];
  const missing: number[] = [];
  const tooMany: number[] = [];
  let next = 0;
  for (const { timeMs } of laps) {
    const found = ours.findIndex((time, index) => index >= next && Math.abs(time - timeMs) <= sameLapMs);
    if (found < 0) {
      missing.push(timeMs);
      continue;
    }
    tooMany.push(...ours.slice(next, found));
    differencesMs.push((ours[found] ?? Number.NaN) - timeMs);
    next = found + 1;
  }
  tooMany.push(...ours.slice(next));
  const isExcluded = (time: number) =>
    excluded.some((known) => Math.abs(known - time) <= EXCLUDED_TOLERANCE_MS);
  return { differencesMs, missing, tooMany: tooMany.filter((time) => !isExcluded(time)) };
}
