import { expect, type Page } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { libraryTrack } from '../library.ts';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { listLayoutShifts } from './layout-shift.ts';
import { test } from './test.ts';
import { chooseTires } from './upload-form.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const MX5 = 'mazda-mx-5-nb-1-8';
const RIVAL = { trackId: SPA, topSpeedMetersPerSecond: 58 };

const pitboard = shareServer();

async function driveRival(page: Page, seed = 5): Promise<void> {
  const userCarId = await addCar(page, pitboard().url, MX5);
  await uploadLaps(page, pitboard().url, { ...RIVAL, seed, userCarId });
}

/** The board lists the fastest first. */
async function listLapIds(page: Page): Promise<string[]> {
  const response = await page.request.get(`${pitboard().url}/api/laps/track/${SPA}/best`);
  const records: { lapId: string }[] = await response.json();
  return records.map(({ lapId }) => lapId);
}

test(
  'a racer who uploads laps learns with one more click where the time to the next rival lies',
  { tag: '@matrix' },
  async ({ browser }) => {
    await driveRival(await openAs(browser, pitboard().url, 'Priya Venkat'));
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await addCar(page, pitboard().url, MX5);
    await page.goto(`${pitboard().url}/upload`);
    const laps = simulateDrive(libraryTrack(SPA), { seed: 6, laps: 3, topSpeedMetersPerSecond: 50 });
    const buffer = Buffer.from(writeGpx(laps));
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'laps.gpx', mimeType: 'application/gpx+xml', buffer }]);
    await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
    await page
      .getByRole('button', { name: /Spa-Francorchamps/ })
      .first()
      .click();
    await page.getByLabel('Car', { exact: true }).selectOption({ index: 1 });
    await chooseTires(page, 'Track Street 200 TW');
    await page.getByLabel('Video Link').fill('https://video.example/onboard');
    await page.getByRole('button', { name: 'Upload Lap Data' }).click();

    const result = page.locator('section').filter({ hasText: 'Uploaded to' });
    await expect(result).toContainText(/\d+\.\d{3} s behind Priya Venkat/);
    await result.getByRole('link', { name: 'Priya Venkat, same car' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Where the time goes: /);
    const place = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: /^(Turn|Straight|Line) .*\+\d\.\d{3} s$/ }) })
      .first();
    await expect(place).toContainText(/[Yy]ou |No single difference/);
    await expectAccessibleEverywhere(page);
  },
);

test(
  'an administrator names a corner, and a guest reads the name in laps and comparisons, on a phone too',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Mara Lindqvist');
    await driveRival(page);
    const [best] = await listLapIds(page);
    await page.goto(`${pitboard().url}/track/${SPA}?lap=${best}`);
    const corners = page.getByRole('table', { name: 'Every corner of the lap' });
    await expect(corners.getByRole('rowheader').first()).toHaveText('Turn 1');
    await page.getByRole('button', { name: 'Name corners' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Name Corners' });
    await dialog.getByLabel('Turn 1', { exact: true }).fill('La Source');
    await expectAccessibleEverywhere(page);
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(corners.getByRole('rowheader').first()).toHaveText('La Source');

    const context = await browser.newContext({ viewport: { width: 375, height: 812 } });
    const guest = await context.newPage();
    await guest.goto(`${pitboard().url}/track/${SPA}?lap=${best}`);
    await expect(guest.getByRole('rowheader', { name: 'La Source', exact: true })).toBeVisible();
    await expect(guest.getByRole('button', { name: 'Name corners' })).toHaveCount(0);
    await expectAccessibleEverywhere(guest);
  },
);

test(
  'on a phone the map of a lap follows its head and its video, and no line begins with a lone word',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Priya Venkat');
    await driveRival(page);
    await driveRival(await openAs(browser, pitboard().url, 'Theo Okafor'), 7);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const lapId of await listLapIds(page)) {
      await page.goto(`${pitboard().url}/track/${SPA}?lap=${lapId}`);
      const map = page.getByRole('region', { name: 'Map', exact: true });
      const [{ y }, links] = await Promise.all([
        map.evaluate((element) => element.getBoundingClientRect()),
        page.getByRole('navigation', { name: 'Compare this lap' }).boundingBox(),
      ]);
      expect(links?.y).toBeGreaterThan(y);
    }
    const rows = page.getByRole('table').getByRole('button', { name: /^Straight to/ });
    const text = await rows.first().evaluate((button) => {
      const range = document.createRange();
      range.selectNodeContents(button);
      return [...range.getClientRects()].map(({ width }) => width);
    });
    expect(Math.min(...text)).toBeGreaterThan(20);
    await expect(page.getByText(/^\d+\.\d{3} (of \d+\.\d{3} s|s together)$/)).toHaveCSS(
      'white-space',
      'nowrap',
    );
    await page.setViewportSize({ width: 320, height: 640 });
    const sector = page.getByRole('list', { name: 'Sectors' }).getByText('S1', { exact: true });
    const lines = await sector.evaluate((name) => {
      name.parentElement?.querySelector('strong')?.replaceChildren('+32.014');
      const range = document.createRange();
      range.selectNodeContents(name);
      return range.getClientRects().length;
    });
    expect(lines).toBe(1);
  },
);

test(
  'what is on the page of a lap or a comparison stays where it is',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Priya Venkat');
    await driveRival(page);
    const other = await openAs(browser, pitboard().url, 'Theo Okafor');
    await driveRival(other, 7);
    const [first, second] = await listLapIds(page);
    for (const width of [1280, 375]) {
      for (const search of [`lap=${second}`, `lap=${first}&vs=${second}`]) {
        const context = await browser.newContext({ viewport: { width, height: 812 } });
        const visit = await context.newPage();
        await visit.goto(`${pitboard().url}/track/${SPA}?${search}`);
        await expect(visit.locator('[data-chart]').first()).toBeVisible();
        await visit.evaluate(() => document.fonts.ready);
        // The limit for a good page: web.dev/articles/cls.
        const shifts = await listLayoutShifts(visit);
        const shift = shifts.reduce((sum, { value }) => sum + value, 0);
        expect(shift, `${search} at ${width} px`).toBeLessThan(0.1);
        await context.close();
      }
    }
  },
);
