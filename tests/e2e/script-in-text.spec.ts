import { expect } from '@playwright/test';
import { LIBRARY } from '../library.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { openAs, uploadLaps } from './driver.ts';
import { test } from './test.ts';

// Script in every text that somebody else can be shown. It sets a title if it ever runs.

const MARK = 'it has run';
const SCRIPT = `<img src=x onerror="document.title='${MARK}'">`;
const BREAKOUT = `</script><script>document.title='${MARK}'</script>`;

let pitboard: Pitboard;

test.beforeAll(async () => {
  pitboard = await startPitboard();
});

test.afterAll(async () => {
  await pitboard.remove();
});

test(
  'script in names of drivers, cars, models and tracks is shown as text and never runs, on any page',
  { tag: '@all' },
  async ({ browser }) => {
    const { url } = pitboard;
    const headers = { origin: url };
    const admin = await openAs(browser, url, 'Mara Lindqvist');
    const model = {
      make: `Make ${SCRIPT}`,
      modelFamily: `Family ${BREAKOUT}`,
      variant: SCRIPT,
      generation: SCRIPT,
      modelKey: 'hostile-model',
      modelDisplay: `Model ${SCRIPT}`,
      years: null,
      drivetrain: 'RWD',
      raceClass: SCRIPT,
    };
    const imported = await admin.request.post(`${url}/api/admin/car-library/import`, {
      headers,
      data: { cars: [model] },
    });
    expect(await imported.json()).toMatchObject({ imported: 1, problems: [] });

    const page = await openAs(browser, url, 'Theo Okafor');
    const violations: string[] = [];
    for (const opened of [page, admin]) {
      opened.on('dialog', (dialog) => violations.push(dialog.message()));
      opened.on('pageerror', (error) => violations.push(String(error)));
    }
    const renamed = await page.request.patch(`${url}/api/auth/user/preferences`, {
      headers,
      data: { displayName: SCRIPT },
    });
    expect(renamed.status()).toBe(200);
    const car = await page.request.post(`${url}/api/user-cars`, {
      headers,
      data: { modelKey: 'hostile-model', nickname: SCRIPT.replace('document.title', 'title') },
    });
    const { id: userCarId }: { id: string } = await car.json();
    const trackId = LIBRARY[0]?.id ?? '';
    await uploadLaps(page, url, { trackId, userCarId, seed: 1, topSpeedMetersPerSecond: 40 });
    const corrected = await admin.request.patch(`${url}/api/admin/tracks/${trackId}`, {
      headers,
      data: { name: `Ring ${SCRIPT}`, location: BREAKOUT, configuration: SCRIPT, country: SCRIPT },
    });
    expect(corrected.status()).toBe(200);

    const { id: driverId }: { id: string } = await (await page.request.get(`${url}/api/auth/user`)).json();
    const paths = [
      '/',
      '/leaderboards',
      `/track/${trackId}`,
      `/profile/${driverId}`,
      '/profile',
      '/upload',
      '/garage/add',
    ];
    for (const opened of [page, admin]) {
      for (const path of paths) {
        await opened.goto(url + path);
        await opened.waitForLoadState('networkidle');
        expect(await opened.title(), path).not.toBe(MARK);
        await expect(opened.locator('img[src="x"]'), path).toHaveCount(0);
      }
    }
    await page.goto(`${url}/track/${trackId}`);
    await expect(page.getByText(SCRIPT).filter({ visible: true }).first()).toBeVisible();
    await page.goto(`${url}/profile`);
    await expect(page.getByText('onerror').filter({ visible: true }).first()).toBeVisible();
    expect(violations).toEqual([]);
  },
);

test('even what gets into a page as an element runs nothing, because of the content security policy', async ({
  page,
}) => {
  await page.goto(pitboard.url);
  await page.evaluate((mark) => {
    document.body.insertAdjacentHTML('beforeend', `<img src="x" onerror="document.title='${mark}'">`);
    const script = document.createElement('script');
    script.textContent = `document.title='${mark}'`;
    document.body.append(script);
  }, MARK);
  // The picture has failed to load by then, which is what its script waits for.
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('img[src="x"]')?.complete);
  expect(await page.title()).not.toBe(MARK);
});

test('a lap file with script for a name is shown by that name, and runs nothing', async ({ browser }) => {
  const page = await openAs(browser, pitboard.url, 'Priya Venkat');
  await page.goto(`${pitboard.url}/upload`);
  const name = `<img src=x onerror=document.title='${MARK}'>.csv`;
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from('nothing') });
  await expect(page.getByText(name).first()).toBeVisible();
  expect(await page.title()).not.toBe(MARK);
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
});
