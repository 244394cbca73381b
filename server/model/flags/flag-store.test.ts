import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useTestApp } from '#server/testing/test-app.ts';
import { lapIdSchema, userIdSchema } from '#contract/ids.ts';
import { lockFlagsByUser, lockLapReview } from './flag-store.ts';

const app = useTestApp();

test("the review of a lap does not wait for anybody's flags, even with the same id", async () => {
  const { db } = app;
  const id = randomUUID();
  const order: string[] = [];
  await db.transaction(async (flagging) => {
    await lockFlagsByUser(flagging, userIdSchema.parse(id));
    await db.transaction(async (reviewing) => {
      await lockLapReview(reviewing, lapIdSchema.parse(id));
      order.push('reviewed');
    });
    order.push('flagged');
  });
  expect(order).toEqual(['reviewed', 'flagged']);
});
