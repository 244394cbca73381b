import type { z } from 'zod';
import type { AuditAction } from '#contract/audit/labels.ts';
import type { ErrorCode } from './errors.ts';

/** Who may call: anybody, anybody signed in, moderators and administrators, or administrators only. What is theirs is checked on top of it. */
export type Access = 'public' | 'signed_in' | 'moderator' | 'admin';

/** The files and text fields of a multipart form. */
export type MultipartForm = {
  /** Name of the form field that carries the files. */
  fileField: string;
  maxFiles: number;
  /** What is taken as one file where it is no lap file, which has a limit of its own. */
  fileBytesMax?: number;
  /** Whether the field may hold the token of a pending file instead of a file. */
  takesTokens?: true;
  fields: z.ZodObject;
};

/** What kind of file a call answers. */
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

/**
 * One call of the API. The server serves it, the browser calls it and the OpenAPI document lists it,
 * all from this one object; a response is stripped of every field that its schema does not name.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Parameters are written `:name`, and each is a field of `params`. */
  path: `/api/${string}`;
  access: Access;
  /** Calls a minute that one user may make, and one IP address where no sign-in is needed; without it there is no limit. */
  limit?: number;
  /** The call needs a sign-in of the last 15 minutes, and no API token counts as one. A text says what it is needed for. */
  recentSignIn?: true | string;
  /** The entries that the call may write to the audit log, in the transaction of its change. */
  audit?: AuditAction | readonly AuditAction[];
  /** One sentence for the API's documentation. */
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  multipart?: MultipartForm;
  /** For calls whose body is the bytes of one file, of whatever type. */
  rawBody?: { bytesMax: number };
  /** `redirect` for calls that are browser navigations; the media type for calls that answer a file. */
  response: z.ZodType | 'redirect' | FileType;
  /** For calls with an `ETag`, which answer 304 to who has the answer already. */
  isTagged?: true;
  /** What the `error` field of a failure holds: the code, as without it, or the sentence, for clients that show that field. */
  errorField?: 'message';
  /** When it fails in a way that not every call of its kind does: a sentence by code, for the documentation. */
  errors?: Partial<Record<ErrorCode, string>>;
};

/** Keeps the exact type of an endpoint while checking that it is one. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}
