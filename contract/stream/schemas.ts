import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { liveCodeSchema } from '#contract/live/code.ts';

export const streamEndpoint = endpoint({
  method: 'GET',
  path: '/api/stream',
  access: 'public',
  // All who watch at a track may be behind one address, and open their streams again after a restart.
  limit: 1_000,
  summary:
    'Server-sent events for one page. `notices`: the number of unread notices as `{"unread":3}`, for signed-in users. With `live`: `live`, the live session and those of its drivers that have changed; `live-moves`, the drivers whose fixes came, each as `[number]` or, on a lap and with lines shown, `[number,lat,lon]`; `live-end`. The state comes at the start, then what changes. Needs `Accept: text/event-stream`.',
  query: z.object({
    live: liveCodeSchema.optional().meta({ description: 'Also follows this live session.' }),
  }),
  response: 'text/event-stream',
  errors: {
    not_signed_in: 'A guest follows no notices: name a live session.',
    not_found: 'There is no such live session.',
    too_many_requests: 'The user, or the address of guests, has too many such streams open already.',
  },
});
