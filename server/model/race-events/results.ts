import type { RaceEventClassId, RaceEventEntryId } from '#contract/ids.ts';
import type { RunStatus } from '#contract/race-events/labels.ts';

// The rule by which results follow from runs. It knows nothing of the database, so that anybody can check signed results by it.

export type ResultSettings = {
  /** Only so many first runs on each course count; null: all. Runs with the status `rerun` are not among them. */
  firstRuns: number | null;
  /** The best so many of them are added; null: every one, and all must be timed. */
  countedRuns: number | null;
  conePenaltyMs: number;
  gatePenaltyMs: number;
  tieRule: 'shared' | 'faster';
};

export type ResultRun = {
  courseNumber: number;
  runNumber: number;
  timeMs: number | null;
  /** The ± of a lap; null for a time that was typed. */
  uncertaintyMs: number | null;
  cones: number;
  gates: number;
  status: RunStatus;
};

export type ResultEntry = {
  entryId: RaceEventEntryId;
  indexFactor: number | null;
  runs: readonly ResultRun[];
};

export type ResultRow = {
  entryId: RaceEventEntryId;
  /** Null without a total. */
  place: number | null;
  totalMs: number | null;
  /** Null where a time was typed, whose ± is not known. */
  uncertaintyMs: number | null;
  /** To the first; null without a total. */
  gapMs: number | null;
  /** The difference to the row before or after is smaller than both ±. */
  isWithin: boolean;
};

type Total = { entryId: RaceEventEntryId; totalMs: number; uncertaintyMs: number | null };

/** Ranks the entries of a class, or of all classes. Those without a total come last, in the order given. */
export function rankEntries(
  settings: ResultSettings,
  courseNumbers: readonly number[],
  entries: readonly ResultEntry[],
): ResultRow[] {
  const totals = entries
    .flatMap((entry) => addUp(settings, courseNumbers, entry) ?? [])
    .toSorted(compareTotals);
  const ranked = new Set(totals.map(({ entryId }) => entryId));
  const unranked = entries.filter(({ entryId }) => !ranked.has(entryId));
  const places = findPlaces(totals, settings.tieRule);
  const firstMs = totals[0]?.totalMs ?? 0;
  return [
    ...totals.map((total, index) => ({
      ...total,
      place: places[index] ?? null,
      gapMs: total.totalMs - firstMs,
      isWithin: [totals[index - 1], totals[index + 1]].some((other) => other && areWithin(total, other)),
    })),
    ...unranked.map(({ entryId }) => ({
      entryId,
      place: null,
      totalMs: null,
      uncertaintyMs: null,
      gapMs: null,
      isWithin: false,
    })),
  ];
}

/** Compares totals; of equal ones the widest ± comes first, so that places do not depend on the order in which entries are given. */
function compareTotals(a: Total, b: Total): number {
  return a.totalMs - b.totalMs || (b.uncertaintyMs ?? -1) - (a.uncertaintyMs ?? -1);
}

/** Returns the runs that make the total of an entry; none where it has no total. */
export function findCountedRuns<Run extends ResultRun>(
  settings: ResultSettings,
  courseNumbers: readonly number[],
  runs: readonly Run[],
): Run[] {
  const counted = courseNumbers.map((number) =>
    findCountedOnCourse(
      settings,
      runs.filter(({ courseNumber }) => courseNumber === number),
    ),
  );
  return counted.some(({ length }) => length === 0) ? [] : counted.flat();
}

function findCountedOnCourse<Run extends ResultRun>(settings: ResultSettings, runs: readonly Run[]): Run[] {
  const { firstRuns, countedRuns } = settings;
  const eligible = runs
    .filter(({ status }) => status !== 'rerun')
    .toSorted((a, b) => a.runNumber - b.runNumber)
    .slice(0, firstRuns ?? undefined);
  const timed = eligible.filter(({ status, timeMs }) => status === 'timed' && timeMs !== null);
  if (countedRuns === null) {
    return timed.length === (firstRuns ?? eligible.length) ? timed : [];
  }
  if (timed.length < countedRuns) return [];
  return timed
    .toSorted((a, b) => addPenalties(settings, a) - addPenalties(settings, b))
    .slice(0, countedRuns);
}

