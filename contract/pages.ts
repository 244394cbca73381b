/** The pages of the web client, and the path of each: no other path has one. */
export const PAGES = {
  home: '/',
  leaderboards: '/leaderboards',
  track: '/track/:trackId',
  profile: '/profile',
  'edit-profile': '/profile/edit',
  driver: '/profile/:idOrName',
  upload: '/upload',
  'add-car': '/garage/add',
  login: '/login',
  'import-tracks': '/admin/import-tracks',
  'apex-import': '/admin/apex-import',
} as const;

/** A page by its name; `not-found` is shown on every path that has none. */
export type PageName = keyof typeof PAGES | 'not-found';

/** Where the server leaves the answers of the first calls in the document: the id of a block of JSON. */
export const FIRST_ANSWERS_ID = 'first-answers';
