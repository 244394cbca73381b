import type { UserId } from '#contract/ids.ts';
import type { CarModel } from '#contract/cars/schemas.ts';
import type { TimePeriod } from '#contract/laps/labels.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';

// Keeps what clients know of a community that they change together, from which follows what its boards must be.

export type KnownCar = { id: string; model: CarModel };

export type KnownSession = {
  id: string;
  trackId: string;
  car: KnownCar | null;
  tire: string | null;
  startTimeMs: number;
  bestLapTimeMs: number;
};

export type KnownDriver = {
  id: UserId;
  name: string;
  hasAvatar: boolean;
  headers: Record<string, string>;
  cars: KnownCar[];
  sessions: KnownSession[];
};

export type BoardQuery = {
  make?: string;
  raceClass?: string;
  drivetrain?: string;
  tire?: string;
  timePeriod?: TimePeriod;
};

/** The rules determine these fields of a row; the order of equal times is left open. */
export type BoardRow = Pick<LapRecord, 'driverId' | 'userName' | 'lapTimeMs' | 'rank' | 'gapMs'> & {
  hasAvatar: boolean;
};

/** How often each track was changed, and by how many just now: a board that was read meanwhile cannot be judged. */
export type Changes = Map<string, { finished: number; underWay: number }>;

const DAY_MS = 86_400_000;
// In days; drives lie far from these, so that the length of a month does not matter.
const PERIOD_DAYS: Record<TimePeriod, number> = {
  '1-month': 29,
  '6-months': 180,
  '1-year': 364,
  'all-time': Infinity,
};

/** Ages of drives in days, on either side of each period. */
export const DRIVE_AGES_DAYS = [3, 20, 60, 140, 220, 330, 500, 700] as const;

/** The board of a track under a filter: of each driver the best session that passes, the fastest first. */
export function boardOf(drivers: readonly KnownDriver[], trackId: string, query: BoardQuery): BoardRow[] {
  const bests = drivers.flatMap((driver) => {
    const passing = driver.sessions.filter(
      (session) => session.trackId === trackId && passes(session, query),
    );
    const lapTimeMs = Math.min(...passing.map((session) => session.bestLapTimeMs));
    return passing.length === 0 ? [] : [{ driver, lapTimeMs }];
  });
  const times = bests.map(({ lapTimeMs }) => lapTimeMs);
  return inOrder(
    bests.map(({ driver, lapTimeMs }) => ({
      driverId: driver.id,
      userName: driver.name,
      hasAvatar: driver.hasAvatar,
      lapTimeMs,
      rank: 1 + times.filter((other) => other < lapTimeMs).length,
      gapMs: lapTimeMs - Math.min(...times),
    })),
  );
}

/** Rows by time, those of equal times by driver. */
export function inOrder(rows: readonly BoardRow[]): BoardRow[] {
  return rows.toSorted((a, b) => a.lapTimeMs - b.lapTimeMs || (a.driverId < b.driverId ? -1 : 1));
}

function passes({ car, tire, startTimeMs }: KnownSession, query: BoardQuery): boolean {
  const { timePeriod = 'all-time', ...asked } = query;
  const known = { ...car?.model, tire };
  const isAsked = Object.entries(asked).every(([name, value]) =>
    Object.entries(known).some(([knownName, knownValue]) => knownName === name && knownValue === value),
  );
  return isAsked && Date.now() - startTimeMs < PERIOD_DAYS[timePeriod] * DAY_MS;
}

/** Makes a change of boards on some tracks, and notes from when to when it is made. */
export async function changing(
  changes: Changes,
  trackIds: readonly string[],
  change: () => Promise<void>,
): Promise<void> {
  const all = trackIds.map((trackId) => {
    const known = changes.get(trackId) ?? { finished: 0, underWay: 0 };
    changes.set(trackId, known);
    return known;
  });
  for (const known of all) known.underWay += 1;
  try {
    await change();
  } finally {
    for (const known of all) {
      known.underWay -= 1;
      known.finished += 1;
    }
  }
}

/** Returns the state of a track; null while somebody changes it. */
export function stateOf(changes: Changes, trackId: string): number | null {
  const { finished, underWay } = changes.get(trackId) ?? { finished: 0, underWay: 0 };
  return underWay > 0 ? null : finished;
}
