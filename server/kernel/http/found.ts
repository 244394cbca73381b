import { AppError } from '#server/kernel/errors.ts';

/** An endpoint that declares what it answers where something is missing. */
type Declaring = { errors: { not_found: string } };

/** Returns `value`. @throws AppError `not_found` with the sentence that the endpoint declares, where there is none */
export function found<Value>(value: Value | null | undefined, { errors }: Declaring): Value {
  if (value !== undefined && value !== null) return value;
  throw notFound({ errors });
}

export function notFound({ errors }: Declaring): AppError {
  return new AppError('not_found', errors.not_found);
}
