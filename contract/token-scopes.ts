import type { Endpoint } from './endpoint.ts';

// No schema in this file: the browser takes the words without taking the validator with them.

/** What an API token may be allowed to do. */
export const TOKEN_SCOPES = ['read', 'upload', 'admin'] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** How each scope is offered. */
export const TOKEN_SCOPE_LABELS: Record<TokenScope, { label: string; hint: string }> = {
  read: { label: 'Read', hint: 'Boards, laps and sessions, as you see them.' },
  upload: { label: 'Upload', hint: 'Upload lap files in your name.' },
  admin: { label: 'Administer', hint: 'Tracks, cars and jobs, as long as you are an administrator.' },
};

/** For how many days a token can be made. */
export const TOKEN_DAYS = [7, 30, 90, 365] as const;

export const TOKENS_MAX = 20;
export const TOKEN_NAME_CHARACTERS_MAX = 60;

// What is somebody's own account, or says who may do what, is changed and read with a browser that is signed in.
// So is what replaces everything.
const READABLE =
  /^\/api\/(tracks|laps|sessions|samples|users|user-cars|car-library|images|system|health|ready|docs|openapi|embed|feed)/;
const UPLOADS = /^(POST \/api\/(upload|analyze-gps)|\w+ \/api\/pending-files(\/:fileToken)?)$/;
const ADMINISTERED =
  /^\/api\/(admin\/(tracks|cars|car-library|jobs|track-proposals|retimings|audit-log|backups(?!\/:name)|parse-tracks|create-tracks)|apex)(\/|$)/;

/** The scope that a token needs for a call; null for calls that no token may make. */
export function findTokenScope({
  method,
  path,
  access,
}: Pick<Endpoint, 'method' | 'path' | 'access'>): TokenScope | null {
  if (UPLOADS.test(`${method} ${path}`)) return 'upload';
  if (access === 'admin' || access === 'moderator') return ADMINISTERED.test(path) ? 'admin' : null;
  return method === 'GET' && READABLE.test(path) ? 'read' : null;
}
