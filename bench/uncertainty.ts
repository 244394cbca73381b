import { toLapFile, simulateDrive } from '#engine/simulation/drive.ts';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';
import { CHIPS } from '#engine/testing/chips.ts';
import { openFixes, timeLaps } from '#engine/time-lap-file.ts';
import type { Track } from '#engine/track.ts';
import { libraryTrack } from '../tests/library.ts';
import { LAPS, printRow, rms, SAME_LAP_MS, TRACK_IDS, type Case } from './timing.ts';

/** Lists receivers by the size of their drift. */
const RECEIVERS: (Case & { ratesHz: number[] })[] = [
  {
    name: 'good, 0.3 m',
    receiver: { driftMeters: 0.3, noiseMeters: 0.02, speedNoiseMetersPerSecond: 0.05, coordinateDecimals: 7 },
    ratesHz: [5, 10, 25],
  },
  {
    name: 'usual, 0.7 m',
    receiver: { driftMeters: 0.7, noiseMeters: 0.03, speedNoiseMetersPerSecond: 0.08, coordinateDecimals: 7 },
    ratesHz: [5, 10, 25],
  },
  {
    name: 'poor, 1.5 m',
    receiver: { driftMeters: 1.5, noiseMeters: 0.1, speedNoiseMetersPerSecond: 0.1, coordinateDecimals: 6 },
    ratesHz: [5, 10, 25],
  },
  {
    name: 'phone, 1.5 m',
    receiver: { driftMeters: 1.5, noiseMeters: 0.3, speedNoiseMetersPerSecond: 0.3, coordinateDecimals: 6 },
    ratesHz: [1, 5, 10],
  },
  {
    name: '10 ms stamps',
    receiver: { driftMeters: 0.5, noiseMeters: 0.03, speedNoiseMetersPerSecond: 0.1, timeStampStepMs: 10 },
    ratesHz: [10, 25],
  },
  {
    name: 'no speeds, 0.7 m',
    receiver: { driftMeters: 0.7, noiseMeters: 0.03, hasSpeed: false },
    ratesHz: [10, 25],
  },
];

/** Prints whether the stated uncertainty holds, for each kind of receiver, on the start/finish line and on every sector line. */
export async function run(): Promise<void> {
  console.log(
    'The stated 95 % uncertainty, on the line and on the sector lines of the same tracks, other seeds\n',
  );
  printRow(['receiver', 'rate', 'error RMS', 'mean ±', 'in', 'laps']);
  const all = { inside: 0, laps: 0 };
  for (const { name, receiver, ratesHz } of [...RECEIVERS, ...CHIPS]) {
    for (const rateHz of ratesHz) {
      const totals = { ours: [] as number[], stated: [] as number[], inside: 0 };
      TRACK_IDS.forEach((id, index) => {
        for (const seed of [11, 12]) {
          for (const track of onEveryLine(libraryTrack(id))) {
            const drive = simulateDrive(track, {
              seed: seed * 1000 + index,
              laps: LAPS,
              receiver: { ...receiver, rateHz },
            });
            judge(drive, track, totals);
          }
        }
      });
      const meanMs = totals.stated.reduce((sum, stated) => sum + stated, 0) / totals.stated.length;
      const share = (totals.inside / totals.ours.length) * 100;
      printRow([
        name,
        `${rateHz} Hz`,
        rms(totals.ours),
        meanMs.toFixed(1),
        `${share.toFixed(1)} %`,
        `${totals.ours.length}`,
      ]);
      all.inside += totals.inside;
      all.laps += totals.ours.length;
    }
  }
  console.log(`all: ${((100 * all.inside) / all.laps).toFixed(1)} % of ${all.laps} laps`);
}

/**
 * Returns tracks with their start/finish line at each of their lines: on a straight, in bends, where cars brake and
 * where they accelerate.
 */
function onEveryLine(track: Track): Track[] {
  return [track.startFinishLine, ...track.sectors].map((startFinishLine) => ({
    ...track,
    startFinishLine,
    sectors: [],
  }));
}

function judge(
  drive: SimulatedDrive,
  track: Track,
  totals: { ours: number[]; stated: number[]; inside: number },
): void {
  const { laps } = timeLaps(openFixes(toLapFile(drive.fixes)), track);
  for (const truth of drive.trueLaps) {
    const lap = laps.find((candidate) => Math.abs(candidate.startTimeMs - truth.startTimeMs) < SAME_LAP_MS);
    if (lap === undefined) continue;
    const error = lap.lapTimeMs - truth.lapTimeMs;
    totals.ours.push(error);
    totals.stated.push(lap.uncertaintyMs);
    if (Math.abs(error) <= lap.uncertaintyMs) totals.inside += 1;
  }
}
