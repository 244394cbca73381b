import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './expect-accessible.ts';
import { shareServer } from './driver.ts';
import { test } from './test.ts';

/** The page of the API, as a guest sees it. */

const pitboard = shareServer();

/** Everything that the page prints or asks other hosts for; a violation of the security policy is printed. */
function recordProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(pitboard().url) && !url.startsWith('data:')) problems.push(url);
  });
  return problems;
}

test('the API is listed, found by its path, and tried out', { tag: '@all' }, async ({ page }) => {
  const problems = recordProblems(page);
  await page.goto(`${pitboard().url}/api/docs`);
  await expect(page.getByRole('heading', { name: 'Signing in' })).toBeVisible();
  const filter = page.getByRole('search').getByRole('textbox');
  await filter.fill('/api/admin/audit');
  await expect(page.locator('.opblock').first()).toContainText('/api/admin/audit-log');
  await expect(page.locator('.opblock').first()).toContainText('signed in');
  await filter.fill('/api/health');
  await page.getByRole('button', { name: /^GET \/api\/health/ }).click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  await page.getByRole('button', { name: 'Execute' }).click();
  await expect(page.locator('.live-responses-table')).toContainText('"status": "ok"');
  expect(problems).toEqual([]);
});

test('calls that change something are not made from the page', { tag: '@all' }, async ({ page }) => {
  await page.goto(`${pitboard().url}/api/docs`);
  await page.getByRole('button', { name: /^POST \/api\/logout/ }).click();
  await expect(page.getByRole('heading', { name: 'Responses' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try it out' })).toHaveCount(0);
});

for (const [colorScheme, width] of [
  ['dark', 1280],
  ['light', 375],
] as const) {
  test(
    `the page of the API is accessible and fits, ${colorScheme}, ${width} pixels wide`,
    { tag: '@all' },
    async ({ browser }) => {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
      const page = await context.newPage();
      const problems = recordProblems(page);
      await page.goto(`${pitboard().url}/api/docs#/Tracks/get-tracks-trackId`);
      await expect(page.getByRole('button', { name: 'Try it out' })).toBeVisible();
      await expectAccessible(page);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
      expect(problems).toEqual([]);
      await context.close();
    },
  );
}
