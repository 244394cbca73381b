import type { FastifyInstance } from 'fastify';
import type { ComparisonId, UserId } from '#contract/ids.ts';
import { savedComparisonEndpoints } from '#contract/lap-view/saved-comparisons.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import {
  countComparisons,
  deleteComparison,
  findComparisonOwner,
  insertComparison,
  listComparisons,
  renameComparison,
} from '#server/model/comparisons/saved-comparison-store.ts';
import { checkMaySeeLine, requireLap } from '#server/model/laps/lap-access.ts';
import { findLap } from '#server/model/laps/lap-view-store.ts';
import { lockUsers } from '#server/model/people/ending-store.ts';
import type { Services } from '#server/model/services.ts';

/** Serves the comparisons that a person has saved. */
export function serveSavedComparisons(
  app: FastifyInstance,
  { database: { db, pool } }: Pick<Services, 'database'>,
): void {
  serve(app, savedComparisonEndpoints.list, ({ viewer }) => listComparisons(db, viewer.id));

  serve(app, savedComparisonEndpoints.save, async ({ viewer, body: { name, trackId, lapIds } }) => {
    for (const lapId of lapIds)
      checkMaySeeLine(requireLap(await findLap(pool, trackId, lapId, viewer.id), viewer), viewer);
    const id = await db.transaction(async (tx) => {
      // Calls at once wait for each other, so that each counts what the others have saved.
      await lockUsers(tx, [viewer.id]);
      if ((await countComparisons(tx, viewer.id)) >= LIMITS.savedComparisonsMax)
        throw new AppError('conflict', TOO_MANY);
      return await insertComparison(tx, { userId: viewer.id, name, trackId, lapIds });
    });
    return { id };
  });

  serve(
    app,
    savedComparisonEndpoints.rename,
    async ({ viewer, params: { comparisonId }, body: { name } }) => {
      await checkIsOwn(db, comparisonId, viewer.id);
      await renameComparison(db, comparisonId, name);
      return { renamed: true as const };
    },
  );

  serve(app, savedComparisonEndpoints.remove, async ({ viewer, params: { comparisonId } }) => {
    await checkIsOwn(db, comparisonId, viewer.id);
    await deleteComparison(db, comparisonId);
    return { deleted: true as const };
  });
}

/** @throws AppError `not_found` or `not_allowed` */
async function checkIsOwn(db: Database, comparisonId: ComparisonId, userId: UserId): Promise<void> {
  const owner = await findComparisonOwner(db, comparisonId);
  if (owner === undefined) throw new AppError('not_found', 'There is no such comparison.');
  if (owner !== userId) throw new AppError('not_allowed', 'This comparison is not yours.');
}

const TOO_MANY = `You have saved ${LIMITS.savedComparisonsMax} comparisons already. Delete one first.`;
