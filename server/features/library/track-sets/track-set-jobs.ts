import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import type { PublishedSets } from '#server/model/track-sets/published-sets.ts';
import { saveProblem, saveProgress, type SetProgress } from '#server/model/track-sets/track-set-store.ts';
import { startImportWorkers } from '../import/import-workers.ts';
import { fetchTrackSet } from './fetch-track-set.ts';

export const fetchTrackSetJob = defineJob({
  name: 'fetch-track-set',
  queue: 'track-sets',
  // A failure is shown to who started it, and started again by hand; only a server that was killed runs it again.
  attemptsMax: 3,
  payload: z.object({ setName: z.string() }),
});

type TrackSetDeps = {
  db: Database;
  log: FastifyBaseLogger;
  downloadFolder: string;
  publishedSets: PublishedSets;
  version: string;
};

/** Five thousand layouts take half a minute on one core, and longer on a busy one. */
const SORTING_MS_MAX = 900_000;

const UNEXPECTED = 'Something went wrong on our side, and nothing was added. Try again; the log says more.';

export function fetchTrackSets(deps: TrackSetDeps): JobHandler {
  const { db, log, publishedSets } = deps;
  return handleJob(fetchTrackSetJob, async ({ setName }, signal) => {
    const set = publishedSets.sets.find(({ name }) => name === setName);
    if (!set) return await saveProblem(db, setName, 'This version of Pitboard does not know the set.');
    const workers = startImportWorkers({ timeLimitMs: SORTING_MS_MAX });
    const progress = saveSometimes(db, setName);
    try {
      await fetchTrackSet(
        {
          ...deps,
          allowsLoopback: publishedSets.allowsLoopback,
          signal,
          onProgress: progress.save,
          sortOut: (task, onFile) => workers.sortOutPublishedSet(task, onFile),
        },
        set,
      );
      await progress.finish();
    } catch (error) {
      await progress.finish();
      // Another copy of the server takes over, or this one after its start.
      if (signal.aborted) throw error;
      if (!(error instanceof AppError)) log.error({ err: error, setName }, 'A set of tracks was not fetched');
      await saveProblem(db, setName, error instanceof AppError ? error.message : UNEXPECTED);
    } finally {
      await workers.close();
    }
  });
}

const SAVED_EVERY_MS = 500;

/** Saves the progress twice a second at most. Rows that are being added are not shown before they are there. */
function saveSometimes(db: Database, setName: string) {
  let [savedAt, state] = [0, ''];
  let saving: Promise<unknown> = Promise.resolve();
  return {
    save: (progress: SetProgress) => {
      const now = performance.now();
      if (progress.state === state && now - savedAt < SAVED_EVERY_MS) return;
      [savedAt, state] = [now, progress.state];
      saving = saving.then(() => saveProgress(db, setName, progress)).catch(() => {});
    },
    finish: async () => void (await saving),
  };
}
