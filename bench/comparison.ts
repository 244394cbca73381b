import process from 'node:process';
import { lineOfLaps } from '#engine/comparison/build-reference-line.ts';
import { compareLaps } from '#engine/comparison/compare-laps.ts';
import { findCorners } from '#engine/comparison/corners.ts';
import { decodeLapTrace, encodeLapTrace } from '#engine/comparison/lap-trace.ts';
import type { TracedLap } from '#engine/comparison/lap-trace.ts';
import { encodeReferenceLine } from '#engine/comparison/reference-line.ts';
import { at } from '#engine/fix-columns.ts';
import { planeAround, planeX, planeY } from '#engine/geo.ts';
import { simulateDrive, toLapFile } from '#engine/simulation/drive.ts';
import { openFixes, timeLaps } from '#engine/time-lap-file.ts';
import { libraryTrack } from '../tests/library.ts';

const TRACKS = ['weathertech-raceway-laguna-seca-full', 'silverstone-circuit-grand-prix-arena'];
const ROUNDS = 40;
const STEP_METERS = 5;

/** Measures how long comparisons of two laps at 25 Hz take, and how large what is stored for them is. */
export async function run(): Promise<void> {
  for (const id of TRACKS) {
    const laps = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => traceOfDrive(id, seed));
    const [first, second] = laps;
    if (first === undefined || second === undefined) throw new Error('There are two laps.');
    const line = lineOfLaps(laps);
    if (line === null) throw new Error('There is a line.');
    const other = { ...second, isSameRecording: false };
    const others = laps.slice(1, 4).map((lap) => ({ ...lap, isSameRecording: false }));
    const bytes = encodeLapTrace(first);
    console.log(
      `${id}, ${first.trace.fixes.length} fixes in the file, ${ROUNDS} rounds: fastest, processor time (median), its ratio`,
    );
    const naive = measure(() => naiveGap(first, second));
    for (const [name, work] of [
      ['naive projection of two laps: nearest of all points', () => naiveGap(first, second)],
      ['two laps along the line of the first', () => compareLaps(first, [other])],
      ['two laps along the line of the track', () => compareLaps(first, [other], { line })],
      ['four laps along the line of the track', () => compareLaps(first, others, { line })],
      ['corners of the track', () => findCorners(line)],
      ['line of the track from eight laps', () => lineOfLaps(laps)],
      ['lap trace to bytes', () => encodeLapTrace(first)],
      ['bytes to lap trace', () => decodeLapTrace(bytes)],
    ] as const) {
      const { fastestMs, processorMs } = measure(work);
      const figures = [fastestMs, processorMs, processorMs / naive.processorMs].map((figure) =>
        figure.toFixed(2).padStart(8),
      );
      console.log(`  ${name.padEnd(54)} ${figures.join(' ')}`);
    }
    console.log(`  lap trace ${bytes.length} bytes, line ${encodeReferenceLine(line).length} bytes\n`);
  }
}

function traceOfDrive(id: string, seed: number): TracedLap {
  const track = libraryTrack(id);
  const receiver = { rateHz: 25, noiseMeters: 0.03, driftMeters: 0.7, speedNoiseMetersPerSecond: 0.1 };
  const file = openFixes(toLapFile(simulateDrive(track, { seed, laps: 1, receiver }).fixes));
  const [lap] = timeLaps(file, track).laps.filter(({ status }) => status === 'valid');
  if (lap === undefined) throw new Error('The drive has a lap.');
  return { ...file, lap };
}

/** The fastest round, and the median of the processor's time: neither counts how long others kept the machine busy. */
function measure(work: () => unknown): { fastestMs: number; processorMs: number } {
  let fastestMs = Number.POSITIVE_INFINITY;
  const processorTimes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [start, used] = [performance.now(), process.cpuUsage()];
    work();
    fastestMs = Math.min(fastestMs, performance.now() - start);
    const { user, system } = process.cpuUsage(used);
    processorTimes.push((user + system) / 1000);
  }
  processorTimes.sort((a, b) => a - b);
  return { fastestMs, processorMs: processorTimes[Math.floor(ROUNDS / 2)] ?? Number.NaN };
}

/**
 * Returns what a first attempt at a comparison does: every position goes to the nearest point of the other lap,
 * wherever that is, and the gap is the difference of the times there. No curve, no offset, no band, no corners, and it
 * jumps where the track passes by itself.
 */
function naiveGap(first: TracedLap, second: TracedLap): Float64Array {
  const plane = planeAround({ lat: at(first.trace.fixes.lats, 0), lon: at(first.trace.fixes.lons, 0) });
  const [a, b] = [pointsOf(first), pointsOf(second)];
  function pointsOf({ trace: { fixes }, lap }: TracedLap) {
    return {
      xs: fixes.lons.map((lon) => planeX(plane, lon)),
      ys: fixes.lats.map((lat) => planeY(plane, lat)),
      timesMs: fixes.timesMs.map((timeMs) => timeMs - lap.startTimeMs),
    };
  }
  let [beforeX, beforeY, missing] = [at(a.xs, 0), at(a.ys, 0), 0];
  const gaps: number[] = [];
  for (let index = 1; index < a.xs.length; index += 1) {
    const [x, y] = [at(a.xs, index), at(a.ys, index)];
    missing += Math.hypot(x - beforeX, y - beforeY);
    [beforeX, beforeY] = [x, y];
    if (missing < STEP_METERS) continue;
    missing = 0;
    let [nearest, least] = [0, Number.POSITIVE_INFINITY];
    for (let other = 0; other < b.xs.length; other += 1) {
      const squared = (at(b.xs, other) - x) ** 2 + (at(b.ys, other) - y) ** 2;
      if (squared < least) [nearest, least] = [other, squared];
    }
    gaps.push(at(b.timesMs, nearest) - at(a.timesMs, index));
  }
  return Float64Array.from(gaps);
}
