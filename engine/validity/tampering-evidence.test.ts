import { expect, test } from 'vitest';
import { libraryTrack } from '../../tests/library.ts';
import type { Lap } from '../timing/laps.ts';
import { toLapFile, simulateDrive, type DrivenFix, type SimulatedDrive } from '../simulation/drive.ts';
import type { Receiver } from '../simulation/receiver.ts';
import { duplicated } from '../testing/tamper.ts';
import { TAMPERINGS } from '../testing/tamperings.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import type { Track } from '../track.ts';

const TRACKS = ['grattan-raceway-full', 'weathertech-raceway-laguna-seca-full'].map(libraryTrack);

const GOOD: Partial<Receiver> = {
  noiseMeters: 0.02,
  driftMeters: 0.3,
  speedNoiseMetersPerSecond: 0.05,
  coordinateDecimals: 7,
};
const PHONE: Partial<Receiver> = {
  rateHz: 1,
  noiseMeters: 0.2,
  driftMeters: 1,
  speedNoiseMetersPerSecond: 0.2,
  coordinateDecimals: 6,
};

/** Returns the laps from line to line. */
function timed(fixes: DrivenFix[], track: Track): Lap[] {
  const { laps } = timeLaps(openFixes(toLapFile(fixes)), track);
  return laps.filter(({ reasons }) => !reasons.includes('out_lap') && !reasons.includes('in_lap'));
}

function drive(track: Track, seed: number, receiver: Partial<Receiver>, laps = 5) {
  return simulateDrive(track, { seed, laps, receiver });
}

/** Every tampering begins with the same drives. */
const ORIGINALS = new Map<string, SimulatedDrive>();

function originalDrive(track: Track, seed: number, receiver: Partial<Receiver>): SimulatedDrive {
  const key = `${track.id} ${seed} ${receiver.rateHz}`;
  const known = ORIGINALS.get(key) ?? drive(track, seed, receiver);
  ORIGINALS.set(key, known);
  return known;
}

const RECEIVERS = [
  { name: '10 Hz', receiver: { ...GOOD, rateHz: 10 } },
  { name: '25 Hz', receiver: { ...GOOD, rateHz: 25 } },
  { name: '1 Hz', receiver: PHONE },
];

test.each(TAMPERINGS)('$name is seen, and said', (tampering) => {
  for (const { name, receiver } of RECEIVERS) {
    if (tampering.needsRate === true && name === '1 Hz') continue;
    for (const [index, track] of TRACKS.entries()) {
      const original = originalDrive(track, 10 + index, receiver);
      const { fixes, momentMs } = tampering.apply(original, originalDrive(track, 20 + index, receiver));
      const concerned = timed(fixes, track).filter(
        ({ startTimeMs, lapTimeMs }) =>
          momentMs === null || (startTimeMs <= momentMs && momentMs < startTimeMs + lapTimeMs),
      );
      for (const lap of concerned) {
        const where = `${track.id} at ${name}`;
        expect(lap.status, where).not.toBe('valid');
        expect(
          lap.reasons.filter((reason) => tampering.reasons.includes(reason)).length,
          `${where}: ${lap.reasons.join(', ')}`,
        ).toBeGreaterThan(0);
      }
    }
  }
});

test('there are laps to be seen through in nearly every tampered file', () => {
  const [track] = TRACKS;
  if (track === undefined) throw new Error('There is a track.');
  const original = drive(track, 1, { ...GOOD, rateHz: 10 });
  const other = drive(track, 2, { ...GOOD, rateHz: 10 });
  for (const { name, apply } of TAMPERINGS) {
    expect(timed(apply(original, other).fixes, track).length, name).toBeGreaterThan(1);
  }
});

const CLEAN: Partial<Receiver>[] = [
  {},
  { rateHz: 1 },
  { rateHz: 25 },
  { rateHz: 20, coordinateDecimals: 7, timeStampStepMs: 1 },
  { rateHz: 25, coordinateDecimals: 5 },
  { rateHz: 5, coordinateDecimals: 6, timeStampStepMs: 10 },
  { rateHz: 18, timeStampStepMs: 1, noiseMeters: 0.05 },
  { rateHz: 10, noiseMeters: 0.5, driftMeters: 2, speedNoiseMetersPerSecond: 0.3 },
  { rateHz: 1, noiseMeters: 1, driftMeters: 4, speedNoiseMetersPerSecond: 0.5, coordinateDecimals: 5 },
  { rateHz: 10, jitterMs: 5, lossShare: 0.03, timeStampStepMs: 1 },
  { rateHz: 25, jitterMs: 3, lossShare: 0.02, noiseMeters: 0.03, timeStampStepMs: 1 },
  { rateHz: 1, jitterMs: 40, lossShare: 0.01, hasSpeed: false },
  { rateHz: 10, hasSpeed: false, noiseMeters: 0.2 },
];

