import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FinishedJson } from './endpoints.ts';
import type { CachedResponse } from './response-cache.ts';

const NO_BODY = Buffer.alloc(0);

/** Tags a response; for a client that has it (RFC 9110, 13.1.2) the status is 304 and nothing else is to be sent. */
export function isNotModified(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  const known = request.headers['if-none-match'];
  if (known === undefined || !known.split(',').some((tag) => isSame(tag.trim(), etag))) return false;
  reply.code(304);
  return true;
}

/** Sends a cached response: nothing to a client that has it, compressed bytes to one that accepts them. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { json, gzipped, etag }: CachedResponse,
): FinishedJson {
  // The client may keep it, but has to ask each time: a lap that was just driven must show at once.
  reply.header('cache-control', 'private, no-cache');
  if (isNotModified(request, reply, etag)) return { finishedJson: NO_BODY };
  reply.header('vary', 'accept-encoding');
  if (gzipped === null || !acceptsGzip(request.headers['accept-encoding'])) return { finishedJson: json };
  reply.header('content-encoding', 'gzip');
  return { finishedJson: gzipped };
}

/** The weak comparison, which ignores whether a tag is weak. */
function isSame(tag: string, etag: string): boolean {
  return tag === etag || tag === '*' || withoutWeak(tag) === withoutWeak(etag);
}

function withoutWeak(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

function acceptsGzip(acceptEncoding: string | string[] | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(String(acceptEncoding ?? ''));
}
