import { z } from 'zod';

/** Every error code that a call can answer, with its HTTP status. The code is for programs, the message for people. */
export const ERROR_STATUS = {
  invalid_input: 400,
  not_signed_in: 401,
  not_allowed: 403,
  suspended: 403,
  confirmation_needed: 403,
  account_leaving: 403,
  lines_private: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  laps_do_not_compare: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export const ERROR_MEANINGS: Record<ErrorCode, string> = {
  invalid_input: 'Something that was sent does not fit; `fields` says what and why.',
  not_signed_in: 'The caller is not signed in.',
  not_allowed: 'The call came from another site, or is not for this user.',
  suspended: 'The account is suspended.',
  confirmation_needed: 'The sign-in is too old for this change; sign in again first.',
  account_leaving: 'The account of the caller is to be deleted; keep it first.',
  lines_private: 'The driver of a lap keeps its line private.',
  not_found: 'What was asked for is not there.',
  conflict: 'What is there already prevents it.',
  too_large: 'What was sent is over a limit; the message names it.',
  unsupported_type: 'The content type is not the one that the call takes.',
  laps_do_not_compare: 'The laps were not driven along the same way.',
  too_many_requests: 'Too many calls by one driver or from one address; wait a minute.',
  internal: 'Something went wrong on our side.',
  unavailable: 'The database or the storage of files is unavailable, or its disk is full; try again later.',
};

/** The body of every failed call; `fields` has a message for each invalid field of the request. */
export const errorBodySchema = z.object({
  error: z.string().meta({ description: 'A code for programs.', examples: ['invalid_input'] }),
  message: z.string().meta({
    description: 'A sentence for people.',
    examples: ['There is a problem with trackId: A track id has small letters, digits and hyphens.'],
  }),
  fields: z
    .record(z.string(), z.string())
    .optional()
    .meta({
      description: 'The message for each invalid field of the request, by its name.',
      examples: [{ trackId: 'A track id has small letters, digits and hyphens.' }],
    }),
});

export type ErrorBody = z.infer<typeof errorBodySchema>;