/** Returns the time of a run with what its cones and gates cost. */
function addPenalties(
  { conePenaltyMs, gatePenaltyMs }: ResultSettings,
  { timeMs, cones, gates }: ResultRun,
): number {
  return (timeMs ?? 0) + cones * conePenaltyMs + gates * gatePenaltyMs;
}

// Indexes have at most four decimals. Multiplied as whole numbers, half a millisecond is exactly half, and rounds up as by hand.
const INDEX_PARTS = 10_000;

function addUp(
  settings: ResultSettings,
  courseNumbers: readonly number[],
  { entryId, indexFactor, runs }: ResultEntry,
): Total | null {
  const counted = findCountedRuns(settings, courseNumbers, runs);
  if (counted.length === 0) return null;
  const factor = indexFactor ?? 1;
  const sumMs = counted.reduce((sum, run) => sum + addPenalties(settings, run), 0);
  const bands = counted.flatMap(({ uncertaintyMs }) => uncertaintyMs ?? []);
  const isKnown = bands.length === counted.length;
  return {
    entryId,
    totalMs: Math.round((sumMs * Math.round(factor * INDEX_PARTS)) / INDEX_PARTS),
    uncertaintyMs: isKnown ? Math.round(Math.hypot(...bands) * factor) : null,
  };
}

/** Returns whether the difference of two totals is smaller than both ± together. */
function areWithin(a: Total, b: Total): boolean {
  if (a.uncertaintyMs === null || b.uncertaintyMs === null) return false;
  return Math.abs(a.totalMs - b.totalMs) < Math.hypot(a.uncertaintyMs, b.uncertaintyMs);
}

/** Returns the places of sorted totals. Those who share one are compared with the first of them, so that a long row of close totals does not share a single place; equal totals always share one. */
function findPlaces(totals: readonly Total[], tieRule: ResultSettings['tieRule']): number[] {
  const places: number[] = [];
  let start = 0;
  for (const [index, total] of totals.entries()) {
    const first = totals[start];
    const shares =
      first !== undefined &&
      (total.totalMs === totals[index - 1]?.totalMs || (tieRule === 'shared' && areWithin(first, total)));
    if (!shares) start = index;
    places.push(start + 1);
  }
  return places;
}

type RankedEvent = ResultSettings & {
  courses: readonly { number: number }[];
  classes: readonly { id: RaceEventClassId; indexFactor: number | null }[];
};

type RankedEntry = { id: RaceEventEntryId; classId: RaceEventClassId; withdrawnAt: unknown };

/** Ranks the entries of an event by their runs, by class and, where the classes can be compared, overall; says which runs count. */
export function rankRuns<Run extends ResultRun & { entryId: RaceEventEntryId }>(
  event: RankedEvent,
  entries: readonly RankedEntry[],
  runs: readonly Run[],
) {
  const { classes } = event;
  const courseNumbers = event.courses.map(({ number }) => number);
  const ranked = entries
    .filter(({ withdrawnAt }) => withdrawnAt === null)
    .map(({ id, classId }) => ({
      entryId: id,
      classId,
      indexFactor: classes.find((one) => one.id === classId)?.indexFactor ?? null,
      runs: runs.filter(({ entryId }) => entryId === id),
    }));
  const counted = new Set(ranked.flatMap((entry) => findCountedRuns(event, courseNumbers, entry.runs)));
  const withIndex = classes.filter(({ indexFactor }) => indexFactor !== null).length;
  const isComparable = withIndex === 0 || withIndex === classes.length;
  return {
    runs: runs.map((run) => ({ ...run, counts: counted.has(run) })),
    results: {
      classes: classes.map(({ id }) => ({
        classId: id,
        rows: rankEntries(
          event,
          courseNumbers,
          ranked.filter(({ classId }) => classId === id),
        ),
      })),
      overall: isComparable ? rankEntries(event, courseNumbers, ranked) : null,
    },
  };
}
