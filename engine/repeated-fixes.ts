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
  const isSampled = sampler(fixes);
  const places = new Map<number, number[]>();
  const repeated = new Set<number>();
  for (let index = 0; index + run < fixes.length; index += 1) {
    const key = placeKey(fixes, index);
    if (!isSampled(key)) continue;
    const others = places.get(key);
    if (others === undefined) {
      places.set(key, [index]);
      continue;
    }
    const twin = others.find(
      (other) => other + run < index && isSameRun(fixes, { one: other, other: index, run }),
    );
    if (twin !== undefined) repeated.add(twin).add(index);
    if (others.length < TWINS_LOOKED_AT) others.push(index);
  }
  return stretches.map(({ first, last }) => {
    let [sampled, twins] = [0, 0];
    for (let index = first; index <= last && index + run < fixes.length; index += 1) {
      if (!isSampled(placeKey(fixes, index))) continue;
      sampled += 1;
      if (repeated.has(index)) twins += 1;
    }
    return sampled === 0 ? 0 : twins / sampled;
  });
}

/** With coordinates of five decimals, some fixes in a row agree by chance; so many do not. */
const RUN_MIN = 6;
const RUN_MS = 1200;
const TWINS_LOOKED_AT = 8;
/** More than this many places need not be remembered to see that laps repeat. */
const PLACES = 8000;

/** The same places are sampled wherever they occur, so that twins are found. */
function sampler(fixes: FixColumns): (key: number) => boolean {
  const every = Math.max(1, Math.floor(fixes.length / PLACES));
  return (key) => key % every === 0;
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
