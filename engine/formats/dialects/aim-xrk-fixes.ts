/** The fixes in AiM's recording; aim-xrk.ts has the facts about them. */
import { at } from '../../fix-columns.ts';
import type { Position } from '../../geo.ts';
import type { Clock } from '../../lap-file.ts';
import { median } from '../../statistics.ts';
import { groundSpeed, toGeodetic, type EarthCentered } from '../binary/earth-centered.ts';
import { gpsTimeToUtcMs, unrollGpsWeek, WEEK_MS } from '../binary/gps-time.ts';

/** Describes where a message with a fix is in the file, and its two times: the logger's clock and the receiver's. */
export type XrkFix = { offset: number; codeMs: number; week: number; weekMs: number };

const FIX_2D = 2;
/** The receiver combines GPS with dead reckoning. */
const FIX_COMBINED = 4;

/** Returns the times of the message here; null where it holds no fix. */
export function readXrkFix(view: DataView, offset: number): XrkFix | null {
  const kind = view.getUint8(offset + 14);
  const isValid = (view.getUint8(offset + 15) & 1) === 1;
  if (!isValid || kind < FIX_2D || kind > FIX_COMBINED) return null;
  return {
    offset,
    codeMs: view.getInt32(offset, true),
    week: view.getUint16(offset + 12, true),
    weekMs: view.getUint32(offset + 4, true) + view.getInt32(offset + 8, true) / 1e6,
  };
}

/** Returns where a fix is, how fast, and how exactly the receiver claims to know it. */
export function readXrkPosition(
  view: DataView,
  { offset }: XrkFix,
): Position & { speedMetersPerSecond: number; accuracyMeters: number } {
  const position = toGeodetic(readVector(view, offset + PLACE));
  const { lat, lon } = position;
  return {
    lat,
    lon,
    speedMetersPerSecond: groundSpeed(readVector(view, offset + VELOCITY), position),
    accuracyMeters: view.getUint32(offset + 28, true) / 100,
  };
}

const [PLACE, VELOCITY] = [16, 32];

/** Reads three numbers in centimetres, or centimetres per second. */
function readVector(view: DataView, offset: number): EarthCentered {
  return {
    x: view.getInt32(offset, true) / 100,
    y: view.getInt32(offset + 4, true) / 100,
    z: view.getInt32(offset + 8, true) / 100,
  };
}

/** Returns times of the fixes: the receiver's where it knows the week, else the logger's clock from the start that it states. */
export function findXrkTimes(
  fixes: readonly XrkFix[],
  loggedMs: number,
): { clock: Clock; timesMs: Float64Array } {
  const week = median(fixes.filter((fix) => fix.week > 0).map((fix) => fix.week));
  if (week === null) {
    const isDated = !Number.isNaN(loggedMs);
    const timesMs = Float64Array.from(fixes, ({ codeMs }) => (isDated ? loggedMs : 0) + codeMs);
    return { clock: isDated ? 'local' : 'elapsed', timesMs };
  }
  // Fixes before the receiver knew the week are those of the week of the rest.
  const rolled = Number.isNaN(loggedMs) ? 0 : unrollGpsWeek(week, loggedMs) - week;
  const timesMs = Float64Array.from(fixes, (fix) =>
    gpsTimeToUtcMs((fix.week > 0 ? fix.week : week) + rolled, fix.weekMs),
  );
  return { clock: 'utc', timesMs };
}

/** Fixes of one receiver come closer together than this, but for holes. */
const NEIGHBOURS_MS = 10_000;
const COUNTER_MS = 65_536;
/** The one jump that is publicly known is 43 ms short. */
const COUNTER_SLACK_MS = 1000;
/** The delays of single fixes vary by 15 ms; the median of so many does not. */
const MEDIAN_FIXES = 20;

