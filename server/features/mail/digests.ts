import { z } from 'zod';
import { userIdSchema } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { type MailEnvironment, sendsMail } from '#server/model/mail/mail-server.ts';
import { claimDigest, listDueDigests } from '#server/model/mail/mail-store.ts';
import { addMail } from '#server/model/mail/send-mail.ts';

const FIRST_USER = '00000000-0000-0000-0000-000000000000';
const USERS_PER_JOB = 500;

export const addDigestsJob = defineJob({
  name: 'add-digests',
  payload: z.object({ afterUserId: userIdSchema.prefault(FIRST_USER) }),
});

export function addDigests(db: Database, environment: MailEnvironment): JobHandler {
  return handleJob(addDigestsJob, async ({ afterUserId }) => {
    if (!(await sendsMail(db, environment))) return;
    const day = new Date().toISOString().slice(0, 10);
    const due = await listDueDigests(db, { day, afterUserId, limit: USERS_PER_JOB });
    await db.transaction(async (tx) => {
      for (const digest of due) {
        if (await claimDigest(tx, { ...digest, day })) await addMail(tx, { kind: 'digest', day, ...digest });
      }
      const last = due.at(-1);
      if (last && due.length === USERS_PER_JOB) await addJob(tx, addDigestsJob, { afterUserId: last.userId });
    });
  });
}
