import { z } from 'zod';
import { type TrackId, trackIdSchema } from '#contract/ids.ts';
import { changeLaps } from '#server/model/boards/change-laps.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { isOnlySlow } from './leave-out.ts';
import {
  findRecordMs,
  listDriversOfMisclassifiedLaps,
  listTracksWithSlowLaps,
  updateSlowLaps,
} from './slow-laps-store.ts';
import type { NewLap } from './lap-file-store.ts';

type SlowLap = Pick<NewLap, 'lapTimeMs' | 'status'> & { reasons: string[] };

/**
 * The engine rejects laps that are slower than a gentle drive around the outline, and knows nothing of other laps. Where the record
 * of the track shows that this is how fast cars are there, such a lap ranks with a warning.
 */
export function classifySlowLap<L extends SlowLap>(lap: L, recordMs: number | null): L {
  if (!isOnlySlow(lap)) return lap;
  return { ...lap, status: lap.lapTimeMs <= rankingUpToMs(recordMs) ? 'warning' : 'rejected' };
}

export function classifySlowLaps<L extends SlowLap>(laps: readonly L[], recordMs: number | null): L[] {
  return laps.map((lap) => classifySlowLap(lap, recordMs));
}

function rankingUpToMs(recordMs: number | null): number {
  return Math.floor(RECORD_RATIO_MAX * (recordMs ?? 0));
}

// Beginners in the rain need that much longer than the quickest car. On public roads, traffic needs twice as long and more.
const RECORD_RATIO_MAX = 1.3;

/** Classifies the slow laps of a track again, whose record may have changed; those of all tracks without one. */
export const classifySlowLapsJob = defineJob({
  name: 'judge-slow-laps',
  queue: 'slow-laps',
  payload: z.object({ trackId: trackIdSchema.optional() }),
});

// Sessions of a track day come in bunches.
const AFTER_UPLOAD_SECONDS = 30;

/** Adds a job that classifies the slow laps of a track by its record at that time. */
export async function addSlowLapsJob(tx: Database, trackId: TrackId): Promise<void> {
  const key = `judge-slow-laps:${trackId}`;
  await addJob(tx, classifySlowLapsJob, { trackId }, { key, delaySeconds: AFTER_UPLOAD_SECONDS });
}

export function classifySlowLapsOfTracks(db: Database): JobHandler {
  return handleJob(classifySlowLapsJob, async ({ trackId }, signal) => {
    for (const id of trackId === undefined ? await listTracksWithSlowLaps(db) : [trackId]) {
      if (signal.aborted) return;
      await classifyTrack(db, id);
    }
  });
}

async function classifyTrack(db: Database, trackId: TrackId): Promise<void> {
  const limitMs = rankingUpToMs(await findRecordMs(db, trackId));
  for (const userId of await listDriversOfMisclassifiedLaps(db, trackId, limitMs)) {
    const change = { trackId, userIds: [userId], recorded: 'removals' as const };
    await db.transaction((tx) =>
      changeLaps(tx, change, () => updateSlowLaps(tx, { trackId, userId, rankingUpToMs: limitMs })),
    );
  }
}
