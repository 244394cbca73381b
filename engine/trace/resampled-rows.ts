import { at, type FixColumns } from '../fix-columns.ts';

/**
 * Loggers that merge several sensors write a row for each of their readings and fill the GPS columns in between with
 * straight lines. Rows are then more frequent than fixes, and no better. The speeds show it: between two fixes they lie
 * exactly on a line, which no measured speed does.
 *
 * The time between the fixes behind such rows, in milliseconds; null where rows are fixes themselves, or where there
 * are no speeds to tell.
 */
export function findReceiverInterval(fixes: FixColumns): number | null {
  const { timesMs, speedsMetersPerSecond } = fixes;
  const gaps = new Map<number, number>();
  let [changing, bends] = [0, 0];
  let lastBendMs = Number.NaN;
  const last = Math.min(fixes.length - 1, ROWS_LOOKED_AT);
  for (let row = 1; row < last; row += 1) {
    const before = at(speedsMetersPerSecond, row - 1);
    const after = at(speedsMetersPerSecond, row + 1);
    if (!(Math.abs(after - before) > CHANGE_MIN_METERS_PER_SECOND)) continue;
    changing += 1;
    const share = (at(timesMs, row) - at(timesMs, row - 1)) / (at(timesMs, row + 1) - at(timesMs, row - 1));
    const onLine = before + share * (after - before);
    if (Math.abs(at(speedsMetersPerSecond, row) - onLine) <= LINE_TOLERANCE_METERS_PER_SECOND) continue;
    bends += 1;
    const gapMs = Math.round((at(timesMs, row) - lastBendMs) / GAP_STEP_MS) * GAP_STEP_MS;
    if (gapMs > 0) gaps.set(gapMs, (gaps.get(gapMs) ?? 0) + 1);
    lastBendMs = at(timesMs, row);
  }
  if (changing < CHANGING_ROWS_MIN || bends > BEND_SHARE_MAX * changing) return null;
  return mostFrequent(gaps);
}

const ROWS_LOOKED_AT = 20_000;
/** Fewer rows with a changing speed prove nothing. */
const CHANGING_ROWS_MIN = 100;
/** Speeds are written with three decimals or more where they are interpolated. */
const LINE_TOLERANCE_METERS_PER_SECOND = 0.0015;
const CHANGE_MIN_METERS_PER_SECOND = 0.01;
/** Next to none of the speeds of a real receiver lie on a line with their neighbours by chance. */
const BEND_SHARE_MAX = 0.7;
const GAP_STEP_MS = 10;

function mostFrequent(counts: Map<number, number>): number | null {
  let [found, most] = [0, 0];
  for (const [value, count] of counts) if (count > most) [found, most] = [value, count];
  return found > 0 ? found : null;
}
