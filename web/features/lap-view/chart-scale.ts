import { entry, nearestStation, type Column } from './lap-lines.ts';
import type { Range } from './zoom.ts';

const LEVELS_MAX = 5;

export type Scale = { low: number; high: number; levels: number[] };

/**
 * Chooses the vertical scale of a chart: it begins and ends at a round value, so that its top has a figure. Columns are
 * seen between two distances of the lap; with `leastSpan` the scale includes zero and at least that much, and with `leastStep` its
 * levels are no closer together.
 */
export function chooseScale(
  meters: Column,
  columns: readonly Column[],
  { range, leastSpan, leastStep = 0 }: { range: Range; leastSpan: number | null; leastStep?: number },
): Scale {
  const [first, last] = [nearestStation(meters, range[0]), nearestStation(meters, range[1])];
  let [least, most] = leastSpan === null ? [Infinity, -Infinity] : [0, leastSpan];
  for (const column of columns) {
    for (let index = first; index <= last; index += 1) {
      const value = entry(column, index);
      if (Number.isNaN(value)) continue;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  }
  if (!(most > least)) [least, most] = Number.isFinite(least) ? [least - 1, least + 1] : [0, 1];
  const step = Math.max(leastStep, chooseStep(most - least));
  // The edge of a band may leave the chart by a hair: a level more would cost a fifth of its height.
  const [from, to] = [Math.floor(least / step + 0.05), Math.ceil(most / step - 0.05)];
  const levels = Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step);
  return { low: from * step, high: to * step, levels };
}

/** Chooses a step of 1, 2 or 5 times a power of ten, with at most five steps in the span. */
function chooseStep(span: number): number {
  const power = 10 ** Math.floor(Math.log10(span / LEVELS_MAX));
  return power * ([1, 2, 5, 10].find((factor) => span / (factor * power) <= LEVELS_MAX - 1) ?? 10);
}
