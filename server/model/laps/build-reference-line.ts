import { z } from 'zod';
import { type TrackId, trackIdSchema } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import type { BuiltLine } from './timing/build-line.ts';
import { openLapTraces, type TraceDeps } from './lap-traces.ts';
import {
  findLineState,
  listSourceLaps,
  deleteReferenceLine,
  storeReferenceLine,
} from './reference-line-store.ts';

/** Makes the line of a track, along which laps are compared, from its best laps. */
const buildLineJob = defineJob({
  name: 'build-reference-line',
  queue: 'reference-lines',
  payload: z.object({ trackId: trackIdSchema }),
});

// More laps than these change nothing that matters.
const LAPS_MAX = 12;
// Sessions of a track day arrive together; comparisons use the previous line meanwhile.
const AFTER_UPLOAD_SECONDS = 60;

/** Adds a job that builds the line of a track soon, because its best laps have changed. */
export async function addLineAfterUpload(tx: Database, trackId: TrackId): Promise<void> {
  await addJob(
    tx,
    buildLineJob,
    { trackId },
    { key: createJobKey(trackId), delaySeconds: AFTER_UPLOAD_SECONDS },
  );
}

/** Adds a job that builds the line of a track at once. */
export async function addLine(db: Database, trackId: TrackId): Promise<void> {
  await addJob(db, buildLineJob, { trackId }, { key: createJobKey(trackId) });
}

function createJobKey(trackId: TrackId): string {
  return `build-reference-line:${trackId}`;
}

// All lines together have one turn, between those of drivers who wait.
const READER = 'reference-lines';

export type ReferenceLineDeps = TraceDeps & {
  /** Called with a line that laps of so many drivers lead along. */
  onLine: (trackId: TrackId, built: BuiltLine) => Promise<void>;
};

export function buildReferenceLines({ onLine, ...parts }: ReferenceLineDeps): JobHandler {
  const { db, lapWorkers } = parts;
  const findTrace = openLapTraces(parts);
  return handleJob(buildLineJob, async ({ trackId }) => {
    const state = await findLineState(db, trackId);
    if (!state) return;
    const laps = await listSourceLaps(db, trackId, LAPS_MAX);
    const wanted = laps.map(({ lapId }) => lapId);
    if (wanted.length > 0 && wanted.join() === state.lapIds.join()) return;
    const traces: Uint8Array[] = [];
    for (const lap of laps) {
      const found = await findTrace(lap, READER);
      if (found) traces.push(found.trace);
    }
    const built = traces.length === 0 ? null : await lapWorkers.buildLine(traces, READER);
    if (built === null) return await deleteReferenceLine(db, trackId);
    await storeReferenceLine(db, {
      trackId,
      line: built.line,
      lapIds: wanted,
      definedAt: state.definedAt,
    });
    // Simulated drivers know a track from its outline alone.
    if (laps.every(({ isDemo }) => !isDemo)) await onLine(trackId, built);
  });
}
