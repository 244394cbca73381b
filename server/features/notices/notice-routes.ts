import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { noticeEndpoints } from '#contract/notices/schemas.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { describeNotice } from '#server/model/notices/describe-notice.ts';
import {
  countUnread,
  findMuted,
  listNotices,
  markRead,
  setMuted,
} from '#server/model/notices/notice-store.ts';

export function mountNoticeRoutes(app: FastifyInstance, services: Services): void {
  const { db } = services.database;
  serve(app, noticeEndpoints.list, async ({ viewer, query }) => ({
    notices: (await listNotices(db, viewer.id, query)).map(describeNotice),
    unread: await countUnread(db, viewer.id),
  }));

  serve(app, noticeEndpoints.markRead, async ({ viewer, body }) => {
    await markRead(db, viewer.id, body.untilId);
    return { unread: await countUnread(db, viewer.id) };
  });

  serve(app, noticeEndpoints.settings, ({ viewer }) => findMuted(db, viewer.id));

  serve(app, noticeEndpoints.changeSettings, async ({ viewer, body }) => {
    const { muted, mutedInMail = (await findMuted(db, viewer.id)).mutedInMail } = body;
    await setMuted(db, viewer.id, { muted, mutedInMail });
    return await findMuted(db, viewer.id);
  });
}
