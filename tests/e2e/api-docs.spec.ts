import { expect } from '@playwright/test';
import { expectAccessible } from './expect-accessible.ts';
import { shareServer } from './driver.ts';
import { test } from './test.ts';

/** The page of the API, as a stranger sees it. */

const pitboard = shareServer();

for (const [colorScheme, width] of [
  ['dark', 1280],
  ['light', 375],
] as const) {
  test(
    `the page of the API is accessible and fits, ${colorScheme}, ${width} pixels wide`,
    { tag: '@all' },
    async ({ browser }) => {
      test.slow(); // Thousands of elements are judged.
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
      const page = await context.newPage();
      const messages: string[] = [];
      page.on('console', (message) => messages.push(message.text()));
      await page.goto(`${pitboard().url}/api/docs`);
      const call = page.getByRole('article', { name: 'GET /api/laps/track/{trackId}/best' });
      await expect(call).toContainText('Anybody may call it.');
      await expectAccessible(page);
      // What is folded has to fit too.
      await page.evaluate(() => {
        for (const part of document.querySelectorAll('details')) part.open = true;
      });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
      expect(messages).toEqual([]);
      await context.close();
    },
  );
}

test('a link of the contents leads to its call', async ({ page }) => {
  await page.goto(`${pitboard().url}/api/docs`);
  await page.getByText('Tracks', { exact: true }).first().click();
  await page.getByRole('link', { name: 'GET /api/tracks/{trackId}' }).first().click();
  await expect(page).toHaveURL(/#get-tracks-trackId$/);
  await expect(
    page.getByRole('heading', { name: 'GET /api/tracks/{trackId}', exact: true }),
  ).toBeInViewport();
});
