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

/** The module of the web client that a page needs as well where its address has a parameter, by the names of both. */
export const PAGE_PARTS: Partial<Record<PageName, { parameter: string; module: string }>> = {
  track: { parameter: 'lap', module: 'features/lap-view/lap-view.tsx' },
};

/** The id of the block of JSON in which the server sends the data that a page was rendered with. */
export const PAGE_DATA_ID = 'page-data';

/** What the web client gives the server to render its pages with. */
export type PageRenderer = {
  /** Renders a page with the data that have come within `patienceMs`. */
  renderPage: (visit: { path: string; search: string; patienceMs: number }) => Promise<RenderedPage>;
  /** Sets, once, what makes a GET call of the API in the name of the visitor whose page is being rendered. */
  sendCallsThrough: (call: (url: string) => Promise<{ status: number; body: string }>) => void;
};

export type RenderedPage = {
  html: string;
  /** For the block of JSON. */
  data: unknown;
};
