// oxlint-disable-next-line no-restricted-imports -- This is where the others take it from.
import { test as base, type Page } from '@playwright/test';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { startStandIn, type StandIn } from './stand-in.ts';

type Fixtures = {
  /** The stand-in server as at its start, for a guest. */
  standIn: StandIn;
  /** The same with its driver signed in. */
  signedIn: StandIn;
};

type WorkerFixtures = {
  /** One for all tests of a worker, which `standIn` sets back. */
  sharedStandIn: StandIn;
  /** The built server with the settings of a fresh start, which the files of a worker share: each takes it from `shareServer`. */
  server: Pitboard;
};

/**
 * Playwright's test, but whatever opens a page ends once it is hydrated. By itself it ends at the browser's `load` event, when
 * the server's HTML is there and no script yet: what is pressed then is lost.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  browser: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser);
      browser.newContext = async (options) => {
        const context = await newContext(options);
        if (options?.javaScriptEnabled !== false) context.on('page', waitUntilHydrated);
        return context;
      };
      await use(browser);
    },
    { scope: 'worker' },
  ],
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures this one needs: none.
    async ({}, use) => {
      const pitboard = await startPitboard();
      await use(pitboard);
      await pitboard.remove();
    },
    { scope: 'worker' },
  ],
  sharedStandIn: [
    // oxlint-disable-next-line no-empty-pattern -- As above.
    async ({}, use) => {
      const standIn = await startStandIn();
      await use(standIn);
      await standIn.stop();
    },
    { scope: 'worker' },
  ],
  standIn: async ({ sharedStandIn }, use) => {
    sharedStandIn.reset();
    await use(sharedStandIn);
  },
  signedIn: async ({ standIn }, use) => {
    standIn.world.user = standIn.world.visitor;
    await use(standIn);
  },
});

/** Lets whatever opens a page wait until its scripts answer. */
export function waitUntilHydrated(page: Page): void {
  // web/main.tsx adds the attribute.
  const waits = page.locator('#root:not([data-ready])');
  const waiting =
    <Parameters extends unknown[], Result>(open: (...parameters: Parameters) => Promise<Result>) =>
    async (...parameters: Parameters): Promise<Result> => {
      const result = await open(...parameters);
      await waits.waitFor({ state: 'detached' });
      return result;
    };
  page.goto = waiting(page.goto.bind(page));
  page.reload = waiting(page.reload.bind(page));
  page.goBack = waiting(page.goBack.bind(page));
  page.waitForURL = waiting(page.waitForURL.bind(page));
}
