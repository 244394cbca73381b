import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { compareLaps } from '#engine/comparison/compare-laps.ts';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import { openLapFile, timeLaps, type OpenedLapFile } from '#engine/time-lap-file.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { undirectedLine } from '#engine/timing-line.ts';
import { trackFromLine, type Track } from '#engine/track.ts';
import { listLapSamples } from '../tests/lap-samples.ts';

const RATE_MIN_HZ = 9.5;

/** Prints how wide the band around the gap of the two best laps is on every recording of 10 Hz or more, and what it follows from. */
export async function run(): Promise<void> {
  const folder = process.env['LAP_SAMPLES'];
  if (folder === undefined) return console.log('Set LAP_SAMPLES to a folder of recordings.');
  const widths = listLapSamples(folder).flatMap(({ path, truth }) => {
    const width = truth?.startFinish
      ? printBand(path, trackFromLine(undirectedLine(...truth.startFinish)))
      : null;
    return width ?? [];
  });
  const sorted = widths.toSorted((a, b) => a - b);
  const middle = sorted[sorted.length >> 1] ?? Number.NaN;
  console.log(
    `${widths.length} recordings: ±${middle.toFixed(0)} ms in the middle, at least ±${sorted[0]?.toFixed(0)} ms`,
  );
}

/** Prints and gives half the width in milliseconds; null where the recording is slower or has less than two laps. */
function printBand(path: string, track: Track): number | null {
  const file = openRecording(path);
  if (file === null || (file.gpsRateHz ?? 0) < RATE_MIN_HZ) return null;
  const ranking = timeLaps(file, track).laps.filter(isRanking);
  const [best, second] = ranking.toSorted((a, b) => a.lapTimeMs - b.lapTimeMs);
  if (!best || !second) return null;
  const compared = compareLaps({ ...file, lap: best }, [{ ...file, lap: second, isSameRecording: true }]);
  const [other] = compared?.laps ?? [];
  if (!compared || !other) return null;
  const [widthMs, kmh] = [mean(other.bandMs), 3.6 * mean(compared.reference.speedsMetersPerSecond)];
  const drift = `drift ${file.noise.driftMeters.toFixed(2)} m at ${kmh.toFixed(0)} km/h`;
  console.log(`  ${basename(path).padEnd(48)} ±${widthMs.toFixed(0)} ms, ${drift}`);
  return widthMs;
}

function openRecording(path: string): OpenedLapFile | null {
  try {
    return openLapFile(new Uint8Array(readFileSync(path)));
  } catch (error) {
    if (error instanceof UnreadableLapFileError) return null;
    throw error;
  }
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
