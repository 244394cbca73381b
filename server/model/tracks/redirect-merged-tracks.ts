import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TrackId, trackIdSchema } from '#contract/ids.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { answerError } from '#server/kernel/http/answer-error.ts';
import { findMergedInto } from './track-store.ts';

const PERMANENT_REDIRECT = 308;
const PARAMETER = ':trackId';

/** Redirects calls about a merged track with method and body, for programs that know the old id. */
export function redirectMergedTracks({ db }: OpenDatabase) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const trackId = error instanceof AppError && error.code === 'not_found' ? readTrackId(request) : null;
    const intoTrackId = trackId === null ? undefined : await findMergedInto(db, trackId);
    if (intoTrackId === undefined) return answerError(error, request, reply);
    return reply.redirect(replaceTrack(request, intoTrackId), PERMANENT_REDIRECT);
  };
}

function readTrackId({ params }: FastifyRequest): TrackId | null {
  if (typeof params !== 'object' || params === null || !('trackId' in params)) return null;
  return trackIdSchema.safeParse(params.trackId).data ?? null;
}

function replaceTrack({ url, routeOptions }: FastifyRequest, trackId: TrackId): string {
  const position = (routeOptions.url ?? '').split('/').indexOf(PARAMETER);
  const [path = '', ...query] = url.split(/(?=\?)/);
  const segments = path.split('/');
  return (
    [...segments.slice(0, position), trackId, ...segments.slice(position + 1)].join('/') + query.join('')
  );
}
