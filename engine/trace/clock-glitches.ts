import { at, pickFixes } from '../fix-columns.ts';
import type { FixColumns } from '../fix-columns.ts';
import type { LapFile } from '../lap-file.ts';
import { ROGUE_ROWS_MAX, rogueEdges } from './misdated-edges.ts';
import type { Rows } from './misdated-edges.ts';

/**
 * A lap file without the rows whose clock went somewhere else for a moment, into the past or the future, and came back
 * to go on where it had been, and without those at its beginning and end that have a date of their own; they are counted as
 * `clock_went_back`. Put in order of their times, such rows would tear what lies around them apart, and the date of the
 * session would be theirs. The same lap file where there are none.
 */
export function withoutRogueTimes(lapFile: LapFile): LapFile {
  const within = withoutRows(lapFile, rogueEdges(lapFile));
  return hasLeaptBack(within.fixes) ? withoutRows(within, rogueRuns(within)) : within;
}

function withoutRows(lapFile: LapFile, rogues: readonly Rows[]): LapFile {
  if (rogues.length === 0) return lapFile;
  const isRogue = new Uint8Array(lapFile.fixes.length);
  for (const { start, end } of rogues) isRogue.fill(1, start, end);
  const rows = Int32Array.from(isRogue.keys()).filter((row) => isRogue[row] === 0);
  const count = rowsOf(rogues);
  return {
    ...lapFile,
    fixes: pickFixes(lapFile.fixes, rows),
    partStarts: movedUp(lapFile.partStarts, isRogue),
    dropped: { ...lapFile.dropped, clock_went_back: (lapFile.dropped.clock_went_back ?? 0) + count },
  };
}

/** Where rows are once the rogue ones before them are gone. */
function movedUp(rows: number[], isRogue: Uint8Array): number[] {
  let [row, gone] = [0, 0];
  return rows.map((target) => {
    for (; row < target; row += 1) gone += isRogue[row] ?? 0;
    return target - gone;
  });
}

/** The rows from one leap of the clock to the next, and the times of the first and the last of them. */
type Run = Rows & { firstMs: number; lastMs: number };

/** A clock that moves by more than this from one row to the next has leapt, or paused. */
const LEAP_MS = 5000;
/** After how many leaps the clock may come back. */
const LEAPS_MAX = 10;

/** Whoever goes elsewhere and comes back goes back once, and next to no file does. */
function hasLeaptBack({ timesMs, length }: FixColumns): boolean {
  let latestMs = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < length; row += 1) {
    const timeMs = at(timesMs, row);
    if (timeMs < latestMs - LEAP_MS) return true;
    if (timeMs > latestMs) latestMs = timeMs;
  }
  return false;
}

function rogueRuns({ fixes, partStarts }: LapFile): Run[] {
  const apart = new Set(partStarts);
  const rogues: Run[] = [];
  let recent: Run[] = [];
  for (let row = 0; row < fixes.length; row += 1) {
    const timeMs = at(fixes.timesMs, row);
    const latest = recent.at(-1);
    if (apart.has(row)) recent = [];
    else if (latest !== undefined && Math.abs(timeMs - latest.lastMs) <= LEAP_MS) {
      latest.end = row + 1;
      latest.lastMs = timeMs;
      continue;
    }
    // Rows without a time belong to no run.
    if (!Number.isFinite(timeMs)) continue;
    const run = { start: row, end: row + 1, firstMs: timeMs, lastMs: timeMs };
    const between = recent.slice(recent.findLastIndex((before) => goesOn(before, run)) + 1);
    if (between.length > 0 && between.length < recent.length && rowsOf(between) <= ROGUE_ROWS_MAX) {
      rogues.push(...between);
      recent = recent.slice(0, -between.length);
    }
    recent = [...recent.slice(-LEAPS_MAX), run];
  }
  return rogues;
}

function goesOn(before: Run, after: Run): boolean {
  return after.firstMs > before.lastMs && after.firstMs <= before.lastMs + LEAP_MS;
}

function rowsOf(runs: readonly Rows[]): number {
  return runs.reduce((sum, { start, end }) => sum + end - start, 0);
}
