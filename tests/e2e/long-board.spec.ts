import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible } from './expect-accessible.ts';
import { serveLongBoard } from './long-board.ts';
import { HARBOUR } from './stand-in-world.ts';
import { test } from './test.ts';

// Boards of which only a part is ever drawn.

const RECORD_COUNT = 900;

/** `scrollIntoView` puts a row this far down: below the head of the page, with some air. */
const HEAD_PX = 72;

for (const width of [375, 1280]) {
  test(
    `at ${width} pixels, Back from a driver far down a board lands on the very row`,
    { tag: '@all' },
    async ({ page, signedIn }) => {
      await page.setViewportSize({ width, height: 812 });
      await serveLongBoard(page, RECORD_COUNT);
      await page.goto(`${signedIn.url}/track/${HARBOUR}`);
      await scrollToEnd(page);
      const rows = page.getByRole('table').getByRole('row');
      await expect.poll(() => rows.count()).toBeLessThan(200);
      // The head counts as a row. The own row is in second place, so it is not shown above the list as well.
      await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(1 + RECORD_COUNT));

      const link = page.getByRole('link', { name: 'Christopher Featherstonehaugh III 640', exact: true });
      const row = page.locator('tr').filter({ has: link });
      await scrollUpTo(page, row);
      await expect(row).toHaveAttribute('aria-rowindex', '641');
      const topPx = await topOf(row);
      await link.click();
      await expect(page).toHaveURL(`${signedIn.url}/profile/driver-639`);
      await page.goBack();
      await expect.poll(() => topOf(row)).toBeCloseTo(topPx, 0);
      await wheelToTop(page);
      await expectAccessible(page);
    },
  );
}

test(
  'Back to a board lands on the same entry after the phone was turned, and so does turning it there',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    const upright = { width: 375, height: 812 };
    const across = { width: 812, height: 375 };
    await page.setViewportSize(upright);
    await serveLongBoard(page, RECORD_COUNT);
    await page.goto(`${signedIn.url}/track/${HARBOUR}`);
    await scrollToEnd(page);
    const row = rowOf(page, 'Christopher Featherstonehaugh III 640');
    await scrollUpTo(page, row);
    await row.evaluate((element) => element.scrollIntoView({ block: 'start' }));
    await untilRemembered(page, 639);

    await page.setViewportSize(across);
    await expect.poll(() => topOf(row)).toBeCloseTo(HEAD_PX, -1);
    await row.getByRole('link').first().click();
    await expect(page).toHaveURL(`${signedIn.url}/profile/driver-639`);
    await page.setViewportSize(upright);
    await page.goBack();
    await expect.poll(() => topOf(row)).toBeCloseTo(HEAD_PX, -1);
  },
);

for (const { recordCount, place, calls } of [
  { recordCount: 430, place: 250, calls: ['0+300'] },
  {
    recordCount: 5_000,
    place: 4_740,
    calls: [...Array.from({ length: 9 }, (_, page) => `${page * 500}+500`), '4500+300'],
  },
]) {
  test(
    `a reload at place ${place} of ${recordCount} lands there, with calls for long pages`,
    { tag: recordCount > 1000 ? '@all' : [] },
    async ({ page, standIn }) => {
      await page.setViewportSize({ width: 375, height: 812 });
      await serveLongBoard(page, recordCount);
      await page.goto(`${standIn.url}/track/${HARBOUR}`);
      await scrollToEnd(page);
      const row = page.locator(`tr[aria-rowindex="${place + 1}"]`);
      await scrollUpTo(page, row);
      await row.evaluate((element) => element.scrollIntoView({ block: 'start' }));
      await untilRemembered(page, place - 1);
      const asked: string[] = [];
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname.endsWith('/best'))
          asked.push(`${searchParams.get('offset') ?? 0}+${searchParams.get('limit')}`);
      });
      await page.reload();
      await expect.poll(async () => (await row.count()) === 1 && topOf(row)).toBeCloseTo(HEAD_PX, -1);
      expect(asked).toEqual(calls);
    },
  );
}

test(
  'who went back to the top of a board is there after a reload',
  { tag: '@all' },
  async ({ page, standIn }) => {
    await serveLongBoard(page, RECORD_COUNT);
    await page.goto(`${standIn.url}/track/${HARBOUR}`);
    await expect(page.getByRole('table')).toBeVisible();
    await page.mouse.wheel(0, 2_000);
    await expect.poll(() => page.evaluate(() => history.state?.scrollPosition?.index)).toBeGreaterThan(10);
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect.poll(() => page.evaluate(() => history.state?.scrollPosition)).toBeNull();
    await page.reload();
    await expect(page.getByRole('table')).toBeVisible();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  },
);

