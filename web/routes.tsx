import { lazy, Suspense, useState, type ComponentType } from 'react';
import { Route, Switch } from 'wouter';
import { PAGES, type PageName } from '#contract/pages.ts';

// Every page is a chunk of its own: a file in web/pages/ that exports a component named `Page`.
type PageModule = { Page: ComponentType };

const profile = splitOff(() => import('./pages/profile.tsx'));

const pages = {
  home: splitOff(() => import('./pages/home.tsx')),
  leaderboards: splitOff(() => import('./pages/leaderboards.tsx')),
  track: splitOff(() => import('./pages/track.tsx')),
  profile,
  'edit-profile': splitOff(() => import('./pages/edit-profile.tsx')),
  driver: profile,
  upload: splitOff(() => import('./pages/upload.tsx')),
  'add-car': splitOff(() => import('./pages/add-car.tsx')),
  login: splitOff(() => import('./pages/login.tsx')),
  'import-tracks': splitOff(() => import('./pages/import-tracks.tsx')),
  'apex-import': splitOff(() => import('./pages/apex-import.tsx')),
  'not-found': splitOff(() => import('./pages/not-found.tsx')),
} satisfies Record<PageName, SplitPage>;

/** Which page a path shows. Parameters are read in the page, with `useParams`. */
export function Routes() {
  return (
    <Switch>
      <Route path={PAGES.home} component={pages.home.Show} />
      <Route path={PAGES.leaderboards} component={pages.leaderboards.Show} />
      <Route path={PAGES.track} component={pages.track.Show} />
      <Route path={PAGES.profile} component={pages.profile.Show} />
      <Route path={PAGES['edit-profile']} component={pages['edit-profile'].Show} />
      <Route path={PAGES.driver} component={pages.driver.Show} />
      <Route path={PAGES.upload} component={pages.upload.Show} />
      <Route path={PAGES['add-car']} component={pages['add-car'].Show} />
      <Route path={PAGES.login} component={pages.login.Show} />
      <Route path={PAGES['import-tracks']} component={pages['import-tracks'].Show} />
      <Route path={PAGES['apex-import']} component={pages['apex-import'].Show} />
      <Route component={pages['not-found'].Show} />
    </Switch>
  );
}

/** Loads a page ahead of `Routes`, which then draws it at once: a document that was drawn before holds no waiting place. */
export async function loadPage(name: string | undefined): Promise<void> {
  const page = Object.entries(pages).find(([known]) => known === name)?.[1];
  await page?.load();
}

type SplitPage = { Show: ComponentType; load: () => Promise<void> };

function splitOff(importPage: () => Promise<PageModule>): SplitPage {
  const loaded: Partial<PageModule> = {};
  const Later = lazy(async () => ({ default: (await importPage()).Page }));
  return {
    Show: () => {
      // Decided once: a page must not begin anew because its chunk has come in the meantime.
      const [{ Page }] = useState(() => ({ ...loaded }));
      if (Page) return <Page />;
      return (
        <Suspense fallback={null}>
          <Later />
        </Suspense>
      );
    },
    load: async () => void Object.assign(loaded, { Page: (await importPage()).Page }),
  };
}
