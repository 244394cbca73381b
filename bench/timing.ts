import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { findCrossings } from '#engine/timing/crossings.ts';
import { at } from '#engine/fix-columns.ts';
import { bearingDegrees, planeAround, planeX, planeY, toPosition } from '#engine/geo.ts';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import { isMostlyForward } from '#engine/timing/lap-spans.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { toLapFile, simulateDrive } from '#engine/simulation/drive.ts';
import type { DrivenFix, SimulatedDrive } from '#engine/simulation/drive.ts';
import type { Receiver } from '#engine/simulation/receiver.ts';
import { openFixes, openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import type { OpenedLapFile } from '#engine/time-lap-file.ts';
import { toLineFrame } from '#engine/timing-line.ts';
import type { LineFrame, TimingLine } from '#engine/timing-line.ts';
import type { Trace } from '#engine/trace/trace.ts';
import type { Track } from '#engine/track.ts';
import { libraryTrack } from '../tests/library.ts';

/** Lap times that are wrong by this much are other laps, not inaccurate ones. */
export const SAME_LAP_MS = 2000;
/** Every simulated drive has so many laps. */
export const LAPS = 12;
/** Lists the tracks that are driven: quick and slow ones. */
export const TRACK_IDS = [
  'autodromo-nazionale-monza-grand-prix',
  'grattan-raceway-full',
  'weathertech-raceway-laguna-seca-full',
  'circuit-de-monaco-street-circuit',
];

/** A receiver by its name and what is special about it. */
export type Case = { name: string; receiver: Partial<Receiver> };

const CASES: Case[] = [
  { name: 'exact', receiver: {} },
  { name: 'noise 5 cm', receiver: { noiseMeters: 0.05, speedNoiseMetersPerSecond: 0.05 } },
  { name: 'drift 0.3 m', receiver: { driftMeters: 0.3, noiseMeters: 0.02, speedNoiseMetersPerSecond: 0.05 } },
  { name: 'drift 1 m', receiver: { driftMeters: 1, noiseMeters: 0.05, speedNoiseMetersPerSecond: 0.1 } },
  { name: '5 decimals', receiver: { coordinateDecimals: 5, timeStampStepMs: 1 } },
  { name: 'no speed', receiver: { hasSpeed: false } },
  { name: 'jitter, losses', receiver: { jitterMs: 5, lossShare: 0.03, timeStampStepMs: 1 } },
];

/** Measures how accurate lap times are, how honest their uncertainty, and how long an hour takes. */
export async function run(): Promise<void> {
  // First, while the machine code is made for the engine alone and not for the comparisons below as well.
  speedOnAnHour();
  accuracyOnSimulatedDrives();
  accuracyOnRealFile();
}

function accuracyOnSimulatedDrives(): void {
  console.log(
    `Simulated drives on ${TRACK_IDS.length} tracks, ${LAPS} laps each: error of the lap time, RMS in ms`,
  );
  console.log('(in: share of laps within the stated 95 % uncertainty; count: laps found / true laps)\n');
  printRow(['receiver', 'rate', 'nearest fix', 'linear', 'Pitboard', 'in', 'count']);
  for (const { name, receiver } of CASES) {
    for (const rateHz of [1, 5, 10, 25]) {
      const totals = {
        nearest: [] as number[],
        linear: [] as number[],
        ours: [] as number[],
        inside: 0,
        found: 0,
        laps: 0,
      };
      TRACK_IDS.forEach((id, index) => {
        const track = libraryTrack(id);
        for (const seed of [1, 2, 3]) {
          const drive = simulateDrive(track, {
            seed: seed * 100 + index,
            laps: LAPS,
            receiver: { ...receiver, rateHz },
          });
          measure(drive, track, totals);
        }
      });
      printRow([
        name,
        `${rateHz} Hz`,
        rms(totals.nearest),
        rms(totals.linear),
        rms(totals.ours),
        `${Math.round((100 * totals.inside) / totals.laps)} %`,
        `${totals.found}/${totals.laps}`,
      ]);
    }
  }
}

type Totals = {
  nearest: number[];
  linear: number[];
  ours: number[];
  inside: number;
  found: number;
  laps: number;
};

function measure(drive: SimulatedDrive, track: Track, totals: Totals): void {
  const file = openFixes(toLapFile(drive.fixes));
  const { laps } = timeLaps(file, track);
  totals.found += laps.filter(isRanking).length;
  totals.laps += drive.trueLaps.length;
  const frame = track.startFinishLine && toLineFrame(track.startFinishLine);
  if (frame === null) return;
  const peers = {
    nearest: peerTimes(file.trace, frame, 'nearest'),
    linear: peerTimes(file.trace, frame, 'linear'),
  };
  for (const truth of drive.trueLaps) {
    const lap = laps.find((candidate) => Math.abs(candidate.startTimeMs - truth.startTimeMs) < SAME_LAP_MS);
    if (lap !== undefined) {
      const error = lap.lapTimeMs - truth.lapTimeMs;
      totals.ours.push(error);
      if (Math.abs(error) <= lap.uncertaintyMs) totals.inside += 1;
    }
    for (const method of ['nearest', 'linear'] as const) {
      const times = peers[method];
      const start = times.findIndex((time) => Math.abs(time - truth.startTimeMs) < SAME_LAP_MS);
      const [from, to] = [times[start], times[start + 1]];
      if (from !== undefined && to !== undefined) totals[method].push(to - from - truth.lapTimeMs);
    }
  }
}

/** Returns when the line was passed, as other lap timers reckon: at the nearer fix, or as if the speed between fixes were even. */
function peerTimes(trace: Trace, frame: LineFrame, method: 'nearest' | 'linear'): number[] {
  const passes = findCrossings({ trace, speeds: null, noise: { whiteMeters: 0, driftMeters: 0 } }, frame);
  const isForward = isMostlyForward(passes);
  const ahead = (fix: number): number =>
    planeX(frame.plane, at(trace.fixes.lons, fix)) * frame.forward.x +
    planeY(frame.plane, at(trace.fixes.lats, fix)) * frame.forward.y;
  return passes
    .filter((pass) => pass.isForward === isForward)
    .map(({ fixIndex }) => {
      const [before, after] = [ahead(fixIndex), ahead(fixIndex + 1)];
      const share = before / (before - after);
      const [from, to] = [at(trace.fixes.timesMs, fixIndex), at(trace.fixes.timesMs, fixIndex + 1)];
      if (method === 'nearest') return share < 0.5 ? from : to;
      return from + share * (to - from);
    });
}

/**
 * Returns the 25 Hz recording of a car, thinned to lower rates, against the laps of the whole recording. The line lies
 * wherever the lap passes at equal distances, in braking zones and bends as well as on straights.
 */
function accuracyOnRealFile(): void {
  const file = openSample('vbo_zenkovich_test_data.vbo');
  if (file === null) return;
  console.log(
    '\nA real 25 Hz recording thinned in 8 phases, on 24 lines around the lap: difference from the result of the same method at 25 Hz, RMS in ms\n',
  );
  printRow(['rate', 'nearest fix', 'linear', 'Pitboard', 'Pitboard, worst line', 'laps']);
  const lines = linesAlong(file);
  for (const every of [2.5, 5, 12.5, 25]) {
    const all = { nearest: [] as number[], linear: [] as number[], ours: [] as number[] };
    let worst = 0;
    for (const line of lines) {
      const frame = toLineFrame(line);
      if (frame === null) continue;
      const own = {
        nearest: lapTimes(peerTimes(file.trace, frame, 'nearest')),
        linear: lapTimes(peerTimes(file.trace, frame, 'linear')),
        ours: lapTimes(passTimes(file, frame)),
      };
      const ours: number[] = [];
      for (let phase = 0; phase < 8; phase += 1) {
        const thinned = thinnedTo(file, every, (phase * every) / 8);
        ours.push(...differences(lapTimes(passTimes(thinned, frame)), own.ours));
        for (const method of ['nearest', 'linear'] as const) {
          all[method].push(...differences(lapTimes(peerTimes(thinned.trace, frame, method)), own[method]));
        }
      }
      all.ours.push(...ours);
      worst = Math.max(worst, Number(rms(ours)));
    }
    printRow([
      `${25 / every} Hz`,
      rms(all.nearest),
      rms(all.linear),
      rms(all.ours),
      worst.toFixed(1),
      `${all.ours.length}`,
    ]);
  }
}

const LINES = 24;
const LINE_HALF_WIDTH_METERS = 15;

/** Returns lines across the quickest of the laps, at equal distances. */
function linesAlong(file: OpenedLapFile): TimingLine[] {
  const { fixes } = file.trace;
  const middle = Math.floor(fixes.length / 2);
  const meters = file.cumulativeMeters;
  const lapMeters = 3300;
  const lines: TimingLine[] = [];
  for (let count = 0; count < LINES; count += 1) {
    const target = at(meters, middle) + (count * lapMeters) / LINES;
    const fix = meters.findIndex((value) => value >= target);
    const center = { lat: at(fixes.lats, fix), lon: at(fixes.lons, fix) };
    const plane = planeAround(center);
    const [x, y] = [planeX(plane, at(fixes.lons, fix + 5)), planeY(plane, at(fixes.lats, fix + 5))];
    const length = Math.hypot(x, y);
    const side = { x: (y / length) * LINE_HALF_WIDTH_METERS, y: (-x / length) * LINE_HALF_WIDTH_METERS };
    lines.push({
      a: toPosition(plane, { x: -side.x, y: -side.y }),
      b: toPosition(plane, side),
      bearingDeg: bearingDegrees(center, toPosition(plane, { x, y })),
    });
  }
  return lines;
}

function passTimes(file: OpenedLapFile, frame: LineFrame): number[] {
  return findCrossings(file, frame)
    .filter((pass) => pass.isForward)
    .map((pass) => pass.timeMs);
}

type TimedSpan = { startMs: number; lapTimeMs: number };

function lapTimes(times: number[]): TimedSpan[] {
  return times
    .slice(1)
    .map((time, index) => ({ startMs: times[index] ?? 0, lapTimeMs: time - (times[index] ?? 0) }));
}

function differences(laps: TimedSpan[], truth: TimedSpan[]): number[] {
  return laps.flatMap((lap) => {
    const same = truth.find(
      (other) =>
        Math.abs(other.startMs - lap.startMs) < SAME_LAP_MS &&
        Math.abs(other.lapTimeMs - lap.lapTimeMs) < SAME_LAP_MS,
    );
    return same === undefined ? [] : [lap.lapTimeMs - same.lapTimeMs];
  });
}

function thinnedTo(file: OpenedLapFile, every: number, phase: number): OpenedLapFile {
  const { fixes } = file.trace;
  const kept: DrivenFix[] = [];
  for (let next = phase; Math.round(next) < fixes.length; next += every) {
    const fix = Math.round(next);
    kept.push({
      timeMs: at(fixes.timesMs, fix),
      lat: at(fixes.lats, fix),
      lon: at(fixes.lons, fix),
      speedMetersPerSecond: at(fixes.speedsMetersPerSecond, fix),
    });
  }
  return openFixes(toLapFile(kept));
}

/** Opens a recording that is not part of the project; its folder is named by LAP_SAMPLES. */
function openSample(name: string): OpenedLapFile | null {
  const folder = process.env['LAP_SAMPLES'];
  const path = join(folder ?? '.', 'lap-files', name);
  if (folder === undefined || !existsSync(path)) {
    console.log(`\n(Set LAP_SAMPLES to a folder with lap-files/${name} to measure on a real recording.)`);
    return null;
  }
  try {
    return openLapFile(readFileSync(path));
  } catch (error) {
    if (!(error instanceof UnreadableLapFileError)) throw error;
    console.log(`\n(${name} cannot be read yet: ${error.message})`);
    return null;
  }
}

function speedOnAnHour(): void {
  const track = libraryTrack('autodromo-nazionale-monza-grand-prix');
  const drive = simulateDrive(track, {
    seed: 5,
    laps: 22,
    receiver: { rateHz: 25, noiseMeters: 0.02, speedNoiseMetersPerSecond: 0.05 },
  });
  const lapFile = toLapFile(drive.fixes);
  const times: number[] = [];
  for (let round = 0; round < 100; round += 1) {
    const start = process.cpuUsage();
    timeLaps(openFixes(lapFile), track);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  const first = times[0] ?? 0;
  times.sort((a, b) => a - b);
  console.log(
    `\n${drive.fixes.length} fixes (${(drive.fixes.length / 25 / 60).toFixed(0)} minutes at 25 Hz), from columns to judged laps:`,
  );
  // The benchmark counts processor time, since other work of the machine makes a run longer.
  console.log(
    `best ${times[0]?.toFixed(1)} ms, median ${times[Math.floor(times.length / 2)]?.toFixed(1)} ms, first ${first.toFixed(1)} ms of processor time (goal: at most 20 ms)`,
  );
}

/** Root mean square, written with one decimal; a dash for none. */
export function rms(errors: number[]): string {
  if (errors.length === 0) return '-';
  return Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length).toFixed(1);
}

/** Prints one line of a table: the first cell to the left, the others to the right. */
export function printRow(cells: string[]): void {
  console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(16) : cell.padStart(12))).join(' '));
}
