import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FinishedJson } from '#server/kernel/http/endpoints.ts';
import type { FinishedBoard } from './response-cache.ts';

const NOTHING = Buffer.alloc(0);

/** Chooses what of a finished answer is sent: nothing to who has it already, compressed bytes to who understands them. */
export function sendFinished(
  request: FastifyRequest,
  reply: FastifyReply,
  board: FinishedBoard,
): FinishedJson {
  const { gzipped, etag } = board;
  // May be kept, but has to be asked for again each time: a lap that was just driven must show at once.
  reply.header('cache-control', 'private, no-cache').header('etag', etag);
  if (hasAlready(request.headers['if-none-match'], etag)) {
    reply.code(304);
    return { finishedJson: NOTHING };
  }
  reply.header('vary', 'accept-encoding');
  if (gzipped === null || !takesGzip(request.headers['accept-encoding'])) return { finishedJson: board.json };
  reply.header('content-encoding', 'gzip');
  return { finishedJson: gzipped };
}

function hasAlready(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && ifNoneMatch.split(',').some((known) => known.trim() === etag);
}

function takesGzip(acceptEncoding: string | string[] | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(String(acceptEncoding ?? ''));
}
