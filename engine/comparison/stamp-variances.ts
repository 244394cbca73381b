import { at } from '../fix-columns.ts';
import { fitLocalLines } from './accelerations.ts';
import type { LapPath } from './lap-path.ts';
import type { TracedLap } from './lap-trace.ts';

/** Long enough to show stamps that are wrong for a second, too short for slow errors of speeds and positions. */
const WINDOW_MS = 2000;
/** Noise of the positions alone scatters by up to so many times its usual variance in one window. */
const CHANCE_FACTOR = 2;
/** Noise of the speeds alone scatters by up to 2 ms in slow corners. */
const SPEED_NOISE_VARIANCE = 4;
/** Speeds do not tell the way between fixes farther apart. */
const INTERVAL_MAX_MS = 260;
/** Slower than this, the noise of the positions is worth too much time. */
const SPEED_MIN_METERS_PER_SECOND = 2;

/**
 * Returns the variance of the time stamps around every position, in square milliseconds: how far the moments at which the
 * speeds bring the car from position to position scatter around the stamps, beyond what noise of the positions and cut
 * stamps explain. 0 where no speeds show it.
 */
export function stampVariances(path: LapPath, { trace, noise, speeds }: TracedLap): Float64Array {
  const { timesMs, length } = path;
  const intervalMs = trace.intervalMs ?? Number.POSITIVE_INFINITY;
  if (speeds === null || trace.receiverIntervalMs !== null || intervalMs > INTERVAL_MAX_MS)
    return new Float64Array(length);
  const lateMs = latenessOfSpeeds(path);
  const { values } = fitLocalLines(timesMs, lateMs, WINDOW_MS);
  const squares = lateMs.map((late, index) => (late - at(values, index)) ** 2);
  return fitLocalLines(timesMs, squares, WINDOW_MS).values.map((variance, index) => {
    const noiseMs = (1000 * noise.whiteMeters) / speedAt(path, index);
    const known = noiseMs ** 2 + trace.timestampStepMs ** 2 / 12;
    return variance > CHANCE_FACTOR * known + SPEED_NOISE_VARIANCE ? variance - known : 0;
  });
}

/** Returns by how much later than its stamp the speeds bring the car to every position. */
function latenessOfSpeeds(path: LapPath): Float64Array {
  const { timesMs, xs, ys, length } = path;
  const lateMs = new Float64Array(length);
  for (let index = 1; index < length; index += 1) {
    const [x, y] = [at(xs, index) - at(xs, index - 1), at(ys, index) - at(ys, index - 1)];
    const speed = (speedAt(path, index - 1) + speedAt(path, index)) / 2;
    const stampsMs = at(timesMs, index) - at(timesMs, index - 1);
    const drivenMs = stampsMs > INTERVAL_MAX_MS ? stampsMs : (1000 * Math.sqrt(x * x + y * y)) / speed;
    lateMs[index] = at(lateMs, index - 1) + drivenMs - stampsMs;
  }
  return lateMs;
}

function speedAt({ speedsMetersPerSecond }: LapPath, index: number): number {
  return Math.max(SPEED_MIN_METERS_PER_SECOND, at(speedsMetersPerSecond, index));
}
