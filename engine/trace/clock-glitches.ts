import { at, pickFixes, type FixColumns } from '../fix-columns.ts';
import type { LapFile } from '../lap-file.ts';
import { GLITCH_ROWS_MAX, findMisdatedEdges, type RowRange } from './misdated-edges.ts';

/**
 * A lap file without the rows whose clock went somewhere else for a moment, into the past or the future, and came back
 * to go on where it had been, and without those at its beginning and end that have a date of their own; they are counted as
 * `clock_went_back`. Put in order of their times, such rows would tear what lies around them apart, and the date of the
 * session would be theirs. The same lap file where there are none.
 */
export function removeClockGlitches(lapFile: LapFile): LapFile {
  const within = withoutRows(lapFile, findMisdatedEdges(lapFile));
  return hasJumpedBack(within.fixes) ? withoutRows(within, findGlitches(within)) : within;
}

function withoutRows(lapFile: LapFile, glitches: readonly RowRange[]): LapFile {
  if (glitches.length === 0) return lapFile;
  const isGlitch = new Uint8Array(lapFile.fixes.length);
  for (const { start, end } of glitches) isGlitch.fill(1, start, end);
  const rows = Int32Array.from(isGlitch.keys()).filter((row) => isGlitch[row] === 0);
  const count = countRows(glitches);
  return {
    ...lapFile,
    fixes: pickFixes(lapFile.fixes, rows),
    partStarts: shiftPartStarts(lapFile.partStarts, isGlitch),
    dropped: { ...lapFile.dropped, clock_went_back: (lapFile.dropped.clock_went_back ?? 0) + count },
  };
}

/** Returns where rows are once the rogue ones before them are gone. */
function shiftPartStarts(rows: number[], isRemoved: Uint8Array): number[] {
  let [row, gone] = [0, 0];
  return rows.map((target) => {
    for (; row < target; row += 1) gone += isRemoved[row] ?? 0;
    return target - gone;
  });
}

/** The rows from one leap of the clock to the next, and the times of the first and the last of them. */
type Run = RowRange & { firstMs: number; lastMs: number };

/** A clock that moves by more than this from one row to the next has leapt, or paused. */
const CLOCK_JUMP_MS = 5000;
/** The clock may come back after so many leaps. */
const CLOCK_JUMPS_MAX = 10;

/** Returns a quick test that spares nearly all files the search: a clock that jumps away and returns must go back once. */
function hasJumpedBack({ timesMs, length }: FixColumns): boolean {
  let latestMs = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < length; row += 1) {
    const timeMs = at(timesMs, row);
    if (timeMs < latestMs - CLOCK_JUMP_MS) return true;
    if (timeMs > latestMs) latestMs = timeMs;
  }
  return false;
}

function findGlitches({ fixes, partStarts }: LapFile): Run[] {
  const apart = new Set(partStarts);
  const glitches: Run[] = [];
  let recent: Run[] = [];
  for (let row = 0; row < fixes.length; row += 1) {
    const timeMs = at(fixes.timesMs, row);
    const latest = recent.at(-1);
    if (apart.has(row)) recent = [];
    else if (latest !== undefined && Math.abs(timeMs - latest.lastMs) <= CLOCK_JUMP_MS) {
      latest.end = row + 1;
      latest.lastMs = timeMs;
      continue;
    }
    // Rows without a time belong to no run.
    if (!Number.isFinite(timeMs)) continue;
    const run = { start: row, end: row + 1, firstMs: timeMs, lastMs: timeMs };
    const between = recent.slice(recent.findLastIndex((before) => continues(before, run)) + 1);
    if (between.length > 0 && between.length < recent.length && countRows(between) <= GLITCH_ROWS_MAX) {
      glitches.push(...between);
      recent = recent.slice(0, -between.length);
    }
    recent = [...recent.slice(-CLOCK_JUMPS_MAX), run];
  }
  return glitches;
}

function continues(before: Run, after: Run): boolean {
  return after.firstMs > before.lastMs && after.firstMs <= before.lastMs + CLOCK_JUMP_MS;
}

function countRows(runs: readonly RowRange[]): number {
  return runs.reduce((sum, { start, end }) => sum + end - start, 0);
}
