import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { findErrorCode, isDatabaseUnavailable } from '#server/kernel/database/database-unavailable.ts';
import { AppError, DISK_FULL_SENTENCE, isDiskFullError } from '#server/kernel/errors.ts';
import { isStorageUnavailable } from '#server/kernel/storage/storage-unavailable.ts';
import { UNSTORABLE_TEXT_SENTENCE } from './read-json.ts';

const DATABASE_UNAVAILABLE = 'The database does not answer just now. Please try again in a minute.';
const STORAGE_UNAVAILABLE = 'Files cannot be kept or read just now. Please try again in a minute.';

// SQLSTATE: a query took too long, as a change does that waits for a restore.
const QUERY_CANCELLED = '57014';

// SQLSTATE: a row refers to one that is gone, or one that goes is still referred to. Checks come first, so another call was between.
const FOREIGN_KEY_VIOLATION = '23503';
const isForeignKeyViolation = (error: unknown): boolean => findErrorCode(error) === FOREIGN_KEY_VIOLATION;
const CHANGED_MEANWHILE = 'Something that this belongs to was changed or removed meanwhile. Reload the page.';

// The sentences say 'in a minute'.
const RETRY_AFTER_SECONDS = 60;

/** Answers every error of every route in one shape. Failures are logged, and an answer says nothing of their inside. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toAppError(error);
  const status = ERROR_STATUS[known.code];
  if (known.code === 'internal' || known.code === 'unavailable')
    request.log.error({ err: error }, 'call failed');
  if (isForeignKeyViolation(error)) request.log.warn({ err: error }, 'call refused by a foreign key');
  if (known.code === 'unavailable') reply.header('retry-after', RETRY_AFTER_SECONDS);
  return reply.code(status).send(errorBody(known, request));
}

function errorBody(error: AppError, { routeOptions }: FastifyRequest): ErrorBody {
  const showsMessage = routeOptions.config.endpoint?.errorField === 'message';
  return {
    error: showsMessage ? error.message : error.code,
    message: error.message,
    ...(error.fields && { fields: error.fields }),
  };
}

/** The error to answer when the database or the storage is unavailable, or null when `error` has another cause. */
export function findOutage(error: unknown): AppError | null {
  if (error instanceof AppError) return error.code === 'unavailable' ? error : null;
  if (isDiskFullError(error)) return new AppError('unavailable', DISK_FULL_SENTENCE, { cause: error });
  // First: below, a connection that was refused says that it was one to the database.
  if (isStorageUnavailable(error)) return new AppError('unavailable', STORAGE_UNAVAILABLE, { cause: error });
  if (isDatabaseUnavailable(error) || findErrorCode(error) === QUERY_CANCELLED)
    return new AppError('unavailable', DATABASE_UNAVAILABLE, { cause: error });
  return null;
}

function toAppError(error: unknown): AppError {
  const outage = findOutage(error);
  if (outage) return outage;
  if (error instanceof AppError) return error;
  const cause = { cause: error };
  if (isUnstorableText(error)) {
    return new AppError('invalid_input', UNSTORABLE_TEXT_SENTENCE, cause);
  }
  if (isForeignKeyViolation(error)) return new AppError('conflict', CHANGED_MEANWHILE, cause);
  if (!(error instanceof Error)) return new AppError('internal', UNEXPECTED, cause);
  const { code, statusCode }: Partial<FastifyError> = error;
  const foreseen = code === undefined ? undefined : FRAMEWORK_ERRORS[code];
  if (foreseen) return new AppError(...foreseen, cause);
  const isTheirs = statusCode !== undefined && statusCode >= 400 && statusCode < 500;
  return isTheirs
    ? new AppError('invalid_input', 'The request could not be understood.', cause)
    : new AppError('internal', UNEXPECTED, cause);
}

const UNEXPECTED = 'Something went wrong on our side. Please try again.';
const NOT_JSON = 'The body of the request is not valid JSON.';

/** Errors that Fastify and its plugins throw by themselves, in our words. */
const FRAMEWORK_ERRORS: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_type', 'This call does not take that type of content.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_input', NOT_JSON],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid_input', 'The body of the request is empty.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The request is too large.'],
};

// SQLSTATE: a character that the database's encoding has not; in practice the zero byte.
const UNSTORABLE_TEXT = '22021';

function isUnstorableText(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === UNSTORABLE_TEXT) || isUnstorableText(error.cause);
}