test(
  'a driver who is opened after Back from a lap is shown from the top',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    await serveLongBoard(page, RECORD_COUNT);
    await page.goto(`${signedIn.url}/track/${HARBOUR}`);
    await page.getByRole('table').locator('a[href*="lap="]').first().click();
    await expect(page).toHaveURL(/lap=/);
    await page.goBack();
    await expect(page).not.toHaveURL(/lap=/);
    const link = page.getByRole('link', { name: 'Christopher Featherstonehaugh III 40', exact: true });
    await link.scrollIntoViewIfNeeded();
    await link.click();
    await expect(page).toHaveURL(`${signedIn.url}/profile/driver-39`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  },
);

test(
  'a row that has the focus stays on the page, however far it is scrolled away',
  { tag: '@all' },
  async ({ page, standIn }) => {
    await serveLongBoard(page, RECORD_COUNT);
    await page.goto(`${standIn.url}/track/${HARBOUR}`);
    const first = page.getByRole('link', { name: 'Ada Brook 1', exact: true });
    await first.focus();
    await scrollToEnd(page);
    await expect(first).toBeFocused();
  },
);

test('more lap times that cannot be loaded say so, and come once they are asked for again', async ({
  page,
  standIn,
}) => {
  const further = /\/best\?.*offset=[1-9]/;
  await serveLongBoard(page, RECORD_COUNT);
  await page.route(further, (route) => route.abort());
  await page.goto(`${standIn.url}/track/${HARBOUR}`);
  await expect(page.getByRole('table')).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.getByRole('alert')).toHaveText('More lap times could not be loaded.');
  await page.unroute(further);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await scrollToEnd(page);
});

test(
  'a board of some hundred rows is there whole, for the search of the browser',
  { tag: '@all' },
  async ({ page, standIn }) => {
    await serveLongBoard(page, 430);
    await page.goto(`${standIn.url}/track/${HARBOUR}`);
    await scrollToEnd(page);
    await expect(page.getByRole('table').locator('tbody tr')).toHaveCount(430);
  },
);

test('what is printed is whole, however long it is', { tag: '@all' }, async ({ page, standIn }) => {
  await serveLongBoard(page, RECORD_COUNT);
  await page.goto(`${standIn.url}/track/${HARBOUR}`);
  await scrollToEnd(page);
  const rows = page.getByRole('table').locator('tbody tr');
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  expect(await rows.count()).toBe(RECORD_COUNT);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect.poll(() => rows.count()).toBeLessThan(200);
});

function rowOf(page: Page, driver: string): Locator {
  return page.locator('tr').filter({ has: page.getByRole('link', { name: driver, exact: true }) });
}

/** Until the board has noted in the history that the reader is at this record. */
async function untilRemembered(page: Page, index: number): Promise<void> {
  await expect.poll(() => page.evaluate(() => history.state?.scrollPosition?.index)).toBe(index);
}

/** Until every page has come. */
async function scrollToEnd(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: 'Load More' });
  await expect(page.getByRole('table')).toBeVisible();
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    expect(await more.count()).toBe(0);
  }).toPass();
}

/** A screen at a time, as a visitor scrolls, until nothing moves any more. */
async function scrollUpTo(page: Page, row: Locator): Promise<void> {
  await expect(async () => {
    await page.evaluate(() => window.scrollBy(0, -window.innerHeight));
    expect(await row.count()).toBe(1);
  }).toPass({ intervals: [30] });
  await row.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await expect(row).toBeInViewport();
  await untilStill(row);
}

/** Waits until a row is where it was a tenth of a second before, three times on end. */
async function untilStill(row: Locator): Promise<void> {
  let [latestPx, stillCount] = [Number.NaN, 0];
  const measure = async () => {
    const topPx = await topOf(row);
    stillCount = topPx === latestPx ? stillCount + 1 : 0;
    latestPx = topPx;
    return stillCount;
  };
  await expect.poll(measure, { intervals: [100] }).toBeGreaterThanOrEqual(3);
}

/** With the wheel, as a visitor: for a moment after Back the board takes back whatever else moves its rows. */
async function wheelToTop(page: Page): Promise<void> {
  await page.mouse.wheel(0, -1_000_000);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
}

function topOf(row: Locator): Promise<number> {
  return row.evaluate((element) => element.getBoundingClientRect().top);
}
