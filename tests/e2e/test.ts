// oxlint-disable-next-line no-restricted-imports -- This is where the others take it from.
import { test as base, type Page } from '@playwright/test';

/**
 * Playwright's test, but whatever opens a page ends once it is hydrated. By itself it ends at the browser's `load` event, when
 * the server's HTML is there and no script yet: what is pressed then is lost.
 */
export const test = base.extend<object, object>({
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
});

function waitUntilHydrated(page: Page): void {
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
