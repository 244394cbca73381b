import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { compareLaps } from '#engine/comparison/compare-laps.ts';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import { openLapFile, timeLaps, type OpenedLapFile } from '#engine/time-lap-file.ts';
import { isRanking } from '#engine/timing/laps.ts';
import {
  addCounts,
  countKind,
  noCounts,
  PAIR_KINDS,
  type Counts,
  type PairCounts,
  type PairKind,
} from '#engine/testing/simulated-pairs.ts';
import { undirectedLine } from '#engine/timing-line.ts';
import { trackFromLine, type Track } from '#engine/track.ts';
import { listLapSamples } from '../tests/lap-samples.ts';
import { libraryTrack } from '../tests/library.ts';

const RATE_MIN_HZ = 9.5;

const TRACK_IDS = [
  'grattan-raceway-full',
  'circuit-de-monaco-street-circuit',
  'weathertech-raceway-laguna-seca-full',
];
const PAIRS_OF_A_KIND = 30;

/**
 * Prints how often the band holds the true gap of simulated pairs of laps and the true losses in their stretches, by kind, and how wide it is for the two best
 * laps of every recording of 10 Hz or more, and what it follows from.
 */
export async function run(): Promise<void> {
  for (const kind of PAIR_KINDS) {
    const { gap, losses } = countPairs(kind);
    console.log(
      `  ${kind.name.padEnd(12)} the gap at ${percent(gap)} of ${gap.places} places, the loss in ${percent(losses)} of ${losses.places} stretches`,
    );
  }
  const folder = process.env['LAP_SAMPLES'];
  if (folder === undefined) return console.log('Set LAP_SAMPLES to a folder of recordings to see theirs.');
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

/** Counts for pairs of this kind on three tracks. */
export function countPairs(kind: PairKind): PairCounts {
  const counts = noCounts();
  TRACK_IDS.forEach((id, index) => {
    for (let pair = 0; pair < PAIRS_OF_A_KIND; pair += 1)
      addCounts(counts, countKind(kind, libraryTrack(id), 40_000 + 1000 * index + 10 * pair));
  });
  return counts;
}

function percent({ places, inside }: Counts): string {
  return `${((100 * inside) / places).toFixed(1)} %`;
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

/** Opens a recording; null where the engine cannot read it. */
export function openRecording(path: string): OpenedLapFile | null {
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
