import type { ErrorBody } from '#contract/errors.ts';

const FALLBACK_SENTENCE = 'Something went wrong. Please try again.';

/** A failed call. Its message is the status code and the body's text, or the status text of an empty body. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The code of the error, or its sentence where the call answers that; null for an answer of another program. */
  readonly code: string | null;
  /** The message to show to the user. */
  readonly sentence: string;
  /** The message for each invalid field of the request, by the field's name. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: number, statusText: string, bodyText: string) {
    super(`${status}: ${bodyText || statusText}`);
    this.status = status;
    const body = readErrorBody(bodyText);
    this.code = body.error ?? null;
    this.sentence = body.message ?? body.error ?? FALLBACK_SENTENCE;
    this.fields = body.fields ?? {};
  }
}

/** The request has not reached the server, or its answer has not come back. */
export class LostConnectionError extends Error {
  override readonly name = 'LostConnectionError';

  constructor(cause?: unknown) {
    super('The connection was lost. Please try again.', { cause });
  }
}

/** Returns the message to show for anything that was thrown: the server's, that the connection was lost, else `fallback`. */
export function describeError(error: unknown, fallback = FALLBACK_SENTENCE): string {
  if (error instanceof LostConnectionError) return error.message;
  return error instanceof ApiError && error.sentence !== FALLBACK_SENTENCE ? error.sentence : fallback;
}

// A proxy may answer anything.
function readErrorBody(text: string): Partial<ErrorBody> {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? pickErrorFields(body) : {};
  } catch {
    return {};
  }
}

function pickErrorFields({ error, message, fields }: Record<string, unknown>): Partial<ErrorBody> {
  return {
    ...(typeof error === 'string' && { error }),
    ...(typeof message === 'string' && { message }),
    ...(isRecord(fields) && { fields: pickStrings(fields) }),
  };
}

function pickStrings(record: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
