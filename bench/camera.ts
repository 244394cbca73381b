import { listDisagreements, measureCameraAgreement } from '#engine/plausibility/camera-agreement.ts';
import { simulateDrive, toLapFile, type DrivenFix, type DriveOptions } from '#engine/simulation/drive.ts';
import { seededRandom } from '#engine/simulation/random.ts';
import { type Receiver } from '#engine/simulation/receiver.ts';
import { openFixes, timeLaps } from '#engine/time-lap-file.ts';
import type { Track } from '#engine/track.ts';
import { libraryTrack } from '../tests/library.ts';
import { printRow, SAME_LAP_MS, TRACK_IDS } from './timing.ts';

const LOGGERS: readonly { name: string; receiver: Partial<Receiver> }[] = [
  {
    name: 'good, 25 Hz',
    receiver: { driftMeters: 0.3, noiseMeters: 0.02, speedNoiseMetersPerSecond: 0.05, rateHz: 25 },
  },
  {
    name: 'usual, 10 Hz',
    receiver: { driftMeters: 0.7, noiseMeters: 0.03, speedNoiseMetersPerSecond: 0.08, rateHz: 10 },
  },
  {
    name: 'usual, 5 Hz',
    receiver: { driftMeters: 0.7, noiseMeters: 0.03, speedNoiseMetersPerSecond: 0.08, rateHz: 5 },
  },
  {
    name: 'poor, 10 Hz',
    receiver: { driftMeters: 1.5, noiseMeters: 0.1, speedNoiseMetersPerSecond: 0.1, rateHz: 10 },
  },
  {
    name: 'phone, 1 Hz',
    receiver: { driftMeters: 1.5, noiseMeters: 0.3, speedNoiseMetersPerSecond: 0.3, rateHz: 1 },
  },
  {
    name: 'no speeds, 10 Hz',
    receiver: { driftMeters: 0.7, noiseMeters: 0.03, hasSpeed: false, rateHz: 10 },
  },
  {
    name: 'loses fixes, 10 Hz',
    receiver: {
      driftMeters: 0.7,
      noiseMeters: 0.05,
      lossShare: 0.05,
      speedNoiseMetersPerSecond: 0.1,
      rateHz: 10,
    },
  },
];

// GPS5 comes 18 times a second, GPS9 ten times. The rate is a bit off, so that no camera errs as the logger does.
const CAMERAS: readonly { name: string; receiver: Partial<Receiver> }[] = [
  {
    name: 'GPS5',
    receiver: {
      driftMeters: 1.2,
      noiseMeters: 0.1,
      speedNoiseMetersPerSecond: 0.2,
      rateHz: 18.1,
      coordinateDecimals: 7,
    },
  },
  {
    name: 'GPS9',
    receiver: {
      driftMeters: 0.8,
      noiseMeters: 0.05,
      speedNoiseMetersPerSecond: 0.15,
      rateHz: 9.7,
      coordinateDecimals: 7,
    },
  },
];

const SEEDS = [1, 2, 3];
const LAPS = 3;

type Forge = (
  fixes: DrivenFix[],
  forged: { track: Track; seed: number; lapMs: number; startMs: number },
) => DrivenFix[];

const drive = (track: Track, options: Partial<DriveOptions> & { seed: number }) =>
  simulateDrive(track, { laps: LAPS, styleSeed: options.seed, ...options });

const moved = (fixes: DrivenFix[], change: (fix: DrivenFix, index: number) => Partial<DrivenFix>) =>
  fixes.map((fix, index) => ({ ...fix, ...change(fix, index) }));

/** Returns metres to the north in degrees. */
const north = (meters: number) => meters / 111_195;

