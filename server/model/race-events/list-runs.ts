import type { LapId } from '#contract/ids.ts';
import type { RaceEventRun } from '#contract/race-events/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { listDrivenLaps, type DrivenLap } from './driven-laps-store.ts';
import { listRecordedRuns, type RecordedRun, type StoredEntry } from './entry-store.ts';
import type { StoredRaceEvent } from './race-event-store.ts';

/** A run before the results say whether it counts. */
export type Run = Omit<RaceEventRun, 'counts'>;

type UnnumberedRun = Omit<Run, 'runNumber'> & { atMs: number };

/**
 * Lists the runs of an event: the laps of its drivers, each with what was recorded about it, and the times that were typed.
 * The runs of an entry on a course are numbered in the order in which they began, or were typed.
 */
export async function listRuns(
  db: Database,
  event: StoredRaceEvent,
  entries: readonly StoredEntry[],
): Promise<Run[]> {
  const recorded = await listRecordedRuns(db, event.id);
  const laps = event.takesLaps ? await listLapsOf(db, event, entries) : [];
  const byLap = new Map(recorded.flatMap((run) => (run.lapId ? [[key(run.entryId, run.lapId), run]] : [])));
  const driven = laps.map(({ entry, courseNumber, lap }) =>
    toDrivenRun(entry.id, courseNumber, lap, byLap.get(key(entry.id, lap.lapId))),
  );
  const typed = recorded.filter(({ lapId }) => lapId === null).map(toTypedRun);
  return numberRuns([...driven, ...typed]);
}

const key = (entryId: string, lapId: LapId) => `${entryId} ${lapId}`;

/** Lists the laps of each entry: those in its car, where that is one of the garage. */
export async function listLapsOf(
  db: Database,
  event: Pick<StoredRaceEvent, 'courses' | 'firstDay' | 'lastDay'>,
  entries: readonly StoredEntry[],
) {
  const { courses, firstDay, lastDay } = event;
  const entered = entries.filter(({ withdrawnAt }) => withdrawnAt === null);
  const laps = await listDrivenLaps(db, {
    trackIds: courses.map(({ trackId }) => trackId),
    userIds: entered.flatMap(({ userId }) => userId ?? []),
    firstDay,
    lastDay,
  });
  return laps.flatMap((lap) => {
    const course = courses.find(({ trackId }) => trackId === lap.trackId);
    const entry = entered.find(
      ({ userId, userCarId }) => userId === lap.userId && (userCarId === null || userCarId === lap.userCarId),
    );
    return course && entry ? [{ entry, courseNumber: course.number, lap }] : [];
  });
}

function toDrivenRun(
  entryId: Run['entryId'],
  courseNumber: number,
  { lapId, trackId, lapTimeMs, uncertaintyMs, startedAt }: DrivenLap,
  recorded: RecordedRun | undefined,
): UnnumberedRun {
  return {
    ...describeRecord(recorded),
    entryId,
    courseNumber,
    lap: { trackId, lapId },
    timeMs: lapTimeMs,
    uncertaintyMs,
    atMs: startedAt.getTime(),
  };
}

function toTypedRun(run: RecordedRun): UnnumberedRun {
  const { entryId, courseNumber, timeMs, recordedAt } = run;
  return {
    ...describeRecord(run),
    entryId,
    courseNumber,
    lap: null,
    timeMs,
    uncertaintyMs: null,
    atMs: recordedAt.getTime(),
  };
}

const NOTHING_RECORDED = {
  id: null,
  cones: 0,
  gates: 0,
  status: 'timed',
  reason: null,
  recordedBy: null,
  recordedAt: null,
} as const;

function describeRecord(run: RecordedRun | undefined) {
  if (!run) return NOTHING_RECORDED;
  const { id, cones, gates, status, reason, changedBy, changedAt } = run;
  return { id, cones, gates, status, reason, recordedBy: changedBy, recordedAt: changedAt.toISOString() };
}

function numberRuns(runs: readonly UnnumberedRun[]): Run[] {
  const counts = new Map<string, number>();
  return runs
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ atMs: _at, ...run }) => {
      const where = `${run.entryId} ${run.courseNumber}`;
      const runNumber = (counts.get(where) ?? 0) + 1;
      counts.set(where, runNumber);
      return { ...run, runNumber };
    });
}
