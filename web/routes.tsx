import type { QueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ComponentType } from 'react';
import { matchRoute, Route, Switch, type Parser } from 'wouter';
import { PAGE_PARTS, PAGES, type PageName, type PagePart } from '#contract/pages.ts';
import { findCurrentUser } from './api/current-user.ts';
import type { PageVisit } from './api/page-visit.ts';
import { reloadOnce } from './shell/reload-once.ts';

// Every page is a chunk of its own: a file in web/pages/ that exports a component named `Page`, and optionally a
// `prefetch`.
type PageModule = {
  Page: ComponentType;
  /** Fetches what the page shows first, all of it together: on the server, and in the browser before a navigation. */
  prefetch?: (queryClient: QueryClient, visit: PageVisit) => Promise<void>;
  /** Loads the chunks that only some URLs of the page need. */
  loadParts?: (search: URLSearchParams) => Promise<void>;
};

const profile = splitPage(() => import('./pages/profile.tsx'));
const editProfile = splitPage(() => import('./pages/edit-profile.tsx'));

const pages = {
  home: splitPage(() => import('./pages/home.tsx')),
  leaderboards: splitPage(() => import('./pages/leaderboards.tsx')),
  track: splitPage(() => import('./pages/track.tsx')),
  events: splitPage(() => import('./pages/events.tsx')),
  event: splitPage(() => import('./pages/event.tsx')),
  profile,
  'edit-profile': editProfile,
  'edit-notices': editProfile,
  'edit-sign-in': editProfile,
  'edit-tokens': editProfile,
  'edit-data': editProfile,
  driver: profile,
  upload: splitPage(() => import('./pages/upload.tsx')),
  live: splitPage(() => import('./pages/live.tsx')),
  drive: splitPage(() => import('./pages/drive.tsx')),
  'add-car': splitPage(() => import('./pages/add-car.tsx')),
  login: splitPage(() => import('./pages/login.tsx')),
  club: splitPage(() => import('./pages/club.tsx')),
  'club-people': splitPage(() => import('./pages/club-people.tsx')),
  'club-moderation': splitPage(() => import('./pages/club-moderation.tsx')),
  'import-tracks': splitPage(() => import('./pages/import-tracks.tsx')),
  'apex-import': splitPage(() => import('./pages/apex-import.tsx')),
  'club-events': splitPage(() => import('./pages/club-events.tsx')),
  'club-operations': splitPage(() => import('./pages/club-operations.tsx')),
  'club-audit': splitPage(() => import('./pages/club-audit.tsx')),
  'not-found': splitPage(() => import('./pages/not-found.tsx')),
} satisfies Record<PageName, SplitPage>;

const paths: Partial<Record<string, string>> = PAGES;
const parts: Partial<Record<string, PagePart>> = PAGE_PARTS;
const routes = Object.entries(pages).map(([name, page]) => ({
  path: paths[name] ?? '*',
  page,
  part: parts[name],
}));

/** Shows the page of the path. Pages read its parameters with `useParams`. */
export function Routes() {
  return (
    <Switch>
      {routes.map(({ path, page }) => (
        <Route key={path} path={path} component={page.Show} />
      ))}
    </Switch>
  );
}

/** Reads the pattern of a path. Capitals make another path, as they do for the server; the router's own parser ignores them. */
export const parsePath: Parser = (path) => {
  const keys = Array.from(path.matchAll(/:(\w+)/g), ([, key = '']) => key);
  const source = path.replaceAll(/:\w+/g, '([^/]+)').replace('*', '.*');
  return { keys, pattern: new RegExp(`^${source.replace(/\/$/, '')}/?$`) };
};

/** Loads the chunks of the page at a URL. */
export async function loadPage(url: string): Promise<void> {
  const { loadParts } = await findPage(url).page.load();
  await loadParts?.(readSearch(url));
}

/** Loads the page at a URL, and fetches what it shows first, together with who is signed in. */
export async function prefetchPage(
  url: string,
  queryClient: QueryClient,
  historyState: unknown = null,
): Promise<void> {
  const { page, params } = findPage(url);
  const search = readSearch(url);
  const user = findCurrentUser(queryClient);
  const { prefetch, loadParts } = await page.load();
  await Promise.all([
    user,
    loadParts?.(search),
    prefetch?.(queryClient, { params, search, historyState, user }),
  ]);
}

/** Tells whether a URL shows other content than another one: another page, or another part of the same page. */
export function showsOther(url: string, shownUrl: string): boolean {
  if (readPath(url) !== readPath(shownUrl)) return true;
  const { part } = findPage(url);
  const [search, shown] = [readSearch(url), readSearch(shownUrl)];
  if (!part || !search.has(part.parameter)) return false;
  return [part.parameter, ...part.changedBy].some((name) => search.get(name) !== shown.get(name));
}

function readSearch(url: string): URLSearchParams {
  return new URLSearchParams(url.split('#')[0]?.split('?')[1]);
}

type FoundPage = { page: SplitPage; part?: PagePart | undefined; params: PageVisit['params'] };

function findPage(url: string): FoundPage {
  const path = decodePath(readPath(url));
  for (const { path: pattern, page, part } of routes) {
    const [isMatch, params] = matchRoute(parsePath, pattern, path);
    if (isMatch) return { page, part, params };
  }
  return { page: pages['not-found'], params: {} };
}

function readPath(url: string): string {
  return url.split(/[?#]/)[0] ?? '';
}

/** Decodes a path like the router. */
function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

type SplitPage = { Show: ComponentType; load: () => Promise<PageModule> };

function splitPage(importPage: () => Promise<PageModule>): SplitPage {
  let loaded: PageModule | undefined;
  const load = async () => (loaded = await importPage());
  const LazyPage = lazy(async () => {
    try {
      return { default: (await load()).Page };
    } catch (error) {
      void reloadOnce();
      throw error;
    }
  });
  return {
    Show: () => {
      // The choice is made once: a page must not be mounted again because its chunk has arrived in the meantime.
      const [Page] = useState(() => loaded?.Page);
      if (Page) return <Page />;
      return (
        <Suspense fallback={null}>
          <LazyPage />
        </Suspense>
      );
    },
    load,
  };
}
