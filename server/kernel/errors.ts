import type { ErrorCode } from '#contract/errors.ts';

/** What is wrong with which field of a request: a sentence by name of the field. */
export type FieldProblems = Record<string, string>;

/** A failure that was foreseen: a code for programs, a sentence for the person who called. Anything else is a bug. */
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
