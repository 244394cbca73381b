import type { FastifyInstance, FastifyRequest } from 'fastify';
import { streamEndpoint } from '#contract/stream/schemas.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { openEventStreams, type StreamHolder } from '#server/kernel/http/event-streams.ts';
import { listCountedNetworks } from '#server/kernel/rate-limits/address-networks.ts';
import { LiveBoards } from '#server/model/live/live-boards.ts';
import { getAuthSession } from '#server/model/people/recent-sign-in.ts';
import type { Services } from '#server/model/services.ts';
import { openNoticeCounts } from './notice-counts.ts';

// A browser has one stream for each visible tab.
const STREAMS_PER_USER_MAX = 5;
// The guests of a track day may all be behind one address.
const STREAMS_PER_NETWORK_MAX = 500;

/** Mounts the one stream of each tab, which carries all that the server sends by itself. */
export function mountStreamRoutes(app: FastifyInstance, services: Services): void {
  const { database, noticePollMs } = services;
  const streams = openEventStreams();
  const notices = openNoticeCounts({ database, log: app.log, pollMs: noticePollMs });
  const boards = new LiveBoards({ database, log: app.log });
  app.addHook('preClose', async () => {
    boards.close();
    streams.close();
  });

  serve(app, streamEndpoint, async ({ viewer, query: { live }, request, reply }) => {
    if (!request.headers.accept?.includes('text/event-stream'))
      throw new AppError('invalid_input', 'This call needs the header Accept: text/event-stream.');
    if (!viewer && live === undefined) throw new AppError('not_signed_in', 'Please sign in first.');
    const session = viewer && (await getAuthSession(services, request));
    const stream = streams.open(toHolder(request, session?.userId));
    try {
      if (live !== undefined) await boards.follow(stream, live);
      if (session) await notices.follow(stream, session);
    } catch (error) {
      stream.end();
      throw error;
    }
    return await reply
      .type('text/event-stream; charset=utf-8')
      // Proxies such as nginx would delay events without this header.
      .header('x-accel-buffering', 'no')
      .send(stream.readable);
  });
}

function toHolder({ ip }: FastifyRequest, userId: string | undefined): StreamHolder {
  return userId === undefined
    ? { key: listCountedNetworks(ip)[0].name, max: STREAMS_PER_NETWORK_MAX }
    : { key: userId, max: STREAMS_PER_USER_MAX };
}
