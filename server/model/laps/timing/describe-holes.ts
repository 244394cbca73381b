import type { LapComparison } from '#contract/lap-view/comparison.ts';
import { at } from '#engine/fix-columns.ts';
import type { TracedLap } from '#engine/comparison/lap-trace.ts';
import { holeMsAt } from '#engine/trace/holes.ts';
import { roundNumber } from './round-column.ts';

type Hole = LapComparison['reference']['holes'][number];

/**
 * Describes the parts of a lap without fixes: `elapsedMs` is the time of the lap at each of `meters`. A hole that reaches
 * beyond the lap ends at the line.
 */
export function describeHoles(
  { trace, lap: { startTimeMs, lapTimeMs } }: TracedLap,
  { meters, elapsedMs }: { meters: Float64Array; elapsedMs: Float64Array },
): Hole[] {
  const { timesMs, length } = trace.fixes;
  const leastMs = holeMsAt(trace.intervalMs);
  const holes: Hole[] = [];
  for (let index = 1; index < length; index += 1) {
    const [fromMs, toMs] = [at(timesMs, index - 1) - startTimeMs, at(timesMs, index) - startTimeMs];
    if (toMs - fromMs < leastMs || toMs <= 0 || fromMs >= lapTimeMs) continue;
    holes.push({
      startMeters: roundNumber(interpolate(elapsedMs, meters, fromMs), 1),
      endMeters: roundNumber(interpolate(elapsedMs, meters, toMs), 1),
      lastsMs: Math.round(toMs - fromMs),
    });
  }
  return holes;
}

/** Interpolates linearly between rising entries; the ends beyond them. */
function interpolate(rising: Float64Array, values: Float64Array, target: number): number {
  const after = rising.findIndex((entry) => entry >= target);
  if (after === 0) return at(values, 0);
  if (after < 0) return at(values, values.length - 1);
  const [low, high] = [at(rising, after - 1), at(rising, after)];
  const share = (target - low) / (high - low);
  return at(values, after - 1) + share * (at(values, after) - at(values, after - 1));
}
