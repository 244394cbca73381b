import { markChecked } from '#server/model/laps/session-store.ts';
import { z } from 'zod';
import { sessionIdSchema, trackIdSchema } from '#contract/ids.ts';
import { cutLapTrace, decodeLapTrace, type TracedLap } from '#engine/comparison/lap-trace.ts';
import { isCopy, measureLikeness } from '#engine/plausibility/copied-lap.ts';
import { measureExtremes } from '#engine/plausibility/lap-extremes.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { type FindLapTrace, openLapTraces, type TraceDeps } from '#server/model/laps/lap-traces.ts';
import { type Doubt, listDoubts, RULES_VERSION } from './automatic-rules.ts';
import { ANOTHER_DRIVER } from './flag-store.ts';
import { findOverlappingLap } from './camera-store.ts';
import { checkCamera, isOfCamera } from './check-camera.ts';
import {
  findLapToCheck,
  insertAutomaticFlags,
  type LapToCheck,
  listNearestLaps,
  listOthers,
  listOwn,
  listUnchecked,
  type SessionKey,
} from './check-store.ts';

/** Checks the best lap of a session after its upload, and after a change of its best lap. */
const checkSessionJob = defineJob({
  name: 'check-session',
  payload: z.object({ trackId: trackIdSchema, sessionId: sessionIdSchema }),
});

/** Checks some sessions that the current rules have not checked, and adds a job for the rest. */
export const checkOldSessionsJob = defineJob({
  name: 'check-old-sessions',
  queue: 'checks',
  payload: z.object({}),
});

/** Adds a job that checks a session after the transaction. */
export async function addCheck(tx: Database, key: SessionKey): Promise<void> {
  const { trackId, sessionId } = key;
  await addJob(tx, checkSessionJob, { trackId, sessionId }, { key: `check-session:${key.sessionId}` });
}

export function checkSessions(deps: TraceDeps): JobHandler[] {
  const { db } = deps;
  const findTrace = openLapTraces(deps);
  return [
    handleJob(checkSessionJob, (key) => checkSession(db, findTrace, key)),
    handleJob(checkOldSessionsJob, async (_, signal) => {
      const sessions = await listUnchecked(db, RULES_VERSION, SESSIONS_PER_JOB);
      for (const key of sessions) {
        if (signal.aborted) return;
        await checkSession(db, findTrace, key);
      }
      if (sessions.length === SESSIONS_PER_JOB) await addJob(db, checkOldSessionsJob, {});
    }),
  ];
}

const SESSIONS_PER_JOB = 100;
// All checks share one place in the queue of readers, so drivers do not wait long.
const READER = 'checks';

async function checkSession(db: Database, findTrace: FindLapTrace, key: SessionKey): Promise<void> {
  const lap = await findLapToCheck(db, key);
  const traced = lap && (await readTrace(findTrace, lap));
  const extremes = traced ? measureExtremes(traced) : null;
  const doubts: Doubt[] = [];
  if (lap) {
    const known = { others: await listOthers(db, lap), ...(await listOwn(db, key)) };
    doubts.push(...listDoubts({ ...lap, extremes }, known));
    if (traced) {
      doubts.push(...(await findCopied(db, findTrace, { lap, traced })));
      doubts.push(...(await checkCamera(db, { lap, traced }, (other) => readTrace(findTrace, other))));
    }
  }
  await db.transaction(async (tx) => {
    if (lap) await insertAutomaticFlags(tx, lap, doubts);
    // The camera's file came after the lap file, so the lap is checked again.
    const filmed = lap && isOfCamera(lap) ? await findOverlappingLap(tx, lap, false) : undefined;
    if (filmed) await addCheck(tx, filmed);
    await markChecked(tx, key, { rulesVersion: RULES_VERSION, extremes });
  });
}

async function readTrace(
  findTrace: FindLapTrace,
  lap: Pick<LapToCheck, 'lapId' | 'trackId' | 'storageKey' | 'startOffsetMs' | 'lapTimeMs'>,
): Promise<TracedLap | null> {
  const stored = await findTrace(lap, READER);
  const traced = stored && decodeLapTrace(stored.trace);
  return traced && cutLapTrace(traced);
}

/** A copy has a similar lap time: larger changes would look implausible on the track. */
export const COPIES = { share: 0.03, limit: 12 };

async function findCopied(
  db: Database,
  findTrace: FindLapTrace,
  { lap, traced }: { lap: LapToCheck; traced: TracedLap },
): Promise<Doubt[]> {
  for (const other of await listNearestLaps(db, lap, COPIES)) {
    const otherTraced = await readTrace(findTrace, other);
    const likeness = otherTraced && measureLikeness(traced, otherTraced);
    if (!likeness || !isCopy(likeness)) continue;
    const { residualMeters, paceDifference } = likeness;
    const sentence = `Follows a lap of ${ANOTHER_DRIVER} within ${residualMeters.toFixed(1)} m and ${(100 * paceDifference).toFixed(1)} % of pace all around; two people do not drive so alike.`;
    const figures = { residualMeters, paceDifference };
    return [{ reason: 'copy', sentence, figures, otherLapId: other.lapId }];
  }
  return [];
}
