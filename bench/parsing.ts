import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { readLapFile } from '#engine/formats/recognise.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';
import { BINARY_WRITERS } from '#engine/testing/binary-writers.ts';
import { writeAimXrk } from '#engine/testing/write-aim-xrk.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { writeRaceChronoV3 } from '#engine/simulation/write-racechrono.ts';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { median } from '#engine/statistics.ts';
import { openFixes, openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import type { Track } from '#engine/track.ts';
import { CSV_READERS, GPX_READERS, readWithPitboard, type Reader } from './parsing-readers.ts';

/**
 * Measures from bytes to laps, against packages that only read the same columns: a RaceChrono v3 file of 30 columns and
 * one hour of GPX at 25 Hz, both driven by the simulated driver with a fixed seed. `--megabytes=30` makes the CSV
 * smaller; 120 otherwise.
 */
export async function run(): Promise<void> {
  const track = benchTrack();
  const folder = mkdtempSync(join(tmpdir(), 'pitboard-bench-'));
  try {
    const csv = await compare(csvBytes(track, wantedMegabytes()), {
      title: 'RaceChrono v3',
      path: join(folder, 'drive.csv'),
      rivals: CSV_READERS,
    });
    const gpx = gpxBytes(track);
    const xml = await compare(gpx, {
      title: 'GPX, one hour at 25 Hz',
      path: join(folder, 'drive.gpx'),
      rivals: GPX_READERS,
    });
    const lapFile = readLapFile(gpx);
    const timingMs = medianProcessorMs(() => timeLaps(openFixes(lapFile), track));
    console.log(
      `One hour at 25 Hz, from fixes to laps: ${timingMs.toFixed(1)} ms of processor time in the median.`,
    );
    const xrk = writeAimXrk(simulateDrive(track, { seed: 3, laps: 100, receiver: { rateHz: 10 } }));
    const recording = xrk.subarray(0, XRK_BYTES);
    const aim = await measure(() => openLapFile(recording).fixCount);
    console.log(
      `AiM .xrk of ${(recording.length / 1e6).toFixed(1)} MB, from bytes to a trace: ${aim.processorMs.toFixed(1)} ms of processor time.`,
    );
    await compareBinary(track);
    console.log(
      verdict([
        atMost('ms for an .xrk of 3 MB', aim.processorMs, 150),
        atLeast('times as fast as uDSV', ratio(csv, 'uDSV'), 4),
        atLeast('times as fast as saxes', ratio(xml, 'saxes'), 2),
        atLeast('times as fast as the slowest (CSV)', slowestRatio(csv), 10),
        atLeast('times as fast as the slowest (GPX)', slowestRatio(xml), 10),
        atMost('times the memory of the file (CSV)', csv[0]?.extraMemory ?? Number.NaN, 1.5),
        atMost('times the memory of the file (GPX)', xml[0]?.extraMemory ?? Number.NaN, 1.5),
        atMost('ms for an hour at 25 Hz after reading', timingMs, 20),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Every reader by its name; the first does the whole work and is the measure for the others. */
export function readers(track: Track): Record<string, Reader> {
  return {
    [WHOLE]: (bytes) => timeLaps(openLapFile(bytes), track).laps.length,
    [FIXES]: readWithPitboard,
    ...CSV_READERS,
    ...GPX_READERS,
  };
}

/** Returns the first bundled track that can be driven. */
export function benchTrack(): Track {
  const tracks: Track[] = JSON.parse(readFileSync(new URL('../data/tracks.json', import.meta.url), 'utf8'));
  const track = tracks.find(({ outline, startFinishLine }) => outline !== null && startFinishLine !== null);
  if (track === undefined)
    throw new Error('data/tracks.json has no track with an outline and a start/finish line.');
  return track;
}

const XRK_BYTES = 3_000_000;
const WHOLE = 'Pitboard: bytes to laps';
const FIXES = 'Pitboard: bytes to fixes';
const RUNS = 7;
/** Readers that take seconds are not run that often. */
const PATIENCE_MS = 15_000;

/** Describes one reader on one file; time and memory as shares of ours and of the file. The first is ours. */
type Result = Timing & { name: string; timesOurs: number; extraMemory: number };

/** The least of some runs, by the clock on the wall and by processor time, which threads of the runtime add to. */
type Timing = { milliseconds: number; processorMs: number };

async function compare(
  bytes: Uint8Array,
  { title, path, rivals }: { title: string; path: string; rivals: Record<string, Reader> },
): Promise<Result[]> {
  writeFileSync(path, bytes);
  const fixCount = readLapFile(bytes).fixes.length.toLocaleString('en');
  console.log(`${title}: ${(bytes.length / 1e6).toFixed(1)} MB, ${fixCount} fixes`);
  const all = readers(benchTrack());
  const results: (Result & { result: number })[] = [];
  for (const name of [WHOLE, FIXES, ...Object.keys(rivals)]) {
    const reader = all[name];
    if (reader === undefined) continue;
    const { milliseconds, processorMs, result } = await measure(() => reader(bytes));
    const timesOurs = processorMs / (results[0]?.processorMs ?? processorMs);
    results.push({
      name,
      milliseconds,
      processorMs,
      timesOurs,
      extraMemory: extraBytes(path, name) / bytes.length,
      result,
    });
  }
  console.table(
    results.map(({ name, milliseconds, processorMs, timesOurs, extraMemory, result }) => ({
      reader: name,
      ms: Math.round(milliseconds),
      'processor ms': Math.round(processorMs),
      'MB/s': Math.round(bytes.length / processorMs / 1000),
      'processor time, whole = 1': timesOurs.toFixed(1),
      'extra memory, file = 1': extraMemory.toFixed(1),
      'laps or checksum': name === WHOLE ? result : result.toFixed(3),
    })),
  );
  return results;
}

/** Reads one hour at 25 Hz in every binary format; they differ in what a fix takes, and in how many channels lie beside it. */
async function compareBinary(track: Track): Promise<void> {
  const hour = drive(track, 3600);
  const rows = [];
  for (const [format, write] of Object.entries(BINARY_WRITERS)) {
    const bytes = write(hour);
    const { milliseconds, processorMs, result } = await measure(
      () => readLapFile(bytes, inflateLapFile).fixes.length,
    );
    rows.push({
      format,
      MB: (bytes.length / 1e6).toFixed(1),
      fixes: result,
      ms: Math.round(milliseconds),
      'processor ms': Math.round(processorMs),
    });
  }
  console.log('One hour at 25 Hz in binary formats, from bytes to fixes:');
  console.table(rows);
}

function ratio(results: readonly Result[], name: string): number {
  return results.find((result) => result.name === name)?.timesOurs ?? Number.NaN;
}

function slowestRatio(results: readonly Result[]): number {
  return Math.max(...results.map(({ timesOurs }) => timesOurs));
}

/** Describes what was aimed at, what was reached, and whether that is enough. */
type Goal = { text: string; isReached: boolean };

function atLeast(what: string, value: number, goal: number): Goal {
  return { text: `${value.toFixed(1)} ${what} (at least ${goal})`, isReached: value >= goal };
}

function atMost(what: string, value: number, goal: number): Goal {
  return { text: `${value.toFixed(1)} ${what} (at most ${goal})`, isReached: value <= goal };
}

function verdict(goals: readonly Goal[]): string {
  const missed = goals.filter(({ isReached }) => !isReached);
  const judgement =
    missed.length === 0 ? 'All goals hold' : `${missed.length} of ${goals.length} goals are MISSED`;
  return `${judgement}: ${goals.map(({ text, isReached }) => (isReached ? text : `${text} MISSED`)).join('; ')}.`;
}

/**
 * The quickest of some runs, after one to warm up: what else the machine does can only make a run slower. Goals are about processor
 * time, which hardly depends on that.
 */
async function measure(work: () => number | Promise<number>): Promise<Timing & { result: number }> {
  const result = await work();
  let [milliseconds, processorMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const begin = performance.now();
  for (let run = 0; run < RUNS && performance.now() - begin < PATIENCE_MS; run++) {
    const [start, used] = [performance.now(), process.cpuUsage()];
    await work();
    milliseconds = Math.min(milliseconds, performance.now() - start);
    const { user, system } = process.cpuUsage(used);
    processorMs = Math.min(processorMs, (user + system) / 1000);
  }
  return { milliseconds, processorMs, result };
}

/** The middle of many runs, of which the first ones are still being compiled: the threads of a server have timed files before. */
function medianProcessorMs(work: () => unknown): number {
  const times = Array.from({ length: MEDIAN_RUNS }, () => {
    const used = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(used);
    return (user + system) / 1000;
  });
  return median(times) ?? Number.NaN;
}

const MEDIAN_RUNS = 61;

/** Returns how much a process of its own grows at most while it reads the file; NaN on systems that do not tell. */
function extraBytes(path: string, reader: string): number {
  if (process.platform !== 'linux') return Number.NaN;
  const script = fileURLToPath(new URL('parsing-memory.ts', import.meta.url));
  return Number(
    execFileSync(process.execPath, [...process.execArgv, script, path, reader], { encoding: 'utf8' }),
  );
}

function wantedMegabytes(): number {
  const flag = process.argv.find((argument) => argument.startsWith('--megabytes='));
  return flag === undefined ? 120 : Number(flag.slice('--megabytes='.length));
}

// A row has 30 columns; about four rows of other sensors come to every fix.
const BYTES_PER_ROW = 219;
const SENSOR_RATE_HZ = 100;

function csvBytes(track: Track, megabytes: number): Uint8Array {
  const seconds = (megabytes * 1e6) / BYTES_PER_ROW / SENSOR_RATE_HZ;
  return new TextEncoder().encode(writeRaceChronoV3(drive(track, seconds), { sensorRateHz: SENSOR_RATE_HZ }));
}

function gpxBytes(track: Track): Uint8Array {
  return new TextEncoder().encode(writeGpx(drive(track, 3600)));
}

/** Drives about so many seconds. */
function drive(track: Track, seconds: number): SimulatedDrive {
  const oneLap = simulateDrive(track, { seed: 1, laps: 2 }).trueLaps[1]?.lapTimeMs ?? Number.NaN;
  const laps = Math.max(1, Math.round((1000 * seconds) / oneLap));
  return simulateDrive(track, {
    seed: 1,
    laps,
    receiver: { rateHz: 25, noiseMeters: 0.02, timeStampStepMs: 1 },
  });
}
