import type { LapId, RaceEventEntryId, RaceEventRunId, TrackId, UserId } from '#contract/ids.ts';
import { RUN_LIMITS } from '#contract/race-events/labels.ts';
import type { RunInput } from '#contract/race-events/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { missingReason, openToProtests } from './change-event.ts';
import {
  deleteRun,
  findRecordedRun,
  insertRun,
  listEntries,
  listRecordedRuns,
  type RecordedRun,
  type StoredEntry,
  updateRun,
} from './entry-store.ts';
import { listLapsOf } from './list-runs.ts';
import type { StoredRaceEvent } from './race-event-store.ts';

export type NewRun = RunInput & {
  entryId: RaceEventEntryId;
  courseNumber: number;
  lap?: { trackId: TrackId; lapId: LapId } | null | undefined;
};

/** Records a typed time, or penalties and a status of a lap. @throws AppError with the reason where that cannot be */
export async function recordRun(
  tx: Database,
  event: StoredRaceEvent,
  by: UserId,
  { lap = null, ...run }: NewRun,
): Promise<RaceEventRunId> {
  const [entry] = await listEntries(tx, event.id, run.entryId);
  if (!entry) throw new AppError('not_found', 'There is no such entry.');
  if (entry.withdrawnAt !== null) throw new AppError('conflict', 'This entry was withdrawn.');
  if (!event.courses.some(({ number }) => number === run.courseNumber))
    throw invalid('courseNumber', 'The event has no such course.');
  checkRun(run, { isLap: lap !== null, needsReason: event.state === 'provisional' });
  const recorded = await listRecordedRuns(tx, event.id, entry.id);
  if (recorded.length >= RUN_LIMITS.runsPerEntryMax)
    throw new AppError('conflict', `An entry has at most ${RUN_LIMITS.runsPerEntryMax} runs.`);
  if (lap !== null) await checkLap(tx, event, entry, { ...run, lapId: lap.lapId, recorded });
  await openRuns(tx, event);
  return await insertRun(tx, { ...run, lapId: lap?.lapId ?? null, changedBy: by });
}

/** Changes a recorded run. @throws AppError with the reason where that cannot be */
export async function changeRun(
  tx: Database,
  event: StoredRaceEvent,
  by: UserId,
  { runId, input }: { runId: RaceEventRunId; input: RunInput },
): Promise<RecordedRun> {
  const run = await getRun(tx, event, runId);
  checkRun(input, { isLap: run.lapId !== null, needsReason: true });
  await openRuns(tx, event);
  await updateRun(tx, runId, { ...input, changedBy: by, changedAt: new Date() });
  return run;
}

/** Deletes a recorded run; a lap stays one, without penalties. @throws AppError with the reason where that cannot be */
export async function removeRun(
  tx: Database,
  event: StoredRaceEvent,
  runId: RaceEventRunId,
): Promise<RecordedRun> {
  const run = await getRun(tx, event, runId);
  await openRuns(tx, event);
  await deleteRun(tx, runId);
  return run;
}

async function getRun(tx: Database, event: StoredRaceEvent, runId: RaceEventRunId): Promise<RecordedRun> {
  const run = await findRecordedRun(tx, event.id, runId);
  if (!run) throw new AppError('not_found', 'There is no such run.');
  return run;
}

/** @throws AppError `conflict` before the event runs */
async function openRuns(tx: Database, event: StoredRaceEvent): Promise<void> {
  if (event.state === 'draft' || event.state === 'open')
    throw new AppError('conflict', 'Runs are recorded once the event is running.');
  await openToProtests(tx, event);
}

function checkRun(
  { timeMs, cones, gates, status, reason }: RunInput,
  { isLap, needsReason }: { isLap: boolean; needsReason: boolean },
): void {
  if (isLap && timeMs !== null) throw invalid('timeMs', 'A lap has its own time.');
  if (!isLap && status === 'timed' && timeMs === null) throw invalid('timeMs', 'Please type a time.');
  const isPlain = status === 'timed' && cones === 0 && gates === 0;
  if (reason === null && (needsReason || !isPlain)) throw missingReason();
}

function invalid(field: string, sentence: string): AppError {
  return new AppError('invalid_input', sentence, { fields: { [field]: sentence } });
}

async function checkLap(
  tx: Database,
  event: StoredRaceEvent,
  entry: StoredEntry,
  { lapId, courseNumber, recorded }: { lapId: LapId; courseNumber: number; recorded: readonly RecordedRun[] },
): Promise<void> {
  const laps = event.takesLaps ? await listLapsOf(tx, event, [entry]) : [];
  if (!laps.some((one) => one.lap.lapId === lapId && one.courseNumber === courseNumber))
    throw new AppError('not_found', 'This lap is no run of the entry.');
  if (recorded.some((run) => run.lapId === lapId))
    throw new AppError('conflict', 'Something is recorded about this lap already. Change that.');
}
