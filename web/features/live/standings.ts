import type { LiveDriver } from '#contract/live/schemas.ts';
import { NO_SIGNAL_AFTER_MS, SIGNAL_LATE_AFTER_MS } from '#contract/live/labels.ts';

// The table of a live session, from its drivers and the moment.

export type Order = 'best' | 'last';

/** `best` is the best of the session, `own` the best of the driver. */
export type Mark = 'best' | 'own' | null;

export type ShownSector = {
  timeMs: number | null;
  mark: Mark;
  /** The part of the running sector that has passed, from 0 to 1, by the driver's usual time; null for all others. */
  runningShare: number | null;
};

export type LiveRow = {
  driver: LiveDriver;
  position: number;
  /** Null for the first, and for drivers without a time. */
  gapMs: number | null;
  isOnTrack: boolean;
  /** False on the track while no position has come for some seconds, which a reader sees at the dot alone. */
  hasSignal: boolean;
  status: string;
  sectors: ShownSector[];
  lastMark: Mark;
  bestMark: Mark;
};

export const NO_SIGNAL = 'No signal';

const MINUTE_MS = 60_000;
/** A bar never says that a sector is over before its line is crossed. */
const RUNNING_SHARE_MAX = 0.97;

/** Ranks drivers by their best or last laps; those without one are last, in the order in which they joined. */
export function rankDrivers(drivers: readonly LiveDriver[], order: Order, now: number): LiveRow[] {
  const getTime = ({ bestMs, lastMs }: LiveDriver): number | null => (order === 'best' ? bestMs : lastMs);
  const sorted = drivers.toSorted(
    (a, b) => (getTime(a) ?? Infinity) - (getTime(b) ?? Infinity) || a.number - b.number || 0,
  );
  const best = findBests(drivers);
  const firstMs = sorted[0] ? getTime(sorted[0]) : null;
  return sorted.map((driver, index) => {
    const timeMs = getTime(driver);
    return {
      driver,
      position: index + 1,
      gapMs: index === 0 || timeMs === null || firstMs === null ? null : timeMs - firstMs,
      ...describeStatus(driver, now),
      sectors: describeSectors(driver, best.sectors, now),
      lastMark: chooseMark(driver.lastMs, best.lapMs, driver.isLastBest),
      bestMark: chooseMark(driver.bestMs, best.lapMs, false),
    };
  });
}

export type SessionBests = { lapMs: number | null; sectors: (number | null)[] };

export function findBests(drivers: readonly LiveDriver[]): SessionBests {
  const count = Math.max(0, ...drivers.map(({ bestSectors }) => bestSectors.length));
  return {
    lapMs: smallest(drivers.map(({ bestMs }) => bestMs)),
    sectors: Array.from({ length: count }, (_, sector) =>
      smallest(drivers.map(({ bestSectors }) => bestSectors[sector] ?? null)),
    ),
  };
}

function smallest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

const chooseMark = (timeMs: number | null, bestMs: number | null, isOwnBest: boolean): Mark => {
  if (timeMs === null) return null;
  if (timeMs === bestMs) return 'best';
  return isOwnBest ? 'own' : null;
};

function describeStatus(
  { state, stateSince, seenAt }: LiveDriver,
  now: number,
): Pick<LiveRow, 'isOnTrack' | 'hasSignal' | 'status'> {
  const silentMs = now - (seenAt ?? stateSince);
  if (silentMs >= NO_SIGNAL_AFTER_MS) return { isOnTrack: false, hasSignal: false, status: NO_SIGNAL };
  if (state === 'pits') {
    const minutes = Math.floor(Math.max(0, now - stateSince) / MINUTE_MS);
    return { isOnTrack: false, hasSignal: true, status: minutes === 0 ? 'Pit' : `Pit ${minutes} min` };
  }
  const status = state === 'out_lap' ? 'Out lap' : 'On track';
  return { isOnTrack: true, hasSignal: silentMs < SIGNAL_LATE_AFTER_MS, status };
}

function describeSectors(
  { sectors, bestSectors, sectorStartedAt, state }: LiveDriver,
  best: readonly (number | null)[],
  now: number,
): ShownSector[] {
  const running = state === 'on_track' && sectorStartedAt !== null ? sectors.indexOf(null) : -1;
  return sectors.map((timeMs, sector) => ({
    timeMs,
    mark: chooseMark(timeMs, best[sector] ?? null, timeMs === bestSectors[sector]),
    runningShare:
      sector === running && sectorStartedAt !== null
        ? estimateShare(now - sectorStartedAt, bestSectors[sector] ?? best[sector] ?? null)
        : null,
  }));
}

function estimateShare(passedMs: number, usualMs: number | null): number {
  if (usualMs === null || usualMs <= 0) return RUNNING_SHARE_MAX / 2;
  return Math.min(RUNNING_SHARE_MAX, Math.max(0, passedMs / usualMs));
}

export type Highlight = { driver: LiveDriver; at: number; timeMs: number; mark: Mark; sentence: string };

/** Lists the last improvements of all drivers, latest first. */
export function listHighlights(drivers: readonly LiveDriver[], limit: number): Highlight[] {
  const best = findBests(drivers);
  return drivers
    .flatMap((driver) => (driver.highlight ? [describeHighlight(driver, driver.highlight, best)] : []))
    .toSorted((a, b) => b.at - a.at)
    .slice(0, limit);
}

function describeHighlight(
  driver: LiveDriver,
  { at, sector, timeMs, gainMs }: NonNullable<LiveDriver['highlight']>,
  best: SessionBests,
): Highlight {
  const isBest = timeMs === (sector === null ? best.lapMs : best.sectors[sector]);
  const what = isBest ? 'best of the session' : 'own best';
  const gain = gainMs === null || isBest ? '' : `, quicker by ${(gainMs / 1000).toFixed(3)}`;
  const named = sector === null ? what : `S${sector + 1}, ${what}`;
  const sentence = gainMs === null && !isBest ? 'First lap time' : capitalize(named) + gain;
  return { driver, at, timeMs, mark: isBest ? 'best' : 'own', sentence };
}

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Returns the rows of one page of the paddock's screen: the first three stay, and the others take turns. */
export function pickPage<Row>(rows: readonly Row[], page: number): { rows: Row[]; pages: number } {
  if (rows.length <= ROWS_PER_PAGE) return { rows: [...rows], pages: 1 };
  const others = rows.slice(STAYING_ROWS);
  const size = ROWS_PER_PAGE - STAYING_ROWS;
  const pages = Math.ceil(others.length / size);
  const start = (page % pages) * size;
  return { rows: [...rows.slice(0, STAYING_ROWS), ...others.slice(start, start + size)], pages };
}

const ROWS_PER_PAGE = 12;
const STAYING_ROWS = 3;
