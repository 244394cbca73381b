import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import type { ErrorBody } from '#contract/errors.ts';
import { AppError } from '#server/kernel/errors.ts';

// Requests that no route can be found for, because their address or they themselves cannot be read. The framework would answer
// them by itself, without our headers and in its own words.

type ServerOptions = FastifyHttpOptions<Server>;

const UNREADABLE_CALL = '/api/unreadable-address';

// Nothing has a route there: it is answered as any path that is no page.
const UNREADABLE_PAGE = '/unreadable-address';

/** Leads addresses that are not properly encoded to `answerUnreadableAddresses`; those of pages to no page. */
export const rewriteUnreadable: NonNullable<ServerOptions['rewriteUrl']> = ({ url = '/' }) => {
  const [path = ''] = url.split('?', 1);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return /^\/(?:api|assets)(?:\/|$)/.test(path) ? UNREADABLE_CALL : UNREADABLE_PAGE;
  }
};

export function answerUnreadableAddresses(app: FastifyInstance): void {
  app.all(UNREADABLE_CALL, async () => {
    throw new AppError('invalid_input', 'This address is not properly encoded.');
  });
}

/** Answers what is no request that HTTP knows, then ends the connection, because the start of the next request is unknown. */
export const answerUnreadableRequest: NonNullable<ServerOptions['clientErrorHandler']> = (error, socket) => {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, body] = describe(error.code);
  const content = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(content)}`,
    `x-request-id: ${randomUUID()}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    "content-security-policy: default-src 'none'",
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${content}`);
};

function describe(code: string | undefined): [status: number, ErrorBody] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return [431, { error: 'too_large', message: 'The address or a header of the request is too long.' }];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, { error: 'invalid_input', message: 'The request took too long to arrive.' }];
    default:
      return [400, { error: 'invalid_input', message: 'The request could not be understood.' }];
  }
}
