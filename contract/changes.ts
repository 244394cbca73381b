import type { ApiEndpoint } from './api.ts';

type PathOf<Method extends string> = Extract<ApiEndpoint, { method: Method }>['path'];

export type ChangingCall = {
  [M in Exclude<ApiEndpoint['method'], 'GET'>]: `${M} ${PathOf<M>}`;
}[Exclude<ApiEndpoint['method'], 'GET'>];

/** The subject of a query: the first segment after `/api` in the path of a GET call. */
export type Subject =
  PathOf<'GET'> extends `/api/${infer Path}`
    ? Path extends `${infer First}/${string}`
      ? First
      : Path
    : never;

const TRACK_SUBJECTS = ['tracks', 'nearby-tracks', 'laps', 'sessions', 'admin'] as const;
const CAR_SUBJECTS = ['car-library', 'user-cars', 'users', 'sessions', 'laps', 'tracks', 'admin'] as const;
const FLAG_SUBJECTS = ['tracks', 'laps', 'admin'] as const;

/**
 * Lists the subjects that a browser has to fetch again after a successful call. The table is separate from the
 * endpoints because the browser needs it as a value, and files with schemas would bring the validator into every page.
 * The compiler refuses a table that lacks a call or names a subject that no call reads. Calls that sign in or out list
 * none: a page load follows.
 */
