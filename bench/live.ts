import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import process from 'node:process';
import { lineOfLaps } from '#engine/comparison/build-reference-line.ts';
import { LiveTiming } from '#engine/live/live-timing.ts';
import { createDecoder } from '#engine/receivers/decode-stream.ts';
import type { StreamChunk } from '#engine/receivers/live-fix.ts';
import { simulateDrive, toLapFile } from '#engine/simulation/drive.ts';
import { streamDrive } from '#engine/testing/write-streams.ts';
import { openFixes, timeLaps } from '#engine/time-lap-file.ts';
import { libraryTrack } from '../tests/library.ts';

const TRACK = 'weathertech-raceway-laguna-seca-full';
const HOURS = 4;
/** A phone is about four times slower than a computer like this; the goal is 10 ms a fix there. */
const GOAL_MS = 2.5;
const PAUSE_MS = 300_000;

/**
 * Measures what one fix of a RaceBox at 25 Hz costs, from its bytes to laps and gap, and what stays in memory over four hours of stints of ten laps.
 * Times are of the processor, so a busy machine does not change them much.
 */
export async function run(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const track = libraryTrack(TRACK);
  const receiver = { rateHz: 25, noiseMeters: 0.03, driftMeters: 0.5, speedNoiseMetersPerSecond: 0.05 };
  const drive = simulateDrive(track, { seed: 3, laps: 10, receiver });
  const file = openFixes(toLapFile(drive.fixes));
  const [lap] = timeLaps(file, track).laps.filter(({ status }) => status === 'valid');
  if (lap === undefined) throw new Error('The drive has laps.');
  const reference = { ...file, lap };
  const line = lineOfLaps([reference]) ?? undefined;
  const timing = new LiveTiming({ track, reference, line });
  const [firstMs, lastMs] = [drive.fixes[0]?.timeMs ?? 0, drive.fixes.at(-1)?.timeMs ?? 0];
  const stintMs = lastMs - firstMs + PAUSE_MS;
  const stints = Math.ceil((HOURS * 3_600_000) / stintMs);
  const costs: number[] = [];
  const crossings: number[] = [];
  let [laps, heapBytes] = [0, 0];
  for (let stint = 0; stint < stints; stint += 1) {
    const late = {
      ...drive,
      fixes: drive.fixes.map((fix) => ({ ...fix, timeMs: fix.timeMs + stint * stintMs })),
    };
    for (const { ms, events } of feed(timing, streamDrive(late, { kind: 'racebox', seed: stint }))) {
      costs.push(ms);
      if (events.length > 0) crossings.push(ms);
      laps += events.filter((kind) => kind === 'lap').length / 2;
    }
    // The first stint brings code and tables into memory.
    if (stint === 0) heapBytes = usedBytes(costs);
  }
  const grownBytes = usedBytes(costs) - heapBytes;
  costs.sort((a, b) => a - b);
  crossings.sort((a, b) => a - b);
  console.log(
    `${costs.length} fixes at 25 Hz in ${stints} stints over ${HOURS} h, ${laps} laps; processor time`,
  );
  print('each fix', costs);
  print('fixes that bring a lap, a sector, or their final time', crossings);
  console.log(`  goal ${GOAL_MS} ms (10 ms on a phone): ${share(costs)} of fixes within`);
  console.log(`  memory after the first stint and after all: ${(grownBytes / 1024).toFixed(0)} KiB more`);
}

function share(costs: readonly number[]): string {
  const within = costs.filter((ms) => ms <= GOAL_MS).length;
  return `${((100 * within) / costs.length).toFixed(3)} %`;
}

function print(name: string, sorted: readonly number[]): void {
  const at = (part: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0).toFixed(3);
  console.log(`  ${name.padEnd(54)} median ${at(0.5)} ms, 99 % ${at(0.99)} ms, most ${at(1)} ms`);
}

function* feed(
  timing: LiveTiming,
  chunks: readonly StreamChunk[],
): Generator<{ ms: number; events: string[] }> {
  const decoder = createDecoder('ubx', 'RaceBox Mini S');
  for (const chunk of chunks) {
    const before = process.cpuUsage();
    const fixes = decoder.feed(chunk);
    const events = fixes.flatMap((fix) => timing.feed(fix)).map(({ kind }) => kind);
    const isShown = timing.state.lapNumber >= 0;
    const { user, system } = process.cpuUsage(before);
    if (fixes.length > 0 && isShown) yield { ms: (user + system) / 1000 / fixes.length, events };
  }
}

/** Returns the memory in use without what the benchmark itself keeps. */
function usedBytes(costs: readonly number[]): number {
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers - 8 * costs.length;
}
