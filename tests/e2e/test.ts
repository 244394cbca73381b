// oxlint-disable-next-line no-restricted-imports -- This is where the others take it from.
import { test as base, type Page } from '@playwright/test';

/**
 * Playwright's test, but whatever opens a document ends once the page has taken it over. Without that it ends at the browser's
 * `load` event, when what the server has drawn is there and no script yet: what is pressed then is lost.
 */
export const test = base.extend<object, object>({
  browser: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser);
      browser.newContext = async (options) => {
        const context = await newContext(options);
        if (options?.javaScriptEnabled !== false) context.on('page', waitUntilTakenOver);
        return context;
      };
      await use(browser);
    },
    { scope: 'worker' },
  ],
});

function waitUntilTakenOver(page: Page): void {
  // web/main.tsx takes the attribute away.
  const drawn = page.locator('#root[data-page]');
  const waiting =
    <Parameters extends unknown[], Result>(open: (...parameters: Parameters) => Promise<Result>) =>
    async (...parameters: Parameters): Promise<Result> => {
      const result = await open(...parameters);
      await drawn.waitFor({ state: 'detached' });
      return result;
    };
  page.goto = waiting(page.goto.bind(page));
  page.reload = waiting(page.reload.bind(page));
  page.goBack = waiting(page.goBack.bind(page));
  page.waitForURL = waiting(page.waitForURL.bind(page));
}
