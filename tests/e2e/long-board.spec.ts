import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible } from './expect-accessible.ts';
import { serveLongBoard } from './long-board.ts';
import { HARBOUR } from './specified-answers.ts';
import { test } from './stand-in-test.ts';

// Boards of which only a part is ever drawn.

const RECORD_COUNT = 900;

for (const width of [375, 1280]) {
  test(`at ${width} pixels, Back from a driver far down a board lands on the very row`, async ({
    page,
    signedIn,
  }) => {
    await page.setViewportSize({ width, height: 812 });
    await serveLongBoard(page, RECORD_COUNT);
    await page.goto(`${signedIn.url}/track/${HARBOUR}`);
    await scrollToEnd(page);
    const rows = page.getByRole('table').getByRole('row');
    expect(await rows.count()).toBeLessThan(200);
    // The head, and the own row above the list.
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(2 + RECORD_COUNT));

    const link = page.getByRole('link', { name: 'Christopher Featherstonehaugh III 640', exact: true });
    const row = page.locator('tr').filter({ has: link });
    await scrollUpTo(page, row);
    await expect(row).toHaveAttribute('aria-rowindex', '642');
    const topPx = await topOf(row);
    await link.click();
    await expect(page).toHaveURL(`${signedIn.url}/profile/driver-639`);
    await page.goBack();
    await expect.poll(() => topOf(row)).toBeCloseTo(topPx, 0);
    await expectAccessible(page);
  });
}

test('a row that has the focus stays on the page, however far it is scrolled away', async ({
  page,
  standIn,
}) => {
  await serveLongBoard(page, RECORD_COUNT);
  await page.goto(`${standIn.url}/track/${HARBOUR}`);
  const first = page.getByRole('link', { name: 'Ada Brook 1', exact: true });
  await first.focus();
  await scrollToEnd(page);
  await expect(first).toBeFocused();
});

test('a board of some hundred rows is there whole, for the search of the browser', async ({
  page,
  standIn,
}) => {
  await serveLongBoard(page, 430);
  await page.goto(`${standIn.url}/track/${HARBOUR}`);
  await scrollToEnd(page);
  await expect(page.getByRole('table').locator('tbody tr')).toHaveCount(430);
});

test('what is printed is whole, however long it is', async ({ page, standIn }) => {
  await serveLongBoard(page, RECORD_COUNT);
  await page.goto(`${standIn.url}/track/${HARBOUR}`);
  await scrollToEnd(page);
  const rows = page.getByRole('table').locator('tbody tr');
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  expect(await rows.count()).toBe(RECORD_COUNT);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect.poll(() => rows.count()).toBeLessThan(200);
});

/** Until every page has come. */
async function scrollToEnd(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: 'Load More' });
  await expect(page.getByRole('table')).toBeVisible();
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    expect(await more.count()).toBe(0);
  }).toPass();
}

/** A screen at a time, as whoever looks for it would, and until nothing moves any more. */
async function scrollUpTo(page: Page, row: Locator): Promise<void> {
  await expect(async () => {
    await page.evaluate(() => window.scrollBy(0, -window.innerHeight));
    expect(await row.count()).toBe(1);
  }).toPass({ intervals: [30] });
  await row.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await expect(row).toBeInViewport();
  await page.waitForTimeout(300);
}

function topOf(row: Locator): Promise<number> {
  return row.evaluate((element) => element.getBoundingClientRect().top);
}
