import { expect } from '@playwright/test';
import { SAMPLE_LAP_FILES } from '#contract/upload/labels.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { addCar, uploadLaps } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { signIn } from './sign-in.ts';
import { test } from './test.ts';

const LAGUNA = 'weathertech-raceway-laguna-seca-full';
const PREPARING_MS = 240_000;
const SLOW_CHUNK_MS = 2_000;

let pitboard: Pitboard;

test.beforeEach(async () => {
  pitboard = await startPitboard({ environment: { PITBOARD_DEMO: 'on' } });
});

test.afterEach(async () => {
  await pitboard.remove();
});

test(
  'a page that is slow to come takes over what its document shows, and the notice of a demo can be put away',
  { tag: '@all' },
  async ({ page }) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.route(/\/leaderboards-[^/]*\.js$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, SLOW_CHUNK_MS));
      await route.continue();
    });
    await page.goto(`${pitboard.url}/leaderboards`);
    await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
    expect(errors).toEqual([]);

    const chip = page.getByRole('banner').getByRole('button', { name: /^Demo/ });
    await chip.click();
    await expect(page.getByRole('banner').getByText(/demo community/)).toBeVisible();
    await page.getByRole('button', { name: 'Hide This Notice' }).click();
    await expect(chip).toBeHidden();
    await page.reload();
    await expect(page.getByRole('complementary', { name: 'Demo' })).toContainText('demo community');
    await expect(chip).toBeHidden();
  },
);

test(
  'a demo community fills the boards, says that it is one, lives beside real laps, and an administrator removes it',
  { tag: '@all' },
  async ({ page }) => {
    test.setTimeout(2 * PREPARING_MS);
    await page.goto(pitboard.url);
    const bar = page.getByRole('complementary', { name: 'Demo' });
    await expect(bar).toContainText(/Preparing the demo community… \d+ of 60 drivers/);
    await expect(bar).toHaveText('You are looking at a demo community: invented drivers, simulated laps.', {
      timeout: PREPARING_MS,
    });
    await expectAccessibleEverywhere(page);

    // Mara administers.
    await signIn(page, pitboard.url, 'Mara Lindqvist', '/upload');
    const userCarId = await addCar(page, pitboard.url, 'mazda-mx-5-nb-1-8');
    for (const { trackName, fileName } of SAMPLE_LAP_FILES.toReversed()) {
      const before = page.getByRole('button', { name: /^Remove .*\.\w+$/ });
      if ((await before.count()) > 0) await before.click();
      await page.getByRole('button', { name: trackName, exact: true }).click();
      await expect(page.getByText(fileName, { exact: true })).toBeVisible();
    }
    await uploadLaps(page, pitboard.url, {
      trackId: LAGUNA,
      userCarId,
      seed: 3,
      topSpeedMetersPerSecond: 50,
    });

    await page.goto(`${pitboard.url}/track/${LAGUNA}`);
    const rows = page.locator('main').getByText('Mara Lindqvist');
    await expect(rows.first()).toBeVisible();
    const crowd = await countEntries();
    expect(crowd).toBeGreaterThan(5);
    await page.emulateMedia({ media: 'print' });
    await expect(bar).toHaveText('You are looking at a demo community: invented drivers, simulated laps.', {
      useInnerText: true,
    });
    await expect(bar).toBeInViewport();
    await page.emulateMedia({ media: null });
    await bar.getByRole('button', { name: 'Remove demo data' }).click();
    await expectAccessibleEverywhere(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove demo data' }).click();
    await expect(page.getByText('Demo data removed')).toBeVisible();
    await expect(bar).toBeHidden();
    expect(await countEntries()).toBe(1);
    await expect(rows.first()).toBeVisible();

    async function countEntries(): Promise<number> {
      const response = await page.request.get(`${pitboard.url}/api/laps/track/${LAGUNA}/best`);
      const records: unknown[] = await response.json();
      return records.length;
    }
  },
);
