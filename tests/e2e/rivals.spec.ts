import { expect, type Browser, type Page } from '@playwright/test';
import { formatLapTime } from '#engine/lap-time.ts';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const NB = 'mazda-mx-5-nb-1-8';
const NA = 'mazda-mx-5-na-1-8';
const CUP = 'porsche-911-gt3-cup-992-cup';

const pitboard = shareServer();

test(
  'the nearest drivers in the same car are named with their gaps, and a link shows their board',
  { tag: '@all' },
  async ({ browser }) => {
    const faster = await drive(browser, 'Mara Lindqvist', NB, 60);
    const own = await drive(browser, 'Theo Okafor', NB, 52);
    const slower = await drive(browser, 'Priya Venkat', NB, 46);
    const otherCar = await drive(browser, 'Jonas Weidner', CUP, 56);
    expect(
      faster.timeMs < otherCar.timeMs && otherCar.timeMs < own.timeMs && own.timeMs < slower.timeMs,
    ).toBe(true);

    const { page } = own;
    await page.goto(`${pitboard().url}/track/${SPA}`);
    const card = page.getByRole('region', { name: 'Your Rivals' });
    const onBoard = card.getByRole('region', { name: 'On this board' }).getByRole('listitem');
    await expect(onBoard.nth(0)).toContainText('Jonas Weidner');
    await expect(onBoard.nth(0)).toContainText(`${seconds(own.timeMs - otherCar.timeMs)} s ahead`);
    await expect(onBoard.nth(1)).toContainText('Priya Venkat');
    const inCar = card.getByRole('region', { name: 'In your car, Mazda MX-5 1.8 (NB)' });
    const rivals = inCar.getByRole('listitem');
    await expect(rivals.nth(0)).toContainText('Mara Lindqvist');
    await expect(rivals.nth(0)).toContainText(`${seconds(own.timeMs - faster.timeMs)} s ahead`);
    await expect(rivals.nth(1)).toContainText('Priya Venkat');
    await expect(rivals.nth(1)).toContainText(`${seconds(slower.timeMs - own.timeMs)} s behind`);
    await expect(inCar).not.toContainText('Jonas Weidner');
    await expectAccessible(page);

    // On a phone they are one line, which opens the rest.
    await page.setViewportSize({ width: 390, height: 844 });
    const hundredths = ((own.timeMs - otherCar.timeMs) / 1000).toFixed(2);
    const line = card.getByRole('button', { name: `P3 · ${hundredths} s to Jonas Weidner` });
    await expect(inCar).toBeHidden();
    await line.click();
    await expect(inCar).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 844 });

    await card.getByRole('link', { name: 'Show only this car' }).press('Enter');
    await expect(page).toHaveURL(/make=Mazda&modelFamily=MX-5&variant=1\.8&generation=NB$/);
    await expect(page.getByRole('table').getByText('Jonas Weidner')).toHaveCount(0);
    await expect(card.getByRole('link', { name: 'Show only this car' })).toHaveCount(0);
    await expect(rivals.nth(0)).toContainText('Mara Lindqvist');

    // A lap time opens its lap, the rest of the row leads to the driver.
    await rivals
      .nth(0)
      .getByRole('link', { name: formatLapTime(faster.timeMs) })
      .click();
    await expect(page.getByRole('heading', { name: formatLapTime(faster.timeMs) })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Compare with my best' })).toBeVisible();

    await faster.page.goto(`${pitboard().url}/track/${SPA}`);
    await expect(faster.page.getByText('You are the fastest in this car.')).toBeVisible();
    await expect(faster.page.getByText('You lead your class')).toBeVisible();
    await expect(faster.page.getByText('You lead this board')).toBeVisible();
    // At the top the own entry is pinned, and not repeated right below.
    await expect(faster.page.getByRole('rowgroup', { name: 'Your entry' })).toContainText('Mara Lindqvist');
    await expect(faster.page.getByRole('table').getByText('Mara Lindqvist')).toHaveCount(1);
    const positions = faster.page.getByRole('table').getByRole('row').locator('td:first-child');
    await expect(positions).toHaveText(['1', '2', '3', '4']);
    await otherCar.page.goto(`${pitboard().url}/track/${SPA}`);
    await expect(otherCar.page.getByRole('rowgroup', { name: 'Your entry' })).toContainText('Jonas Weidner');
  },
);

