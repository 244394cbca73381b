import fc from 'fast-check';
import { expect, test } from 'vitest';
import { libraryTrack } from '../../tests/library.ts';
import { simulateDrive, toLapFile } from '../simulation/drive.ts';
import type { Receiver } from '../simulation/receiver.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';

const TRACKS = [
  'grattan-raceway-full',
  'weathertech-raceway-laguna-seca-full',
  'autodromo-nazionale-monza-grand-prix',
].map(libraryTrack);

/** Five of these fixes in a row are the phases in which a receiver of 5 Hz may sample the same drive. */
const RECEIVERS: Partial<Receiver>[] = [
  {},
  { driftMeters: 0.3, noiseMeters: 0.02, speedNoiseMetersPerSecond: 0.05, coordinateDecimals: 7 },
  { driftMeters: 0.7, noiseMeters: 0.03, speedNoiseMetersPerSecond: 0.08, coordinateDecimals: 7 },
  { driftMeters: 0.7, noiseMeters: 0.03, hasSpeed: false },
];
const PHASES = [0, 1, 2, 3, 4];

test('the uncertainty of a lap at 5 Hz depends by at most a third on when the receiver samples', () => {
  const drives = fc.record({
    track: fc.constantFrom(...TRACKS),
    receiver: fc.constantFrom(...RECEIVERS),
    laps: fc.integer({ min: 2, max: 10 }),
    seed: fc.integer({ min: 1, max: 10_000 }),
  });
  fc.assert(
    fc.property(drives, ({ track, receiver, laps, seed }) => {
      const { fixes } = simulateDrive(track, { seed, laps, receiver: { ...receiver, rateHz: 25 } });
      const uncertainties = PHASES.map((phase) => {
        const sampled = fixes.filter((_, index) => index % PHASES.length === phase);
        const timed = timeLaps(openFixes(toLapFile(sampled)), track).laps;
        return timed.filter(({ status }) => status !== 'incomplete').map((lap) => lap.uncertaintyMs);
      });
      for (let lap = 0; lap < laps; lap += 1) {
        const ofLap = uncertainties.map((phase) => phase[lap] ?? Number.NaN);
        expect(Math.max(...ofLap) / Math.min(...ofLap)).toBeLessThan(4 / 3);
      }
    }),
    { numRuns: 10, seed: 31 },
  );
});