/** Returns when the fixes arrived on the logger's clock, without its jumps by 65,536 ms, which only its messages with fixes have. */
export function withoutClockJumps(fixes: readonly XrkFix[], timesMs: Float64Array): Float64Array {
  const codesMs = Float64Array.from(fixes, ({ codeMs }) => codeMs);
  const delays = codesMs.map((codeMs, index) => codeMs - at(timesMs, index));
  const jumps = new Set<number>();
  for (let index = 1; index < fixes.length; index += 1) {
    const stepMs = Math.abs(at(timesMs, index) - at(timesMs, index - 1));
    if (stepMs < NEIGHBOURS_MS && isJump(at(delays, index) - at(delays, index - 1))) jumps.add(index);
  }
  let jumpMs = 0;
  for (let index = 1; index < fixes.length && jumps.size > 0; index += 1) {
    if (jumps.has(index)) {
      const after = delays.slice(index, index + MEDIAN_FIXES);
      const nextJump = after.findIndex((_, place) => place > 0 && jumps.has(index + place));
      const usualMs = median(after.subarray(0, nextJump < 0 ? after.length : nextJump)) ?? 0;
      jumpMs = usualMs - (median(delays.slice(Math.max(0, index - MEDIAN_FIXES), index)) ?? usualMs);
    }
    delays[index] = at(delays, index) - jumpMs;
  }
  return delays.map((delayMs, index) => delayMs + at(timesMs, index));
}

function isJump(stepMs: number): boolean {
  const turns = Math.round(stepMs / COUNTER_MS);
  return turns !== 0 && Math.abs(stepMs - turns * COUNTER_MS) < COUNTER_SLACK_MS;
}

/**
 * Lists the fixes that count by their places: none that a logger has written again, and of two solutions for every moment the
 * one that goes on from the fix before. A time that comes again elsewhere, as in a file whose times were changed, stays.
 */
export function listCountingFixes(view: DataView, fixes: readonly XrkFix[]): number[] {
  const firsts = new Map<number, number>();
  const seconds = new Map<number, number>();
  const counting: number[] = [];
  for (const [index, fix] of fixes.entries()) {
    const timeMs = receiverTimeMs(fix);
    const first = fix.week > 0 ? firsts.get(timeMs) : undefined;
    const second = first === undefined ? undefined : seconds.get(first);
    if ([first, second].some((before) => before !== undefined && isSamePlace(view, fix, fixes[before])))
      continue;
    if (first === undefined) firsts.set(timeMs, index);
    else if (second === undefined) seconds.set(first, index);
    counting.push(index);
  }
  return seconds.size < DOUBLED_SHARE * firsts.size
    ? counting
    : followOne(view, fixes, { counting, seconds });
}

/** Loggers that write every moment twice miss a few; in a file whose times were set back, only those of a few seconds come again. */
const DOUBLED_SHARE = 0.8;

/** Lists one of two fixes for each moment; `seconds` has the second by the place of the first. */
function followOne(
  view: DataView,
  fixes: readonly XrkFix[],
  { counting, seconds }: { counting: readonly number[]; seconds: ReadonlyMap<number, number> },
): number[] {
  const isSecond = new Set(seconds.values());
  let before: XrkFix | undefined;
  return counting.flatMap((index) => {
    if (isSecond.has(index)) return [];
    const second = seconds.get(index) ?? index;
    const isNearer = strayMeters(view, before, fixes[second]) < strayMeters(view, before, fixes[index]);
    const best = isNearer ? second : index;
    before = fixes[best];
    return [best];
  });
}

function receiverTimeMs({ week, weekMs }: XrkFix): number {
  return week * WEEK_MS + weekMs;
}

function isSamePlace(view: DataView, fix: XrkFix, other: XrkFix | undefined): boolean {
  return (
    other !== undefined &&
    [0, 4, 8].every(
      (place) => view.getInt32(fix.offset + PLACE + place) === view.getInt32(other.offset + PLACE + place),
    )
  );
}

/** Returns how far a fix is from where the velocity of the one before leads. */
function strayMeters(view: DataView, before: XrkFix | undefined, fix: XrkFix | undefined): number {
  if (before === undefined || fix === undefined) return 0;
  const seconds = (receiverTimeMs(fix) - receiverTimeMs(before)) / 1000;
  const [from, to] = [readVector(view, before.offset + PLACE), readVector(view, fix.offset + PLACE)];
  const velocity = readVector(view, before.offset + VELOCITY);
  return Math.hypot(
    to.x - from.x - seconds * velocity.x,
    to.y - from.y - seconds * velocity.y,
    to.z - from.z - seconds * velocity.z,
  );
}
