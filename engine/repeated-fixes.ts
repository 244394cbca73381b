import { at } from './fix-columns.ts';
import type { FixColumns } from './fix-columns.ts';
import type { Trace } from './trace.ts';

/** A stretch of a trace, first and last fix included. */
export type FixRange = { first: number; last: number };

/**
 * For every stretch, the share of its fixes, 0 to 1, that occur once more elsewhere in the trace with all of the fixes
 * after them, digit for digit. No car ever takes the same way twice so exactly, and no receiver would see it.
 */
export function repeatedShares({ fixes, intervalMs }: Trace, stretches: readonly FixRange[]): number[] {
  const run = Math.max(RUN_MIN, Math.round(RUN_MS / (intervalMs ?? RUN_MS)));
  const sampled = sampledFixes(fixes, fixes.length - run);
  const places = new Map<number, number>();
  const areTwins = new Uint8Array(sampled.length);
  sampled.forEach(({ index, key }, which) => {
    const other = places.get(key);
    const otherIndex = other === undefined ? -1 : (sampled[other]?.index ?? -1);
    if (
      other !== undefined &&
      otherIndex + run < index &&
      isSameRun(fixes, { one: otherIndex, other: index, run })
    ) {
      areTwins[other] = 1;
      areTwins[which] = 1;
    } else places.set(key, which);
  });
  return stretches.map(({ first, last }) => {
    let [count, twins] = [0, 0];
    sampled.forEach(({ index }, which) => {
      if (index < first || index > last) return;
      count += 1;
      twins += areTwins[which] ?? 0;
    });
    return count === 0 ? 0 : twins / count;
  });
}

/** With coordinates of five decimals, some fixes in a row agree by chance; so many do not. */
const RUN_MIN = 6;
const RUN_MS = 1200;
/** More than this many places need not be remembered to see that laps repeat. */
const PLACES = 3000;

type SampledFix = { index: number; key: number };

/** Some of the fixes, chosen by where they are: the same places are sampled wherever they occur, so that twins meet. */
function sampledFixes(fixes: FixColumns, end: number): SampledFix[] {
  const every = Math.max(1, Math.floor(fixes.length / PLACES));
  const sampled: SampledFix[] = [];
  for (let index = 0; index < end; index += 1) {
    const key = placeKey(fixes, index);
    if (key % every === 0) sampled.push({ index, key });
  }
  return sampled;
}

/** Coordinates down to a centimetre in one whole number. */
function placeKey({ lats, lons }: FixColumns, index: number): number {
  const lat = Math.round(at(lats, index) * 1e7) | 0;
  const lon = Math.round(at(lons, index) * 1e7) | 0;
  return (Math.imul(lat, 0x9e3779b1) ^ Math.imul(lon, 0x85ebca6b)) >>> 0;
}

function isSameRun(
  { lats, lons }: FixColumns,
  { one, other, run }: { one: number; other: number; run: number },
): boolean {
  for (let offset = 0; offset <= run; offset += 1) {
    if (at(lats, one + offset) !== at(lats, other + offset)) return false;
    if (at(lons, one + offset) !== at(lons, other + offset)) return false;
  }
  return true;
}
