import { z } from 'zod';
import { type RaceEventId, raceEventIdSchema } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { openDocumentSigner } from '#server/kernel/sign-document.ts';
import { describeResults, signResults } from './official-results.ts';
import { findRaceEvent, listProvisional, setState } from './race-event-store.ts';
import { viewRaceEvent } from './view-race-event.ts';

const makeOfficialJob = defineJob({
  name: 'make-event-official',
  payload: z.object({ eventId: raceEventIdSchema }),
});

/** Adds the jobs of events whose results are provisional: a restored backup has none. */
export async function addMissingMakeOfficial(db: Database): Promise<void> {
  for (const { id, provisionalUntil } of await listProvisional(db)) {
    const leftMs = (provisionalUntil?.getTime() ?? 0) - Date.now();
    await addMakeOfficial(db, id, Math.max(0, leftMs) / 1000);
  }
}

type OfficialDeps = { db: Database; settings: { publicUrl: string; cookieSecret: string } };

/** Adds the job that makes the results of an event official after a time; there is one for each event. */
export async function addMakeOfficial(
  tx: Database,
  eventId: RaceEventId,
  delaySeconds: number,
): Promise<void> {
  const key = `make-event-official ${eventId}`;
  await addJob(tx, makeOfficialJob, { eventId }, { key, delaySeconds, movesTime: true });
}

/** Makes the results of an event official once the time for protests is over, which may have begun again meanwhile. */
export function makeOfficial({ db, settings }: OfficialDeps): JobHandler {
  const signer = openDocumentSigner(settings.cookieSecret);
  return handleJob(makeOfficialJob, async ({ eventId }) => {
    await db.transaction(async (tx) => {
      const event = await findRaceEvent(tx, eventId, true);
      if (event?.state !== 'provisional' || event.provisionalUntil === null) return;
      const leftMs = event.provisionalUntil.getTime() - Date.now();
      if (leftMs > 0) return await addMakeOfficial(tx, eventId, leftMs / 1000);
      const view = await viewRaceEvent(tx, eventId, null);
      if (!view) return;
      const officialAt = new Date();
      const officialResults = signResults(describeResults(view, settings.publicUrl), { signer, officialAt });
      await setState(tx, eventId, { state: 'official', officialAt, officialResults });
    });
  });
}