test('of laps that were driven as they were recorded, fewer than one in a hundred is doubted', () => {
  const tracks = [
    ...TRACKS,
    libraryTrack('autodromo-nazionale-monza-grand-prix'),
    libraryTrack('circuit-de-monaco-street-circuit'),
  ];
  const doubted: string[] = [];
  let count = 0;
  for (const [index, receiver] of CLEAN.entries()) {
    for (const [seed, track] of tracks.entries()) {
      const laps = timed(drive(track, 100 * index + seed, receiver).fixes, track);
      count += laps.length;
      for (const lap of laps) {
        if (lap.status !== 'valid')
          doubted.push(`${index} ${track.id}: ${lap.status} ${lap.reasons.join(', ')}`);
      }
    }
  }
  expect(count).toBe(CLEAN.length * tracks.length * 5);
  expect(doubted.length / count, doubted.join('\n')).toBeLessThan(0.01);
});

/** Returns a drive of a receiver of 5 Hz that shows some positions one fix late: always one of `every`, from `first` on. */
function withLateFixes(fixes: readonly DrivenFix[], { first, every }: { first: number; every: number }) {
  return fixes.map((fix, index): DrivenFix => {
    const before = fixes[index - 1];
    if (before === undefined || index % every !== first % every) return fix;
    return {
      ...fix,
      lat: 0.1 * fix.lat + 0.9 * before.lat,
      lon: 0.1 * fix.lon + 0.9 * before.lon,
    };
  });
}

test('a receiver that shows some positions late does not jump, unless a lap begins or ends there', () => {
  const [track] = TRACKS;
  if (track === undefined) throw new Error('There is a track.');
  const original = drive(track, 6, { ...GOOD, rateHz: 5 }, 3);
  const crossedMs = original.trueLaps[1]?.startTimeMs ?? 0;
  const atLine = original.fixes.findIndex(({ timeMs }) => timeMs > crossedMs);
  const reasonsOf = (fixes: DrivenFix[]) => timed(fixes, track).map(({ reasons }) => reasons);
  const away = withLateFixes(original.fixes, { first: atLine + 100, every: original.fixes.length });
  expect(reasonsOf(away)).toEqual([[], [], []]);
  const near = withLateFixes(original.fixes, { first: atLine, every: original.fixes.length });
  expect(reasonsOf(near)).toEqual([['impossible_jump'], ['impossible_jump'], []]);
});

test('a receiver whose speeds are three percent too low in every lap is not doubted, one that is five percent off is', () => {
  const [track] = TRACKS;
  if (track === undefined) throw new Error('There is a track.');
  const { fixes } = drive(track, 7, { ...GOOD, rateHz: 5 }, 4);
  const reasonsAt = (factor: number) =>
    timed(
      fixes.map((fix) => ({ ...fix, speedMetersPerSecond: factor * fix.speedMetersPerSecond })),
      track,
    ).flatMap(({ reasons }) => reasons);
  expect(reasonsAt(0.97)).toEqual([]);
  expect(new Set(reasonsAt(0.95))).toEqual(new Set(['speeds_disagree']));
});

test('a lap that was driven twice, digit for digit, is seen at four decimals as well, where honest laps repeat positions', () => {
  const receiver = { ...GOOD, coordinateDecimals: 4 };
  const [track] = TRACKS;
  if (track === undefined) throw new Error('There is a track.');
  const honest = drive(track, 4, receiver, 3);
  // A car that stays on one position for over a second leaves a hole of its own.
  const verdicts = timed(honest.fixes, track).flatMap(({ status, reasons }) => [status, ...reasons]);
  expect(new Set([...verdicts, 'valid', 'warning', 'gap_in_data'])).toEqual(
    new Set(['valid', 'warning', 'gap_in_data']),
  );
  const rejected = timed(duplicated(honest).fixes, track).filter(({ reasons }) =>
    reasons.includes('repeated_positions'),
  );
  expect(rejected.length).toBeGreaterThanOrEqual(2);
});
