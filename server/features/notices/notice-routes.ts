import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { noticeEndpoints } from '#contract/notices/schemas.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { describeNotice } from '#server/model/notices/describe-notice.ts';
import { getAuthSession } from '#server/model/people/recent-sign-in.ts';
import { openNoticeStreams } from './notice-stream.ts';
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

  const streams = openNoticeStreams({ db, log: app.log, pollMs: services.noticePollMs });
  app.addHook('preClose', () => streams.close());
  serve(app, noticeEndpoints.stream, async ({ viewer, request, reply }) => {
    if (!request.headers.accept?.includes('text/event-stream'))
      throw new AppError('invalid_input', 'This call needs the header Accept: text/event-stream.');
    const { tokenSha256 } = await getAuthSession(services, request);
    const stream = await streams.open({ userId: viewer.id, tokenSha256 });
    return await reply
      .type('text/event-stream; charset=utf-8')
      // Proxies such as nginx would delay events without this header.
      .header('x-accel-buffering', 'no')
      .send(stream);
  });

  serve(app, noticeEndpoints.settings, ({ viewer }) => findMuted(db, viewer.id));

  serve(app, noticeEndpoints.changeSettings, async ({ viewer, body }) => {
    const { muted, mutedInMail = (await findMuted(db, viewer.id)).mutedInMail } = body;
    await setMuted(db, viewer.id, { muted, mutedInMail });
    return await findMuted(db, viewer.id);
  });
}
