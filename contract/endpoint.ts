import type { z } from 'zod';
import type { AuditAction } from '#contract/audit/labels.ts';
import type { ErrorCode } from './errors.ts';

/** The least role that may call an endpoint. The server also checks who owns the data. */
export type Access = 'public' | 'signed_in' | 'moderator' | 'admin' | 'owner';

/** Needs a recent sign-in only for the calls whose query and body pass the test. */
export type RecentSignInIf = { sentence: string; if: (input: Readonly<Record<string, unknown>>) => boolean };

/** Documents the refusal of a call that needs a recent sign-in. */
export const NOT_RECENT = {
  confirmation_needed: 'The sign-in is older than 15 minutes: sign in again first.',
};

export type MultipartForm = {
  fileField: string;
  maxFiles: number;
  /** The limit for a file that is not a lap file; lap files have their own limit. */
  fileBytesMax?: number;
  /** True if the field may hold the token of a pending file instead of a file. */
  takesTokens?: true;
  fields: z.ZodObject;
};

/** The media type and suffix of a file that a call answers. */
export type FileType =
  | 'application/octet-stream'
  | 'application/zip'
  | 'application/atom+xml'
  | 'image/png'
  | 'image/svg+xml'
  | 'image/webp'
  | 'text/csv'
  | 'text/event-stream'
  | 'text/html';

/** One call of the API, for server, browser and documentation. Fields outside of the schema are removed. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Parameters are written `:name`, and each is a field of `params`. */
  path: `/api/${string}`;
  access: Access;
  /** The calls per minute of one user, or of one IP address if no sign-in is needed; no limit without it. */
  limit?: number;
  /** Needs a sign-in within the last 15 minutes and refuses API tokens. A text gives the reason. */
  recentSignIn?: true | string | RecentSignInIf;
  /**
   * The call also serves users whose account is to be deleted. All other calls serve them as guests, or refuse them with
   * `account_leaving`.
   */
  forLeaving?: true;
  /** The audit log entries that the call may write, in the transaction of its change. */
  audit?: AuditAction | readonly AuditAction[];
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  multipart?: MultipartForm;
  /** The limit for a call whose body is the bytes of one file of any type. */
  rawBody?: { bytesMax: number };
  /** `redirect` means a navigation of the browser; a media type means that the call answers a file. */
  response: z.ZodType | 'redirect' | FileType;
  /** The call sends an `ETag` and answers 304 to a client that has the current answer. */
  isTagged?: true;
  /** `message` puts the sentence into the `error` field of a failure, which holds the code by default. */
  errorField?: 'message';
  /** Failures that are specific to this call: a sentence by code, for the documentation. */
  errors?: Partial<Record<ErrorCode, string>>;
};

/** Checks the type of an endpoint and keeps its exact type. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}
