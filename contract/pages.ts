import type { FormatChoice, Formats } from '#contract/formats/labels.ts';

/** The pages of the web client with their paths. Every other path answers `not-found`. */
export const PAGES = {
  home: '/',
  leaderboards: '/leaderboards',
  track: '/track/:trackId',
  events: '/events',
  event: '/event/:eventId',
  profile: '/profile',
  'edit-profile': '/profile/edit',
  'edit-notices': '/profile/edit/notices',
  'edit-sign-in': '/profile/edit/sign-in',
  'edit-tokens': '/profile/edit/tokens',
  'edit-data': '/profile/edit/data',
  driver: '/profile/:idOrName',
  upload: '/upload',
  live: '/live/:code',
  drive: '/drive',
  'add-car': '/garage/add',
  login: '/login',
  club: '/club',
  'club-people': '/club/people',
  'club-moderation': '/club/moderation',
  'import-tracks': '/admin/import-tracks',
  'apex-import': '/admin/apex-import',
  'club-events': '/club/events',
  'club-operations': '/club/operations',
  'club-audit': '/club/audit',
} as const;

/** The name of a page; `not-found` is shown on every path without a page. */
export type PageName = keyof typeof PAGES | 'not-found';

/** A module that a page loads if its URL has a certain query parameter; other parameters may change what it shows. */
export type PagePart = { parameter: string; changedBy: readonly string[]; module: string };

export const PAGE_PARTS: Partial<Record<PageName, PagePart>> = {
  track: { parameter: 'lap', changedBy: ['vs'], module: 'features/lap-view/lap-view.tsx' },
};

/** The id of the JSON block that holds the data with which the server rendered a page. */
export const PAGE_DATA_ID = 'page-data';

/** The forms of units and dates of a visitor: by the language of the browser, and by the choice of a guest. */
export type VisitorFormats = { ofBrowser: Formats; ofGuest: FormatChoice };

export type PageRenderer = {
  /** Renders a page with the data that arrive within `patienceMs`. */
  renderPage: (visit: {
    path: string;
    search: string;
    formats: VisitorFormats;
    patienceMs: number;
  }) => Promise<RenderedPage>;
  /** Sets once the function that makes GET calls of the API on behalf of the visitor of the rendered page. */
  sendCallsThrough: (call: (url: string) => Promise<{ status: number; body: string }>) => void;
};

export type RenderedPage = {
  html: string;
  data: object;
};
