import type { FastifyInstance } from 'fastify';
import { firstStepEndpoints } from '#contract/operations/first-steps.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { hideFirstSteps } from '#server/model/club/club-settings-store.ts';
import { sendsMail } from '#server/model/mail/mail-server.ts';
import type { Services } from '#server/model/services.ts';
import { listBackupNames } from './backups/list-backups.ts';
import { findClubState } from './operation-store.ts';

/** Serves the first steps of a new club to its owners. */
export function mountFirstStepRoutes(app: FastifyInstance, services: Services): void {
  const { database, settings, backupTarget } = services;
  const { db } = database;
  // Once there was a backup, the storage is not asked again at every visit of an owner.
  let hadBackup = false;

  const findHasBackup = async () => {
    hadBackup ||= backupTarget !== null && (await listBackupNames(backupTarget.storage)).length > 0;
    return hadBackup;
  };

  const findSteps = async () => {
    const club = await findClubState(db);
    if (!club || club.isHidden) return { steps: null };
    const { isHidden: _isHidden, ...known } = club;
    const steps = {
      ...known,
      sendsMail: await sendsMail(db, settings),
      hasBackup: await findHasBackup(),
    };
    return { steps: Object.values(steps).every(Boolean) ? null : steps };
  };

  serve(app, firstStepEndpoints.list, findSteps);

  serve(app, firstStepEndpoints.hide, async ({ body: { isHidden } }) => {
    await hideFirstSteps(db, isHidden);
    return await findSteps();
  });
}
