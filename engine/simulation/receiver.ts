import type { Random } from './random.ts';

/** Describes how a receiver tells the truth. */
export type Receiver = {
  rateHz: number;
  /** Standard deviation of the moment of a fix, around an even rhythm; the stamp tells the true moment. */
  jitterMs: number;
  /** Share of fixes that are missing, 0 to 1. */
  lossShare: number;
  /** Standard deviation of each coordinate, independent for every fix. */
  noiseMeters: number;
  /** Standard deviation of each coordinate, changing slowly. */
  driftMeters: number;
  /** Correlation time of the drift. */
  driftSeconds: number;
  /** A second, quicker drift, as reflected signals cause it, and how long it remembers itself. */
  quickDriftMeters: number;
  quickDriftSeconds: number;
  speedNoiseMetersPerSecond: number;
  /** Errors of the speed that last for a moment, and for how long. */
  speedDriftMetersPerSecond: number;
  speedDriftSeconds: number;
  /** False for a receiver that gives no speed: NaN in every fix. */
  hasSpeed: boolean;
  coordinateDecimals: number;
  /** Stamps are cut to whole multiples of this; 0 leaves them exact. */
  timeStampStepMs: number;
};

/** This receiver has no error but its rate. */
export const EXACT_RECEIVER: Receiver = {
  rateHz: 10,
  jitterMs: 0,
  lossShare: 0,
  noiseMeters: 0,
  driftMeters: 0,
  driftSeconds: 120,
  quickDriftMeters: 0,
  quickDriftSeconds: 60,
  speedNoiseMetersPerSecond: 0,
  speedDriftMetersPerSecond: 0,
  speedDriftSeconds: 1,
  hasSpeed: true,
  coordinateDecimals: 9,
  timeStampStepMs: 0,
};

/** Returns the errors of a receiver that last longer than one fix. Each call of the function gives those at the next fix. */
export function slowErrors(
  receiver: Receiver,
  random: Random,
): () => { x: number; y: number; speed: number } {
  const intervalMs = 1000 / receiver.rateHz;
  const process = (deviation: number, seconds: number) =>
    gaussMarkov(random, deviation, Math.exp(-intervalMs / 1000 / seconds));
  const { driftMeters, driftSeconds, quickDriftMeters, quickDriftSeconds } = receiver;
  const { speedDriftMetersPerSecond, speedDriftSeconds } = receiver;
  const [driftX, driftY] = [process(driftMeters, driftSeconds), process(driftMeters, driftSeconds)];
  // Receivers without these take no random numbers for them.
  const quick = () => (quickDriftMeters > 0 ? process(quickDriftMeters, quickDriftSeconds) : none);
  const [quickX, quickY] = [quick(), quick()];
  const speed = speedDriftMetersPerSecond > 0 ? process(speedDriftMetersPerSecond, speedDriftSeconds) : none;
  return () => {
    const [x, y] = [driftX(), driftY()];
    return { x: x + quickX(), y: y + quickY(), speed: speed() };
  };
}

function none(): number {
  return 0;
}

/** Returns an error of a steady size that forgets itself (a Gauss-Markov process), fix by fix. */
function gaussMarkov(random: Random, deviation: number, memory: number): () => number {
  let value = deviation * random.normal();
  const renewal = deviation * Math.sqrt(1 - memory ** 2);
  return () => {
    value = memory * value + renewal * random.normal();
    return value;
  };
}

/** A circle with this radius holds half of all positions, in deviations of one coordinate: √(2 ln 2). */
const CEP_PER_DEVIATION = 1.177;
/**
 * Over a day, errors of a receiver at rest remember themselves for about 40 minutes (satellites, air) and, to a smaller part, for about
 * one (reflections): D. L. Wilson, GPS error when averaging position, users.erols.com/dlwilson/gpsavg.htm and gpscorr.htm, measured over 20
 * days. The share of the second is an assumption of ours.
 */
const DAY_DRIFT_SECONDS = 2400;
const QUICK_SHARE = 0.15;

/** Returns a receiver of which the data sheet gives the radius that holds half of the positions of a day. */
function receiverOfChip(cepMeters: number, others: Partial<Receiver>): Partial<Receiver> {
  const deviation = cepMeters / CEP_PER_DEVIATION;
  return {
    driftMeters: deviation,
    driftSeconds: DAY_DRIFT_SECONDS,
    quickDriftMeters: QUICK_SHARE * deviation,
    quickDriftSeconds: 60,
    coordinateDecimals: 7,
    ...others,
  };
}

/**
 * Lists receivers as lap timers have them, by the radius that holds half of all positions. u-blox M10: 1.5 m with GPS
 * alone (SparkFun, hardware overview of the SAM-M10Q). u-blox M8: 2.5 m (MAX-M8 data sheet, UBX-15031506). MediaTek
 * MT3339: 3 m for two thirds of the positions, which is 2.5 m for half (LOCOSYS, data sheet of the LS20031: '3 m, 2D
 * RMS'). Phones under an open sky: 4.9 m (gps.gov, GPS accuracy), taken for half of the positions. Errors of the
 * speeds, noise from fix to fix, and the change of all errors over minutes are assumptions of ours.
 */
export const CHIPS: { name: string; receiver: Partial<Receiver>; ratesHz: number[] }[] = [
  {
    name: 'u-blox M10',
    receiver: receiverOfChip(1.5, {
      noiseMeters: 0.01,
      speedNoiseMetersPerSecond: 0.02,
      speedDriftMetersPerSecond: 0.05,
    }),
    ratesHz: [10, 25],
  },
  {
    name: 'u-blox M8',
    receiver: receiverOfChip(2.5, {
      noiseMeters: 0.02,
      speedNoiseMetersPerSecond: 0.02,
      speedDriftMetersPerSecond: 0.05,
    }),
    ratesHz: [5, 10],
  },
  {
    name: 'MT3339',
    receiver: receiverOfChip(2.5, {
      noiseMeters: 0.04,
      speedNoiseMetersPerSecond: 0.05,
      speedDriftMetersPerSecond: 0.1,
      coordinateDecimals: 6,
    }),
    ratesHz: [5, 10],
  },
  {
    name: 'M8, no speeds',
    receiver: receiverOfChip(2.5, { noiseMeters: 0.02, hasSpeed: false }),
    ratesHz: [5, 10],
  },
  {
    name: 'M8, poor speeds',
    receiver: receiverOfChip(2.5, {
      noiseMeters: 0.05,
      speedNoiseMetersPerSecond: 0.1,
      speedDriftMetersPerSecond: 0.3,
      speedDriftSeconds: 2,
    }),
    ratesHz: [10, 20],
  },
  {
    name: 'phone',
    receiver: receiverOfChip(4.9, {
      noiseMeters: 0.2,
      speedNoiseMetersPerSecond: 0.1,
      speedDriftMetersPerSecond: 0.1,
      coordinateDecimals: 6,
    }),
    ratesHz: [1],
  },
];