test(
  'without anybody in the same car, the nearest of the class is named; without a class mate, none',
  { tag: '@all' },
  async ({ browser }) => {
    const own = await drive(browser, 'Theo Okafor', NB, 52);
    const classMate = await drive(browser, 'Mara Lindqvist', NA, 56);
    const alone = await drive(browser, 'Jonas Weidner', CUP, 70);

    await own.page.goto(`${pitboard().url}/track/${SPA}`);
    const card = own.page.getByRole('region', { name: 'Your Rivals' });
    await expect(card).toContainText('No other driver in this car yet.');
    const inClass = card.getByRole('region', { name: 'In your class, Roadster' });
    await expect(inClass).toContainText(`${seconds(own.timeMs - classMate.timeMs)} s ahead`);
    await expect(inClass).toContainText('No driver behind you yet.');
    await card.getByRole('link', { name: 'Show only this class' }).click();
    await expect(own.page).toHaveURL(/raceClass=Roadster$/);

    await alone.page.goto(`${pitboard().url}/track/${SPA}`);
    await expect(alone.page.getByText('No other driver in your class yet.')).toBeVisible();
    await expect(alone.page.getByText('No other driver in this car yet.')).toBeVisible();
    await expectAccessible(alone.page);
  },
);

test('nothing moves when rivals of any kind arrive', { tag: '@all' }, async ({ browser }) => {
  const drivers = [
    await drive(browser, 'Theo Okafor', NB, 52),
    await drive(browser, 'Priya Venkat', NB, 46),
    await drive(browser, 'Mara Lindqvist', NA, 56),
    await drive(browser, 'Jonas Weidner', CUP, 70),
  ];
  for (const { page } of drivers) {
    await page.addInitScript(watchShifts);
    const board = page.getByRole('table');
    // The rivals come after everything else on the page.
    await page.route(/\/best\?.*(make|raceClass)=/, async (route) => {
      await board.waitFor();
      // Text that came with the page is drawn in another font until its own has come, which is as good as as wide.
      await page.evaluate(async () => {
        await document.fonts.ready;
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        window.watchedFromMs = performance.now();
      });
      await route.continue();
    });
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 812 });
      await page.goto(`${pitboard().url}/track/${SPA}`);
      const card = page.getByRole('region', { name: 'Your Rivals' });
      await expect(card).toContainText(/ahead|behind|lead|No other driver/);
      expect(await page.evaluate(() => window.shifts)).toEqual([]);
    }
  }
});

test('a driver without a lap there, and a visitor, have no rivals', async ({ browser, page }) => {
  await drive(browser, 'Theo Okafor', NB, 52);
  await page.goto(`${pitboard().url}/track/${SPA}`);
  await expect(page.getByRole('row').filter({ hasText: 'Theo Okafor' })).toBeVisible();
  await expect(page.getByText('Your Rivals')).toHaveCount(0);
  const visitor = await openAs(browser, pitboard().url, 'Priya Venkat');
  await visitor.goto(`${pitboard().url}/track/${SPA}`);
  await expect(visitor.getByRole('row').filter({ hasText: 'Theo Okafor' })).toBeVisible();
  await expect(visitor.getByText('Your Rivals')).toHaveCount(0);
});

declare global {
  interface PerformanceEntry {
    /** Describes what a layout shift has moved. */
    sources?: { node: Node | null }[];
  }
  interface Window {
    shifts: string[];
    /** Earlier shifts do not count; the browser reports them late. */
    watchedFromMs: number;
  }
}

/** Notes whatever moves on the page, below the navigation, without having been touched. */
function watchShifts(): void {
  window.shifts = [];
  window.watchedFromMs = Infinity;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries().filter(({ startTime }) => startTime >= window.watchedFromMs)) {
      for (const { node } of entry.sources ?? []) {
        if (document.querySelector('main')?.contains(node)) window.shifts.push(JSON.stringify(entry));
      }
    }
  });
  observer.observe({ type: 'layout-shift', buffered: true });
}

/** The drive with the higher top speed is quicker: everything else about them is the same. */
async function drive(
  browser: Browser,
  name: string,
  modelKey: string,
  topSpeedMetersPerSecond: number,
): Promise<{ page: Page; timeMs: number }> {
  const page = await openAs(browser, pitboard().url, name);
  const userCarId = await addCar(page, pitboard().url, modelKey);
  const session = { trackId: SPA, userCarId, seed: 1, topSpeedMetersPerSecond };
  return { page, timeMs: await uploadLaps(page, pitboard().url, session) };
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}
