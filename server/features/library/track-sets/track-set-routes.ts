import type { FastifyInstance } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { type TrackSet, trackSetEndpoints } from '#contract/tracks/sets.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { insertNotices } from '#server/model/notices/notice-store.ts';
import { lockUsers } from '#server/model/people/ending-store.ts';
import { listAdministratorIds } from '#server/model/people/role-store.ts';
import type { Services } from '#server/model/services.ts';
import { deleteCourses } from '#server/model/track-sets/course-store.ts';
import type { PublishedSet } from '#server/model/track-sets/published-sets.ts';
import {
  claimSet,
  deleteSet,
  findStoredSet,
  listAskedSets,
  listStoredSets,
  recordRequest,
  type StoredSet,
} from '#server/model/track-sets/track-set-store.ts';
import { lockImports } from '#server/model/tracks/track-library-store.ts';
import { deleteTracksOfSet } from '#server/model/tracks/track-origin-store.ts';
import { fetchTrackSetJob } from './track-set-jobs.ts';

/** Serves published sets of tracks: everybody sees them and may ask for them, administrators get and remove them. */
export function mountTrackSetRoutes(app: FastifyInstance, services: Services): void {
  const { database, publishedSets, adminEmails } = services;
  const { db } = database;
  const getSet = (setName: string): PublishedSet =>
    found(
      publishedSets.sets.find(({ name }) => name === setName),
      trackSetEndpoints.fetch,
    );

  serve(app, trackSetEndpoints.list, async ({ viewer }) => {
    const stored = new Map((await listStoredSets(db)).map((row) => [row.name, row]));
    const asked = viewer ? await listAskedSets(db, viewer.id) : [];
    return {
      sets: publishedSets.sets.map((set) => describeSet(set, stored.get(set.name), asked.includes(set.name))),
    };
  });

  serve(app, trackSetEndpoints.fetch, async ({ params, audit }) => {
    const set = getSet(params.setName);
    return await db.transaction(async (tx) => {
      if (!(await claimSet(tx, set)))
        throw new AppError('conflict', `The tracks of ${set.title} are here already, or on their way.`);
      await addJob(tx, fetchTrackSetJob, { setName: set.name }, { key: `fetch-track-set ${set.name}` });
      await audit(tx, { changes: { set: [null, set.title] } });
      return describeSet(set, await findStoredSet(tx, set.name), false);
    });
  });

  serve(app, trackSetEndpoints.remove, async ({ params, audit }) => {
    const set = getSet(params.setName);
    return await db.transaction(async (tx) => {
      await lockImports(tx);
      const stored = await findStoredSet(tx, set.name);
      if (stored && !(await deleteSet(tx, set.name)))
        throw new AppError('conflict', `The tracks of ${set.title} are on their way.`);
      const { removed: removedTracks, kept: keptTracks } = await deleteTracksOfSet(tx, set.name);
      const removedCourses = await deleteCourses(tx, set.name);
      const counts = { tracks: removedTracks, kept: keptTracks, courses: removedCourses };
      await audit(tx, { changes: { set: [set.title, null] }, counts });
      return { removedTracks, keptTracks, removedCourses };
    });
  });

  serve(app, trackSetEndpoints.ask, async ({ params, viewer, audit }) => {
    const set = getSet(params.setName);
    await db.transaction(async (tx) => {
      // Calls at once wait for each other, so that each counts what the others have asked for.
      await lockUsers(tx, [viewer.id]);
      await checkMayAsk(tx, set, viewer.id);
      await recordRequest(tx, set.name, viewer.id);
      await notifyAdministrators(tx, { set, userId: viewer.id, adminEmails });
      await audit(tx, { changes: { set: [null, set.title] } });
    });
    return { asked: true as const };
  });
}

async function checkMayAsk(tx: Database, set: PublishedSet, userId: UserId): Promise<void> {
  if ((await findStoredSet(tx, set.name))?.state === 'installed')
    throw new AppError('conflict', `The tracks of ${set.title} are here already.`);
  const asked = await listAskedSets(tx, userId);
  if (asked.includes(set.name))
    throw new AppError('too_many_requests', 'You have asked for these tracks today.');
  if (asked.length >= LIMITS.trackSetRequestsPerDayMax)
    throw new AppError(
      'too_many_requests',
      `You have asked for ${LIMITS.trackSetRequestsPerDayMax} sets today. Ask for more tomorrow.`,
    );
}

async function notifyAdministrators(
  tx: Database,
  { set, userId, adminEmails }: { set: PublishedSet; userId: UserId; adminEmails: ReadonlySet<string> },
): Promise<void> {
  const about = { trackId: null, eventId: null, lapId: null, comparedLapId: null, otherUserId: userId };
  const payload = { setName: set.name, title: set.title };
  const ids = await listAdministratorIds(tx, adminEmails);
  await insertNotices(
    tx,
    ids.map((id) => ({ ...about, userId: id, kind: 'tracks_asked' as const, payload })),
  );
}

function describeSet(set: PublishedSet, stored: StoredSet | undefined, hasAsked: boolean): TrackSet {
  const state = stored?.state ?? 'absent';
  const isMoving = state === 'fetching' || state === 'reading' || state === 'adding';
  return {
    ...set,
    state,
    progress: stored && isMoving ? { done: stored.progressDone, total: stored.progressTotal } : null,
    problem: stored?.problem ?? null,
    result: state === 'installed' ? (stored?.result ?? null) : null,
    hasAsked,
  };
}
