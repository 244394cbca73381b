import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { readLapFile } from '#engine/formats/recognise.ts';
import { simulateDrive } from '#engine/testing/drive.ts';
import type { SimulatedDrive } from '#engine/testing/drive.ts';
import { writeGpx } from '#engine/testing/write-gpx.ts';
import { writeRaceChronoV3 } from '#engine/testing/write-racechrono.ts';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import type { Track } from '#engine/track.ts';
import { CSV_READERS, GPX_READERS, readWithPitboard } from './parsing-readers.ts';
import type { Reader } from './parsing-readers.ts';

/**
 * From bytes to laps, against packages that only read the same columns: a RaceChrono v3 file of 30 columns and one hour of GPX at
 * 25 Hz, both driven by the simulated driver with a fixed seed. `--megabytes=120` makes the CSV larger; 30 otherwise.
 */
export async function run(): Promise<void> {
  const track = benchTrack();
  const folder = mkdtempSync(join(tmpdir(), 'pitboard-bench-'));
  try {
    await compare(
      csvBytes(track, wantedMegabytes()),
      'RaceChrono v3',
      join(folder, 'drive.csv'),
      CSV_READERS,
    );
    await compare(gpxBytes(track), 'GPX, one hour at 25 Hz', join(folder, 'drive.gpx'), GPX_READERS);
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

/** The first bundled track that can be driven. */
export function benchTrack(): Track {
  const tracks: Track[] = JSON.parse(readFileSync(new URL('../data/tracks.json', import.meta.url), 'utf8'));
  const track = tracks.find(({ outline, startFinishLine }) => outline !== null && startFinishLine !== null);
  if (track === undefined)
    throw new Error('data/tracks.json has no track with an outline and a start/finish line.');
  return track;
}

const WHOLE = 'Pitboard: bytes to laps';
const FIXES = 'Pitboard: bytes to fixes';
const RUNS = 7;

async function compare(
  bytes: Uint8Array,
  title: string,
  path: string,
  rivals: Record<string, Reader>,
): Promise<void> {
  writeFileSync(path, bytes);
  const fixCount = readLapFile(bytes).fixes.length.toLocaleString('en');
  console.log(`${title}: ${(bytes.length / 1e6).toFixed(1)} MB, ${fixCount} fixes`);
  const all = readers(benchTrack());
  const rows = [];
  for (const name of [WHOLE, FIXES, ...Object.keys(rivals)]) {
    const reader = all[name];
    if (reader === undefined) continue;
    const { milliseconds, result } = await measure(() => reader(bytes));
    rows.push({ name, milliseconds, result, extraBytes: extraBytes(path, name) });
  }
  const whole = rows[0]?.milliseconds ?? Number.NaN;
  console.table(
    rows.map(({ name, milliseconds, result, extraBytes }) => ({
      reader: name,
      ms: Math.round(milliseconds),
      'MB/s': Math.round(bytes.length / milliseconds / 1000),
      'time, whole = 1': (milliseconds / whole).toFixed(1),
      'extra memory, file = 1': (extraBytes / bytes.length).toFixed(1),
      'laps or checksum': name === WHOLE ? result : result.toFixed(3),
    })),
  );
}

/** The quickest of some runs, after one to warm up: what else the machine does can only make a run slower. */
async function measure(
  work: () => number | Promise<number>,
): Promise<{ milliseconds: number; result: number }> {
  const result = await work();
  let milliseconds = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    await work();
    milliseconds = Math.min(milliseconds, performance.now() - start);
  }
  return { milliseconds, result };
}

/** How much a process of its own grows at most while it reads the file; NaN on systems that do not tell. */
function extraBytes(path: string, reader: string): number {
  if (process.platform !== 'linux') return Number.NaN;
  const script = fileURLToPath(new URL('parsing-memory.ts', import.meta.url));
  return Number(
    execFileSync(process.execPath, ['--import', 'tsx', script, path, reader], { encoding: 'utf8' }),
  );
}

function wantedMegabytes(): number {
  const flag = process.argv.find((argument) => argument.startsWith('--megabytes='));
  return flag === undefined ? 30 : Number(flag.slice('--megabytes='.length));
}

// A row of 30 columns; about four rows of other sensors to every fix.
const BYTES_PER_ROW = 197;
const SENSOR_RATE_HZ = 100;

function csvBytes(track: Track, megabytes: number): Uint8Array {
  const seconds = (megabytes * 1e6) / BYTES_PER_ROW / SENSOR_RATE_HZ;
  return new TextEncoder().encode(writeRaceChronoV3(drive(track, seconds), { sensorRateHz: SENSOR_RATE_HZ }));
}

function gpxBytes(track: Track): Uint8Array {
  return new TextEncoder().encode(writeGpx(drive(track, 3600)));
}

/** About so many seconds of driving. */
function drive(track: Track, seconds: number): SimulatedDrive {
  const oneLap = simulateDrive(track, { seed: 1, laps: 2 }).trueLaps[1]?.lapTimeMs ?? Number.NaN;
  const laps = Math.max(1, Math.round((1000 * seconds) / oneLap));
  return simulateDrive(track, {
    seed: 1,
    laps,
    receiver: { rateHz: 25, noiseMeters: 0.02, timeStampStepMs: 1 },
  });
}
