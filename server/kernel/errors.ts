import type { ErrorCode } from '#contract/errors.ts';

/** Says what is wrong with a request: a sentence by name of the field. */
export type FieldProblems = Record<string, string>;

/** Reports an expected failure: a code for programs, a sentence for the person who called. Anything else is a bug. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly fields: FieldProblems | undefined;

  constructor(code: ErrorCode, sentence: string, options: { cause?: unknown; fields?: FieldProblems } = {}) {
    super(sentence, { cause: options.cause });
    this.code = code;
    this.fields = options.fields;
  }
}

/** Pitboard cannot start, or cannot go on; the message is a sentence for the person who started it. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Answers changes while there is no room for them. */
export const DISK_FULL_SENTENCE =
  'The disk of this server is full, so nothing can be saved just now. Please try again later.';

// These are the codes of files, of quotas of a user, and of PostgreSQL (SQLSTATE).
const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT', '53100']);

/** Returns whether the error, or its cause, says that a disk is full. */
export function isDiskFullError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isDiskFullError)) return true;
  return ('code' in error && DISK_FULL_CODES.has(String(error.code))) || isDiskFullError(error.cause);
}
