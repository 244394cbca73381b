import { z } from 'zod';
import { trackIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { boardFilterSchema } from '#contract/boards/filter.ts';
import { boardParams } from '#contract/laps/schemas.ts';

const EMBEDDED_ROWS_MAX = 100;

const NO_SUCH_TRACK = { not_found: 'There is no such track.' };

export const sharingEndpoints = {
  embed: endpoint({
    method: 'GET',
    path: '/api/embed/track/:trackId',
    access: 'public',
    limit: 60,
    summary:
      'A board as a page for the frame of another site, under the same filters. The only page that may be framed.',
    params: boardParams,
    query: boardFilterSchema.extend({
      theme: z.enum(['dark', 'light', 'auto']).default('auto').meta({
        description:
          '`dark` and `light` follow the page around it; `auto` follows the computer of the reader.',
      }),
      limit: z.coerce.number().int().min(1).max(EMBEDDED_ROWS_MAX).default(10),
    }),
    response: 'text/html',
    errors: NO_SUCH_TRACK,
  }),
  csv: endpoint({
    method: 'GET',
    path: '/api/tracks/:trackId/board.csv',
    access: 'public',
    limit: 60,
    summary:
      'A board as a table for a spreadsheet, under the same filters. `GET /api/laps/track/:trackId/best` answers it as JSON.',
    params: boardParams,
    query: boardFilterSchema,
    response: 'text/csv',
    errors: NO_SUCH_TRACK,
  }),
  qrCode: endpoint({
    method: 'GET',
    path: '/api/tracks/:trackId/qr-code.svg',
    access: 'public',
    limit: 60,
    summary: 'A QR code of the address of a board, with the same filters, to be printed.',
    params: boardParams,
    query: boardFilterSchema,
    response: 'image/svg+xml',
    errors: { ...NO_SUCH_TRACK, too_large: 'The address with its filters is too long for a QR code.' },
  }),
  feed: endpoint({
    method: 'GET',
    path: '/api/feed/records',
    access: 'public',
    limit: 60,
    summary: 'The latest track records as an Atom feed, of all tracks or of one.',
    query: z.object({ track: trackIdSchema.optional() }),
    response: 'application/atom+xml',
  }),
};
