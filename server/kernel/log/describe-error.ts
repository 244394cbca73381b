// Errors as the log has them. Libraries attach whole requests, connections and the values of a query to theirs; only
// what says where and why is kept.

const TEXT_CHARACTERS_MAX = 1_000;
const STACK_LINES_MAX = 12;
const CAUSES_MAX = 4;

export type DescribedError = {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: DescribedError;
  errors?: DescribedError[];
};

/** What the log says of an error and its causes: kind, code, message without values, and where it happened. */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: cut(String(error)) };
  const { name, constructor, message, stack } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: name === 'Error' ? constructor.name : name,
    message: cut(withoutValues(message, code)),
    ...(code !== undefined && { code }),
    ...(stack !== undefined && { stack: listFrames(stack) }),
    ...(depth < CAUSES_MAX && describeCauses(error, depth + 1)),
  };
}

function describeCauses(error: Error, depth: number): Pick<DescribedError, 'cause' | 'errors'> {
  const errors = error instanceof AggregateError ? error.errors.slice(0, CAUSES_MAX) : [];
  return {
    ...(error.cause !== undefined && { cause: describeError(error.cause, depth) }),
    ...(errors.length > 0 && { errors: errors.map((one) => describeError(one, depth)) }),
  };
}

// SQLSTATE class 22, data exception: the message quotes the value that PostgreSQL could not take.
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/;

function withoutValues(message: string, code: string | undefined): string {
  // Drizzle adds the values of a failed query to its text.
  const [text = ''] = message.split('\nparams: ', 1);
  return code !== undefined && DATA_EXCEPTION.test(code) ? text.replaceAll(/"[^]*"/g, '"…"') : text;
}

/** A stack begins with the message, which may be long and hold values. */
function listFrames(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.slice(0, STACK_LINES_MAX).join('\n');
}

function cut(text: string): string {
  return text.length > TEXT_CHARACTERS_MAX ? `${text.slice(0, TEXT_CHARACTERS_MAX)}…` : text;
}
