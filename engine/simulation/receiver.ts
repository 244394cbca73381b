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
  /** Standard deviation of the stamp around the moment that it should tell. */
  stampJitterMs: number;
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
  stampJitterMs: 0,
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
