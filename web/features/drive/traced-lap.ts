import type { TracedLap } from '#engine/comparison/lap-trace.ts';
import type { KeptLap } from './kept-tracks.ts';

const KMH_PER_METER_PER_SECOND = 3.6;
/** Lines of laps come without their noise; this is a good receiver's. It weighs offsets of receivers only. */
const NOISE = { whiteMeters: 0.3, driftMeters: 0.6 };
const SPEEDS = { scale: 1, delaySeconds: 0, residualMeters: 0.05 };

/** Makes of a lap that was taken along what the engine compares with. */
export function toTracedLap({
  timesMs,
  lats,
  lons,
  speedsKmh,
  lapTimeMs,
  uncertaintyMs,
}: KeptLap): TracedLap {
  const intervalMs = timesMs.length > 1 ? lapTimeMs / (timesMs.length - 1) : null;
  return {
    trace: {
      fixes: {
        length: timesMs.length,
        timesMs: Float64Array.from(timesMs),
        lats: Float64Array.from(lats),
        lons: Float64Array.from(lons),
        speedsMetersPerSecond: Float64Array.from(speedsKmh, (speed) => speed / KMH_PER_METER_PER_SECOND),
      },
      intervalMs,
      receiverIntervalMs: intervalMs,
      timestampStepMs: 1,
    },
    lap: { startTimeMs: timesMs[0] ?? 0, lapTimeMs, uncertaintyMs },
    noise: NOISE,
    speeds: SPEEDS,
  };
}
