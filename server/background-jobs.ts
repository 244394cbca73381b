import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { backupJob, makeBackups } from '#server/features/operations/backups/backup-jobs.ts';
import { deriveBackupKey } from '#server/features/operations/backups/backup-signature.ts';
import { deleteLeftProofs } from '#server/features/operations/backups/throw-away-store.ts';
import { restoreBackups } from '#server/features/operations/backups/restore-job.ts';
import { addRetiming, retimeTracks } from '#server/model/laps/retime-due-tracks.ts';
import { replaceWrongOutline } from '#server/features/library/replace-wrong-outline.ts';
import {
  addDeliveries,
  deliverEvents,
  deleteOldEvents,
  deleteOldEventsJob,
} from '#server/model/events/deliver-events.ts';
import { checkOldSessionsJob, checkSessions } from '#server/model/flags/check-sessions.ts';
import { sweepFlags } from '#server/model/flags/question-store.ts';
import { sweepImages } from '#server/model/images/sweep-images.ts';
import type { Config } from '#server/kernel/config/config.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { type ScheduledJob, startJobs } from '#server/kernel/jobs/start-jobs.ts';
import { deleteOldCallCounts } from '#server/kernel/rate-limits/call-count-store.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { buildReferenceLines } from '#server/model/laps/build-reference-line.ts';
import { addDigests, addDigestsJob } from '#server/features/mail/digests.ts';
import { mailSignInChanges, type MailDeps, sendMails } from '#server/model/mail/send-mail.ts';
import { endSilentSharings } from '#server/model/live/live-store.ts';
import { deleteOldNotices } from '#server/model/notices/notice-store.ts';
import { deliverWebhooks } from '#server/features/webhooks/deliver-webhooks.ts';
import { deleteOldDeliveries } from '#server/model/webhooks/webhook-store.ts';
import type { LapWorkers } from '#server/model/laps/timing/lap-workers.ts';
import { classifySlowLapsJob, classifySlowLapsOfTracks } from '#server/model/laps/classify-slow-laps.ts';
import { sweepPendingFiles } from '#server/model/laps/pending-files.ts';
import { deleteDuePeople, deleteDuePeopleJob } from '#server/model/people/delete-people.ts';
import {
  pruneDeletedSessions,
  pruneDeletedSessionsOnTime,
} from '#server/model/laps/prune-deleted-sessions.ts';
import { sweepOrphans } from '#server/model/laps/sweep-orphans.ts';
import { ALL_PUBLISHED_SETS, type PublishedSets } from '#server/model/track-sets/published-sets.ts';
import { fetchTrackSets } from '#server/features/library/track-sets/track-set-jobs.ts';
import { addMissingMakeOfficial, makeOfficial } from '#server/model/race-events/make-official.ts';
import { sweepRefusedFiles } from '#server/model/refused-files/refused-files.ts';
import { HOUR_MS } from '#engine/durations.ts';

export type JobHandlerDeps = {
  database: OpenDatabase;
  storage: Storage;
  lapWorkers: LapWorkers;
  incomingFolder: string;
  /** Holds sets of tracks on their way, also over a restart. */
  downloadFolder: string;
  publishedSets?: PublishedSets;
  log: FastifyBaseLogger;
  settings: MailDeps['settings'] & { version: string; webhookLoopback: boolean };
};

/** Deletes stored files that no row names: those of interrupted uploads and calls, and images that were never used. */
const sweepFilesJob = defineJob({
  name: 'sweep-files',
  // The queue keeps the sweep out of backups, which copy files, and of restores, whose files come before their rows.
  queue: 'backups',
  payload: z.object({
    /** The job deletes files stored before this moment; without it, files older than an hour. */
    storedBefore: z.iso.datetime().optional(),
  }),
});

const NOTICES_KEPT_DAYS = 90;
const deleteOldNoticesJob = defineJob({ name: 'forget-notices', payload: z.object({}) });

const DELIVERIES_KEPT_DAYS = 30;
const deleteOldDeliveriesJob = defineJob({ name: 'forget-webhook-deliveries', payload: z.object({}) });

const endSilentSharingsJob = defineJob({ name: 'end-silent-sharings', payload: z.object({}) });

const deleteOldCallCountsJob = defineJob({ name: 'forget-call-counts', payload: z.object({}) });

const sweepFlagsJob = defineJob({ name: 'sweep-flags', payload: z.object({}) });

const SCHEDULE: readonly ScheduledJob[] = [
  { job: sweepFilesJob, crontab: '17 * * * *' },
  { job: deleteOldCallCountsJob, crontab: '47 * * * *' },
  { job: endSilentSharingsJob, crontab: '* * * * *' },
  { job: deleteOldEventsJob, crontab: '37 3 * * *' },
  { job: deleteOldDeliveriesJob, crontab: '43 3 * * *' },
  { job: deleteOldNoticesJob, crontab: '41 3 * * *' },
  // The removed or left-out laps may have been records.
  { job: classifySlowLapsJob, crontab: '7 4 * * *' },
  // The time is evening in Europe and noon in America.
  { job: addDigestsJob, crontab: '31 17 * * *' },
  { job: sweepFlagsJob, crontab: '53 3 * * *' },
  { job: checkOldSessionsJob, crontab: '23 * * * *' },
  { job: deleteDuePeopleJob, crontab: '12 * * * *' },
];

