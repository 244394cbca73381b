import { expect, type Locator, type Page } from '@playwright/test';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { expectAccessible } from './expect-accessible.ts';
import { SCREENS, useScreen } from './screens.ts';
import { test } from './test.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const PHONE_WIDTH = 640;

const pitboard = shareServer('all tests');

test.beforeAll(async ({ browser }) => {
  const drivers = [
    { name: 'Priya Venkat', modelKey: 'mazda-mx-5-na-1-8', topSpeedMetersPerSecond: 60 },
    { name: 'Theo Okafor', modelKey: 'mazda-mx-5-nb-1-8', topSpeedMetersPerSecond: 52 },
  ];
  for (const { name, modelKey, topSpeedMetersPerSecond } of drivers) {
    const page = await openAs(browser, pitboard().url, name);
    const userCarId = await addCar(page, pitboard().url, modelKey);
    await uploadLaps(page, pitboard().url, { trackId: SPA, userCarId, seed: 1, topSpeedMetersPerSecond });
    await page.context().close();
  }
});

for (const { screen, name, tag } of SCREENS) {
  const isPhone = screen.width <= PHONE_WIDTH;

  test(
    `a guest finds a track by a part of its name, and the way to the profile (${name})`,
    { tag },
    async ({ page }) => {
      await useScreen(page, screen);
      await page.goto(`${pitboard().url}/leaderboards`);
      await expect(page.getByRole('link', { name: 'Profile' })).toBeVisible();
      await expectAccessible(page);
      await page.getByPlaceholder('Search tracks...').fill('nurb');
      await expect(page.getByRole('option').first()).toContainText('Nürburgring');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 1 })).toContainText('Nürburgring');
      await expectAccessible(page);
    },
  );

  test(
    `a driver sees the board, filters with counts, and the rivals (${name})`,
    { tag },
    async ({ browser }) => {
      const page = await openAs(browser, pitboard().url, 'Theo Okafor');
      await useScreen(page, screen);
      await page.goto(`${pitboard().url}/track/${SPA}`);
      const first = page.getByRole('row').filter({ hasText: 'Priya Venkat' });
      await expect(first).toBeVisible();
      if (isPhone) await expectOnFirstScreen(page);
      const rivals = page.getByRole('region', { name: 'Your Rivals' });
      await expect(rivals).toContainText('Priya Venkat');
      if (isPhone) {
        await page.getByRole('button', { name: /^Filters/ }).click();
        await expect(page.getByRole('button', { name: 'Clear All Filters' })).toBeDisabled();
      }
      await expect(page.getByLabel('Make').locator('option', { hasText: 'Mazda' }).first()).toContainText(
        '2',
      );
      await expectAccessible(page);
      await page.context().close();
    },
  );

  test(`no page is blank on the way to the next one (${name})`, { tag }, async ({ page }) => {
    await useScreen(page, screen);
    await page.goto(pitboard().url);
    await page.evaluate(countBlankFrames);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leaderboards' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Track Leaderboards');
    await page.getByRole('heading', { level: 3 }).getByRole('link', { name: /Spa/ }).first().click();
    await expect(page.getByRole('row').filter({ hasText: 'Priya Venkat' })).toBeVisible();
    await page.getByRole('banner').getByRole('link', { name: 'Pitboard, home' }).click();
    await expect(page.getByRole('link', { name: 'Explore Leaderboards' })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Upload Your Lap' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sign In to Pitboard' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.dataset['blankFrames'])).toBe('0');
  });

  test(
    `the record shows its sector times, and a car alone fills the garage (${name})`,
    { tag },
    async ({ browser }) => {
      const page = await openAs(browser, pitboard().url, 'Theo Okafor');
      await useScreen(page, screen);
      await page.goto(pitboard().url);
      await expect(page.getByRole('definition').first()).toHaveText(/^\d+\.\d{3}|^\d:\d\d\.\d{3}/);
      for (const label of isPhone ? ['Leaderboards', 'Upload', 'Theme', 'Profile'] : []) {
        await expect(page.getByRole('banner').getByText(label, { exact: true }).first()).toBeVisible();
      }
      if (isPhone) await expectApart(page, ['Leaderboards', 'Upload', 'Theme', 'Notices', 'Profile']);
      await page.goto(`${pitboard().url}/profile`);
      const car = page.getByRole('article');
      await expect(car).toHaveCount(1);
      const [carPx, pagePx] = await Promise.all([widthOf(car), widthOf(page.getByRole('tabpanel'))]);
      expect(carPx).toBeGreaterThan(0.9 * pagePx);
      await expectAccessible(page);
      await page.context().close();
    },
  );

  test(`a file that cannot be read says so in its row (${name})`, { tag }, async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await useScreen(page, screen);
    await page.goto(`${pitboard().url}/upload`);
    const broken = {
      name: 'broken.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('shopping,list\nmilk,2\n'),
    };
    await page.locator('input[type=file]').setInputFiles(broken);
    await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'broken.csv' });
    await expect(row.getByText('Error')).toBeVisible();
    await expect(row.getByText('Ready')).toHaveCount(0);
    await expectAccessible(page);
    await page.context().close();
  });
}

const ROW_PX_MAX = 56;
const FIRST_SCREEN_PX = 844;

/** Rows of two lines, the first of them on the first screen of a phone. */
async function expectOnFirstScreen(page: Page): Promise<void> {
  const box = await page.getByRole('table').getByRole('row').nth(1).boundingBox();
  expect(box?.height ?? Infinity).toBeLessThanOrEqual(ROW_PX_MAX);
  expect((box?.y ?? Infinity) + 5 * ROW_PX_MAX).toBeLessThanOrEqual(FIRST_SCREEN_PX);
}

const APART_PX_MIN = 6;

/** Expects that the labels of the header read as words of their own. */
async function expectApart(page: Page, labels: readonly string[]): Promise<void> {
  const spans = labels.map((label) => page.getByRole('banner').getByText(label, { exact: true }).first());
  const boxes = await Promise.all(
    spans.map((span) =>
      span.evaluate((label) => {
        const range = document.createRange();
        range.selectNodeContents(label);
        return range.getBoundingClientRect();
      }),
    ),
  );
  for (const [index, { left }] of boxes.slice(1).entries())
    expect(left - (boxes[index]?.right ?? NaN), labels[index]).toBeGreaterThanOrEqual(APART_PX_MIN);
}

async function widthOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.width ?? Number.NaN;
}

/** Runs in the page: counts the frames in which its main part has no text. */
function countBlankFrames(): void {
  const { dataset } = document.documentElement;
  dataset['blankFrames'] = '0';
  const look = () => {
    const isBlank = (document.querySelector('main')?.innerText.trim() ?? '') === '';
    if (isBlank) dataset['blankFrames'] = String(Number(dataset['blankFrames']) + 1);
    requestAnimationFrame(look);
  };
  look();
}