export const CHANGES = {
  'POST /api/auth/password': [],
  'POST /api/auth/passkey/options': [],
  'POST /api/auth/passkey': [],
  'POST /api/auth/recover': [],
  'POST /api/auth/link': [],
  'POST /api/auth/invitation': [],
  'POST /api/auth/register': [],
  'POST /api/auth/reset': [],
  'POST /api/auth/reset/mail': [],
  'POST /api/auth/sign-in-link': [],
  'POST /api/auth/sign-in-link/mail': [],
  'POST /api/auth/set-up': [],
  'POST /api/auth/set-up/mail-test': [],
  'POST /api/auth/confirmation': ['account', 'auth'],
  'POST /api/logout': [],
  'POST /api/mail/unsubscribe': [],

  'PUT /api/lap-videos/:trackId/:lapId': ['lap-videos'],
  'POST /api/lap-videos/:trackId/:lapId/evidence': ['tracks', 'laps'],
  'POST /api/comparisons': ['comparisons'],
  'PUT /api/comparisons/:comparisonId': ['comparisons'],
  'DELETE /api/comparisons/:comparisonId': ['comparisons'],

  'PATCH /api/auth/user/preferences': ['auth', 'users', 'laps', 'tracks'],
  'PUT /api/user/avatar': ['auth', 'users', 'laps'],
  'DELETE /api/user/avatar': ['auth', 'users', 'laps'],
  'POST /api/objects/upload': [],
  'PUT /api/objects/:token': [],
  // Other tabs show the same.
  'DELETE /api/account': ['auth'],
  'DELETE /api/account/deletion': ['auth'],
  // It may end invitations, too.
  'PUT /api/account/password': ['account', 'admin'],
  'POST /api/account/passkeys/options': [],
  'POST /api/account/passkeys': ['account'],
  'PUT /api/account/passkeys/:passkeyId': ['account'],
  'DELETE /api/account/passkeys/:passkeyId': ['account'],
  'POST /api/account/recovery-codes': ['account'],
  'DELETE /api/account/devices/:deviceId': ['account'],
  'DELETE /api/account/devices': ['account'],
  'POST /api/account/provider': [],
  'DELETE /api/account/provider': ['account'],
  'POST /api/account/tokens': ['account'],
  'DELETE /api/account/tokens/:tokenId': ['account'],
  'PUT /api/notices/read': [],
  'PUT /api/notices/settings': ['notices'],

  'POST /api/live/sharing': ['live'],
  'POST /api/live/sharing/fixes': [],
  'DELETE /api/live/sharing': ['live'],

  'POST /api/user-cars': ['user-cars', 'users'],
  'POST /api/user-cars/proposals': ['user-cars', 'users', 'car-library', 'admin'],
  'DELETE /api/user-cars/:id': ['user-cars', 'users'],
  'PUT /api/cars/:id/photo': ['user-cars', 'users'],
  'DELETE /api/cars/:id/photo': ['user-cars', 'users'],

  'POST /api/analyze-gps': [],
  'POST /api/pending-files': [],
  'PUT /api/pending-files/:fileToken': [],
  'POST /api/refused-files': ['admin'],
  'DELETE /api/admin/refused-files/:fileId': ['admin'],
  'POST /api/upload': ['sessions', 'tracks', 'laps'],
  'PATCH /api/sessions/:id': ['sessions', 'laps', 'tracks', 'lap-videos'],
  'DELETE /api/sessions/:id': ['sessions', 'laps', 'tracks', 'comparisons'],
  'DELETE /api/sessions/:id/deletion': ['sessions', 'laps', 'tracks', 'comparisons', 'notices'],

  'POST /api/tracks/:trackId/laps/:lapId/flags': FLAG_SUBJECTS,
  'POST /api/tracks/:trackId/laps/:lapId/appeal': FLAG_SUBJECTS,
  'POST /api/tracks/:trackId/laps/:lapId/answer': FLAG_SUBJECTS,
  'POST /api/admin/tracks/:trackId/laps/:lapId/decision': FLAG_SUBJECTS,
  'DELETE /api/admin/tracks/:trackId/laps/:lapId/decision': FLAG_SUBJECTS,
  'POST /api/admin/tracks/:trackId/laps/:lapId/question': FLAG_SUBJECTS,
  'PUT /api/admin/tracks/:trackId/laps/:lapId/official': FLAG_SUBJECTS,
  'DELETE /api/admin/tracks/:trackId/laps/:lapId/official': FLAG_SUBJECTS,

  'POST /api/events': ['events'],
  'PATCH /api/events/:eventId': ['events'],
  'DELETE /api/events/:eventId': ['events'],
  'POST /api/events/:eventId/state': ['events'],
  'POST /api/events/:eventId/entries': ['events'],
  'PATCH /api/events/:eventId/entries/:entryId': ['events'],
  'DELETE /api/events/:eventId/entries/:entryId': ['events'],
  'POST /api/events/:eventId/runs': ['events'],
  'PATCH /api/events/:eventId/runs/:runId': ['events'],
  'DELETE /api/events/:eventId/runs/:runId': ['events'],

  'POST /api/tracks/proposals': ['tracks', 'nearby-tracks', 'admin'],
  'POST /api/courses/:courseId/track': ['tracks', 'nearby-tracks', 'admin'],
  'POST /api/admin/tracks/:trackId/approve': TRACK_SUBJECTS,
  'POST /api/admin/tracks/:trackId/merge': TRACK_SUBJECTS,
  'PATCH /api/admin/tracks/:trackId': TRACK_SUBJECTS,
  'DELETE /api/admin/tracks/:trackId': TRACK_SUBJECTS,
  'PUT /api/admin/tracks/:trackId/corner-names': ['tracks', 'admin'],
  'POST /api/admin/parse-tracks': [],
  'POST /api/admin/create-tracks': ['tracks', 'nearby-tracks', 'admin'],
  'POST /api/admin/import-track-set': ['tracks', 'nearby-tracks', 'admin'],
  'POST /api/admin/track-sets/:setName/fetch': ['track-sets', 'notices'],
  'DELETE /api/admin/track-sets/:setName': ['track-sets', 'tracks', 'nearby-tracks', 'admin'],
  'POST /api/track-sets/:setName/requests': ['track-sets'],
  'POST /api/apex/parse': [],
  'POST /api/apex/import': [],
  'POST /api/apex/migrate-to-main': ['tracks', 'nearby-tracks', 'admin'],

  'POST /api/admin/cars/:carId/approve': CAR_SUBJECTS,
  'POST /api/admin/cars/:carId/merge': CAR_SUBJECTS,
  'POST /api/admin/car-library/upload-preview': [],
  'POST /api/admin/car-library/import': ['car-library', 'admin'],

  'POST /api/admin/invitations': ['admin'],
  'DELETE /api/admin/invitations/:invitationId': ['admin'],
  'DELETE /api/admin/people/:userId': ['admin', 'laps', 'tracks', 'users'],
  'POST /api/admin/people/:userId/reset-link': ['admin'],
  'PUT /api/admin/people/:userId/suspension': ['admin', 'auth'],
  'PUT /api/admin/users/:userId/role': ['admin', 'auth'],
  'PUT /api/admin/club': ['admin', 'auth', 'laps', 'samples'],
  'PUT /api/admin/first-steps': ['admin'],
  'PUT /api/admin/mail': ['admin', 'auth', 'account'],
  'DELETE /api/admin/mail': ['admin', 'auth', 'account'],
  'POST /api/admin/mail/test': [],
  // The answer says whether the sign-in is recent enough.
  'POST /api/admin/mail/settings/test': ['account'],
  'POST /api/admin/webhooks': ['admin'],
  'PUT /api/admin/webhooks/:webhookId': ['admin'],
  'DELETE /api/admin/webhooks/:webhookId': ['admin'],
  'POST /api/admin/webhooks/:webhookId/test': ['admin'],
  'POST /api/admin/backups': ['admin'],
  'POST /api/admin/backups/:name/restore': ['admin'],
  'DELETE /api/admin/demo': [
    'demo',
    'auth',
    'users',
    'user-cars',
    'sessions',
    'laps',
    'tracks',
    'nearby-tracks',
    'notices',
    'admin',
  ],
} as const satisfies Record<ChangingCall, readonly Subject[]>;
