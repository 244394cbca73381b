import { expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { openAs, shareServer } from './driver.ts';
import { expectAccessible } from './expect-accessible.ts';
import { signInByCalls } from './sign-in.ts';
import { test } from './test.ts';
import { driveBoth, listLapIds, SPA } from './two-drivers.ts';

/** Units, dates and times follow the region of the browser, or a choice. */

const pitboard = shareServer('all tests');
let comparison: string;
let board: string;
let errors: string[];

test.beforeAll(async ({ browser }) => {
  const { driver } = await driveBoth(browser, pitboard().url);
  const [rival, own] = await listLapIds(driver, pitboard().url);
  board = `${pitboard().url}/track/${SPA}`;
  comparison = `${board}?lap=${rival}&vs=${own}`;
});

/** Opens a page for a browser of a region, and collects the errors of scripts. */
async function openIn(browser: Browser, locale: string): Promise<Page> {
  const context = await browser.newContext({ locale });
  const page = await context.newPage();
  errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  return page;
}

/** Opens a page whose text is the same as the server has sent it once it reacts. */
async function openUnchanged(page: Page, url: string): Promise<void> {
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('#root[data-ready]') === null) return;
      observer.disconnect();
      Object.assign(window, { mainWhenReady: document.querySelector('main')?.cloneNode(true) });
    });
    observer.observe(document, { attributes: true, childList: true, subtree: true });
  });
  const response = await page.goto(url);
  await expect(page.locator('#root[data-ready]')).toBeVisible();
  const [sent, ready] = await page.evaluate(
    (html) =>
      [
        new DOMParser().parseFromString(html, 'text/html').querySelector('main'),
        Reflect.get(window, 'mainWhenReady'),
      ].map((main: HTMLElement) =>
        Array.from(main.querySelectorAll('h1, p, th, td, label'), ({ textContent }) => textContent)
          // A line only for paper names the address, which the server does not know.
          .filter((text) => !text.startsWith('Printed ')),
      ),
    (await response?.text()) ?? '',
  );
  expect(sent?.length).toBeGreaterThan(20);
  expect(ready).toEqual(sent);
}

const lapOf = (page: Page) => page.getByRole('region', { name: 'Lap', exact: true });

/** Reads the units of the comparison: those of the chart, of the table, of the sentences and of the slider. */
async function readUnits(page: Page): Promise<string[]> {
  await expect(page.locator('[data-chart]')).toHaveCount(2);
  const units = [
    await page.getByRole('heading', { name: /^Speed, / }).innerText(),
    (
      await lapOf(page)
        .getByText(/, against /)
        .first()
        .innerText()
    ).replace(/,.*/, ''),
    (await page.getByRole('region', { name: 'Places to gain' }).innerText()).match(/\d (km\/h|mph)/)?.[1] ??
      'no speed',
    (
      await page.getByRole('slider', { name: 'Position along the lap' }).getAttribute('aria-valuetext')
    )?.match(/metres|feet/)?.[0] ?? 'no length',
    await page.getByText(/^Figures every/).innerText(),
  ];
  return units;
}

const METRIC = ['Speed, km/h', 'Theo Okafor’s km/h', 'km/h', 'metres', 'Figures every 100 m'];
const AMERICAN = ['Speed, mph', 'Theo Okafor’s mph', 'mph', 'feet', 'Figures every 300 ft'];

for (const { locale, units, length, date } of [
  { locale: 'de-DE', units: METRIC, length: /\d\.\d{3}\skm/, date: /^\d\d\.\d\d\.\d{4}$/ },
  { locale: 'en-US', units: AMERICAN, length: /\d\.\d{3}\smi/, date: /^\d\d\/\d\d\/\d\d$/ },
])
  test(
    `a browser in ${locale} shows the forms of its region from the first byte on`,
    { tag: '@all' },
    async ({ browser }) => {
      const page = await openIn(browser, locale);
      await openUnchanged(page, board);
      await expect(page.getByText(length).first()).toBeVisible();
      await expect(page.getByRole('cell', { name: date }).first()).toBeVisible();
      await page.goto(comparison);
      expect(await readUnits(page)).toEqual(units);
      expect(errors).toEqual([]);

      // The server has written the same, before any script.
      const plain = await browser.newContext({ locale, javaScriptEnabled: false });
      await expectServed(plain, units);
      await plain.close();
      await page.context().close();
    },
  );

/** The page of the server has the units of the tables. */
async function expectServed(
  plain: BrowserContext,
  [, whose = '', , , figures = '']: string[],
): Promise<void> {
  const page = await plain.newPage();
  // The scripts fetch what a busy machine does not answer within a second.
  await expect(async () => {
    await page.goto(comparison);
    await expect(lapOf(page)).toContainText(`${whose}, against `, { timeout: 1_000 });
    await expect(lapOf(page)).toContainText(figures, { timeout: 1_000 });
  }).toPass();
}

test(
  'a guest chooses miles, and chart, table and sentence follow at once and on the next page',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openIn(browser, 'de-DE');
    await page.goto(comparison);
    expect(await readUnits(page)).toEqual(METRIC);
    await page.getByRole('button', { name: 'Units and dates' }).click();
    const dialog = page.getByRole('dialog', { name: 'Units and Dates' });
    await expectAccessible(page);
    await dialog.getByLabel('Units').selectOption({ label: 'mph, miles, feet, °F' });
    await dialog.getByLabel('Dates and times').selectOption({ label: '2026-11-24 14:05' });
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await readUnits(page)).toEqual(AMERICAN);
    await page.goto(board);
    await expect(page.getByText(/\d\.\d{3}\smi/).first()).toBeVisible();
    await expect(page.getByRole('cell', { name: /^\d{4}-\d\d-\d\d$/ }).first()).toBeVisible();
    await page.goto(comparison);
    expect(await readUnits(page)).toEqual(AMERICAN);
    expect(errors).toEqual([]);
    await page.context().close();
  },
);

test('a driver chooses miles on the profile, and every browser of the account shows them', async ({
  browser,
}) => {
  const page = await openAs(browser, pitboard().url, 'Mara Lindqvist');
  await page.goto(`${pitboard().url}/profile/edit`);
  const units = page.getByLabel('Units', { exact: true });
  await expectAccessible(page);
  await units.selectOption({ label: 'mph, miles, m, °C' });
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.waitForURL(`${pitboard().url}/profile`);
  await expect(page.getByRole('button', { name: 'Units and dates' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Leaderboards' }).click();
  await page.goto(comparison);
  await expect(page.getByRole('heading', { name: 'Speed, mph' })).toBeVisible();
  await page.context().close();

  const context = await browser.newContext({ locale: 'de-DE' });
  await signInByCalls(context.request, pitboard().url, 'Mara Lindqvist');
  const other = await context.newPage();
  await other.goto(comparison);
  await expect(other.getByRole('heading', { name: 'Speed, mph' })).toBeVisible();
  await other.goto(`${pitboard().url}/profile/edit`);
  await expect(other.getByLabel('Units', { exact: true })).toHaveValue('british');
  await other.goto(board);
  await expect(other.getByRole('cell', { name: /^\d\d\.\d\d\.\d{4}$/ }).first()).toBeVisible();
  await context.close();
});
