import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { type SessionId, sessionIdSchema, type TrackId, trackIdSchema } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { type RetimeDeps, retimeSessions } from './retime.ts';
import {
  type DueTrack,
  listDueTracks,
  markRetimed,
  markRetimedUpTo,
} from '#server/model/tracks/track-correction-store.ts';

/** Retimes a batch of sessions of a corrected track, and adds a job for the rest; one at a time on all servers. */
const retimeTrackJob = defineJob({
  name: 'retime-track',
  queue: 'retiming',
  payload: z.object({
    trackId: trackIdSchema,
    /** The job is due since this time. A track that was corrected again has a job of its own for that. */
    dueAt: z.string(),
    /** Sessions up to this one are retimed already. */
    afterSessionId: sessionIdSchema.nullable(),
  }),
});

/** Adds jobs for the tracks that are due to be retimed, or for one of them. */
export async function addRetiming(tx: Database, trackId: TrackId | null): Promise<void> {
  for (const { id, dueAt } of await listDueTracks(tx, trackId)) {
    const payload = { trackId: id, dueAt, afterSessionId: null };
    await addJob(tx, retimeTrackJob, payload, { key: `retime-track:${id}` });
  }
}

export type RetimingDeps = Omit<RetimeDeps, 'workFolder'> & {
  incomingFolder: string;
  log: FastifyBaseLogger;
};

// The next server repeats the work of a job whose server was killed.
const PART_MS = 60_000;

export function retimeTracks(deps: RetimingDeps): JobHandler {
  const { db, log } = deps;
  return handleJob(retimeTrackJob, async ({ trackId, dueAt, afterSessionId }, signal) => {
    const isDue = (await listDueTracks(db, trackId)).some((due) => due.dueAt === dueAt);
    if (!isDue) return;
    const part = AbortSignal.any([signal, AbortSignal.timeout(PART_MS)]);
    const { lastSessionId, counts } = await retimePart(deps, { id: trackId, dueAt }, afterSessionId, part);
    log.info({ trackId, ...counts }, 'Retimed laps of a corrected track');
    if (lastSessionId === null) return;
    await addJob(db, retimeTrackJob, { trackId, dueAt, afterSessionId: lastSessionId });
  });
}

/** Retimes sessions until `part` is aborted; `lastSessionId` is the last one where there may be more. */
async function retimePart(
  { incomingFolder, ...deps }: RetimingDeps,
  track: DueTrack,
  afterSessionId: SessionId | null,
  part: AbortSignal,
) {
  const workFolder = await mkdtemp(join(incomingFolder, 'retime-'));
  const counts = { unchanged: 0, changed: 0, failed: 0 };
  try {
    const options = { trackId: track.id, afterSessionId, isDryRun: false };
    for await (const retimed of retimeSessions({ ...deps, workFolder }, options)) {
      const { outcome, session } = retimed;
      counts[outcome]++;
      if (outcome === 'failed')
        deps.log.warn({ sessionId: session.id }, `A session was not retimed. ${retimed.sentence}`);
      await markRetimedUpTo(deps.db, track, session.id);
      if (part.aborted) return { lastSessionId: session.id, counts };
    }
    await markRetimed(deps.db, track);
    return { lastSessionId: null, counts };
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}