export function listJobHandlers({ database, log, ...deps }: JobHandlerDeps): JobHandler[] {
  const { db, pool } = database;
  return [
    retimeTracks({ ...deps, db, log }),
    sweepFiles({ ...deps, database, log }),
    buildReferenceLines({ ...deps, db, log, onLine: replaceWrongOutline(db, log) }),
    classifySlowLapsOfTracks(db),
    deliverEvents({ db, log, publicUrl: deps.settings.publicUrl }),
    deleteOldEvents(db),
    deliverWebhooks({
      db,
      log,
      post: { version: deps.settings.version, allowsLoopback: deps.settings.webhookLoopback },
    }),
    sendMails({ ...deps, db, pool, log }),
    mailSignInChanges({ ...deps, db, pool, log }),
    addDigests(db, deps.settings),
    deleteDuePeople({ ...deps, db, log }),
    pruneDeletedSessionsOnTime({ ...deps, db }),
    fetchTrackSets({
      ...deps,
      db,
      log,
      version: deps.settings.version,
      publishedSets: deps.publishedSets ?? ALL_PUBLISHED_SETS,
    }),
    makeOfficial({ ...deps, db }),
    handleJob(sweepFlagsJob, () => sweepFlags(db)),
    ...checkSessions({ ...deps, db, log }),
    handleJob(endSilentSharingsJob, async () => void (await endSilentSharings(db))),
    handleJob(deleteOldNoticesJob, () => deleteOldNotices(db, NOTICES_KEPT_DAYS)),
    handleJob(deleteOldDeliveriesJob, () => deleteOldDeliveries(db, DELIVERIES_KEPT_DAYS)),
    handleJob(deleteOldCallCountsJob, async () => void (await deleteOldCallCounts(pool))),
  ];
}

type StartedJobs = {
  config: Config;
  connectionString: string;
  startedAt: Date;
  /** Null makes no backups. */
  backups: Pick<HandledBackups, 'target' | 'keep'> | null;
};

type HandledBackups = Parameters<typeof makeBackups>[0];

// The time is night in Europe and America.
const BACKUPS_AT = '23 2 * * *';

/** Runs background jobs until the server ends; returns the function that stops them. */
export async function startBackgroundJobs(
  deps: JobHandlerDeps,
  { config, connectionString, startedAt, backups }: StartedJobs,
): Promise<() => Promise<void>> {
  const { database, log } = deps;
  const directAddress = config.databaseDirectUrl ?? connectionString;
  if (backups) await cleanUpProofs(directAddress, log);
  await addJobsOfStart(database, { startedAt, isOnlyWriter: config.s3 === null, log });
  const isOnlyServer = config.databaseUrl === null;
  const { version, cookieSecret } = deps.settings;
  const backupParts = backups && {
    ...deps,
    ...backups,
    version,
    key: deriveBackupKey(cookieSecret),
    workFolder: deps.incomingFolder,
    connectionString: directAddress,
  };
  const handlers = [
    ...listJobHandlers(deps),
    ...(backupParts ? [makeBackups(backupParts), restoreBackups(backupParts)] : []),
  ];
  const schedule = backups ? [...SCHEDULE, { job: backupJob, crontab: BACKUPS_AT }] : SCHEDULE;
  return startJobs({ connectionString, log, handlers, schedule, isOnlyServer }).stop;
}

async function cleanUpProofs(connectionString: string, log: FastifyBaseLogger): Promise<void> {
  try {
    const databases = await deleteLeftProofs(connectionString);
    if (databases > 0) log.info({ databases }, 'Removed databases of proofs that a killed server left');
  } catch (error) {
    log.warn({ err: error }, 'Databases of old proofs could not be removed');
  }
}

/**
 * Adds the jobs of a starting server, which were due when the last one ended. Where no other server writes to the storage, a
 * file that was stored before `startedAt` and has no row will never have one.
 */
export async function addJobsOfStart(
  { db }: OpenDatabase,
  { startedAt, isOnlyWriter, log }: { startedAt: Date; isOnlyWriter: boolean; log: FastifyBaseLogger },
): Promise<void> {
  try {
    await addRetiming(db, null);
    await addDeliveries(db);
    await addMissingMakeOfficial(db);
    if (isOnlyWriter) await addJob(db, sweepFilesJob, { storedBefore: startedAt.toISOString() });
  } catch (error) {
    // A full disk refuses new jobs, but the boards are served all the same.
    log.warn({ err: error }, 'The jobs of the start could not be added');
  }
}

/** Lists the sweeps by the kind of file: one that fails does not keep the others from running. */
const SWEEPS = [
  ['deletedSessions', (storage, db) => pruneDeletedSessions({ db, storage }).then(() => 0)],
  ['lapFiles', sweepOrphans],
  ['images', sweepImages],
  ['pendingFiles', sweepPendingFiles],
  ['refusedFiles', sweepRefusedFiles],
] as const satisfies [string, typeof sweepOrphans][];

function sweepFiles({
  storage,
  database: { db },
  log,
}: Pick<JobHandlerDeps, 'storage' | 'database' | 'log'>) {
  return handleJob(sweepFilesJob, async ({ storedBefore }) => {
    const olderThanMs = storedBefore === undefined ? HOUR_MS : Date.now() - Date.parse(storedBefore);
    const counts: Record<string, number> = {};
    const failures: unknown[] = [];
    for (const [kind, sweep] of SWEEPS) {
      try {
        counts[kind] = await sweep(storage, db, olderThanMs);
      } catch (err) {
        failures.push(err);
        log.error({ err, kind }, 'Files that nothing refers to could not be removed');
      }
    }
    if (Object.values(counts).some((count) => count > 0))
      log.info(counts, 'Removed files that nothing refers to');
    if (failures.length > 0) throw new AggregateError(failures, 'Not all kinds of files could be swept.');
  });
}