/** Makes what somebody may send as the positions of a camera that was not there. Each starts from the honest ones, or from the lap file. */
const FORGERIES: Record<string, Forge> = {
  'another day': (_, { track, seed }) =>
    drive(track, { seed: seed + 500, receiver: CAMERAS[0]?.receiver ?? {} }).fixes,
  'a faster car': (_, { track, seed }) =>
    drive(track, {
      seed,
      receiver: CAMERAS[0]?.receiver ?? {},
      vehicle: { cornering: 15, braking: 14, traction: 8, wattsPerKilogram: 320 },
    }).fixes,
  'a slower car': (_, { track, seed }) =>
    drive(track, { seed, receiver: CAMERAS[0]?.receiver ?? {}, topSpeedMetersPerSecond: 34 }).fixes,
  'shifted by 30 m': (fixes) => moved(fixes, ({ lat }) => ({ lat: lat + north(30) })),
  'shifted by 3 s': (fixes) => moved(fixes, ({ timeMs }) => ({ timeMs: timeMs + 3_000 })),
  'times scaled by 1.5 %': (fixes, { startMs }) =>
    moved(fixes, ({ timeMs }) => ({ timeMs: startMs + 0.985 * (timeMs - startMs) })),
  'positions scaled by 2 %': (fixes, { track }) =>
    moved(fixes, ({ lat, lon }) => ({
      lat: track.centerLat + 1.02 * (lat - track.centerLat),
      lon: track.centerLon + 1.02 * (lon - track.centerLon),
    })),
  'speeds scaled by 5 %': (fixes) =>
    moved(fixes, ({ speedMetersPerSecond }) => ({ speedMetersPerSecond: 1.05 * speedMetersPerSecond })),
  'ten seconds cut out': (fixes, { startMs, lapMs }) =>
    fixes.filter(({ timeMs }) => timeMs < startMs + 0.4 * lapMs || timeMs > startMs + 0.4 * lapMs + 10_000),
  'cut short': (fixes, { startMs, lapMs }) => fixes.filter(({ timeMs }) => timeMs < startMs + 0.8 * lapMs),
  'another lap replayed': (fixes, { lapMs }) => moved(fixes, ({ timeMs }) => ({ timeMs: timeMs - lapMs })),
  'half of another lap': (fixes, { startMs, lapMs, track, seed }) => {
    const other = drive(track, { seed: seed + 700, receiver: CAMERAS[0]?.receiver ?? {} }).fixes;
    const half = startMs + lapMs / 2;
    return [...fixes.filter(({ timeMs }) => timeMs < half), ...other.filter(({ timeMs }) => timeMs >= half)];
  },
  'the lap file itself': () => [],
  'the lap file with noise': () => [],
  'the lap file, moved': () => [],
};

/** Measures how often a camera that was in the car agrees with the lap file, and how many forgeries are caught. */
export async function run(): Promise<void> {
  printRow(['logger', 'camera', 'laps', 'flagged', 'most']);
  let [honest, flagged] = [0, 0];
  for (const logger of LOGGERS)
    for (const camera of CAMERAS) {
      const reasons: string[] = [];
      let laps = 0;
      for (const id of TRACK_IDS)
        for (const seed of SEEDS)
          for (const found of comparePair(libraryTrack(id), seed, {
            logger: logger.receiver,
            camera: camera.receiver,
          })) {
            laps += 1;
            reasons.push(...found.slice(0, 1));
          }
      honest += laps;
      flagged += reasons.length;
      printRow([logger.name, camera.name, `${laps}`, `${reasons.length}`, reasons[0] ?? '']);
    }
  console.log(`honest pairs flagged: ${((100 * flagged) / honest).toFixed(2)} % of ${honest}\n`);
  printRow(['forgery', 'caught', 'of', 'by']);
  for (const [name, forge] of Object.entries(FORGERIES)) {
    const found = TRACK_IDS.flatMap((id) =>
      comparePair(libraryTrack(id), 4, {
        logger: LOGGERS[1]?.receiver ?? {},
        camera: CAMERAS[0]?.receiver ?? {},
        forge: [name, forge],
      }),
    );
    const caught = found.filter((reasons) => reasons.length > 0);
    printRow([name, `${caught.length}`, `${found.length}`, caught[0]?.join(', ') ?? '']);
  }
}

type Pair = { logger: Partial<Receiver>; camera: Partial<Receiver>; forge?: [string, Forge] };

/** Returns what disagrees, for each lap that was timed; no overlap counts as a disagreement. */
function comparePair(track: Track, seed: number, { logger, camera, forge }: Pair): string[][] {
  const logged = drive(track, { seed, receiver: logger });
  const file = openFixes(toLapFile(logged.fixes));
  const honest = drive(track, { seed, receiver: camera }).fixes;
  return timeLaps(file, track).laps.flatMap((lap) => {
    if (!logged.trueLaps.some(({ startTimeMs }) => Math.abs(startTimeMs - lap.startTimeMs) < SAME_LAP_MS))
      return [];
    const fixes = forge ? applyForgery(forge, { honest, logged: logged.fixes, track, seed, lap }) : honest;
    const agreement = measureCameraAgreement({ ...file, lap }, toLapFile(fixes).fixes);
    return [agreement ? listDisagreements(agreement) : ['no overlap']];
  });
}

type Forged = {
  honest: DrivenFix[];
  logged: DrivenFix[];
  track: Track;
  seed: number;
  lap: { startTimeMs: number; lapTimeMs: number };
};

function applyForgery(
  [name, forge]: [string, Forge],
  { honest, logged, track, seed, lap }: Forged,
): DrivenFix[] {
  const random = seededRandom(seed);
  if (name === 'the lap file itself') return logged;
  if (name === 'the lap file, moved') return moved(logged, ({ lat }) => ({ lat: lat + north(3) }));
  if (name === 'the lap file with noise')
    return moved(logged, ({ lat, lon, speedMetersPerSecond }) => ({
      lat: lat + north(0.3) * random.normal(),
      lon: lon + north(0.3) * random.normal(),
      speedMetersPerSecond: speedMetersPerSecond + 0.01 * random.normal(),
    }));
  return forge(honest, { track, seed, lapMs: lap.lapTimeMs, startMs: lap.startTimeMs });
}
