import { expect, type Page } from '@playwright/test';
import { LAP_FILE_CACHE } from '#contract/upload/labels.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { libraryTrack } from '../library.ts';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { test } from './test.ts';
import { toastOf } from './toasts.ts';
import { chooseTires } from './upload-form.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const LAGUNA = 'weathertech-raceway-laguna-seca-full';
const MX5 = 'mazda-mx-5-nb-1-8';

const pitboard = shareServer();

test(
  'a driver learns the place, the gap to the next rival and what has improved, and compares the lap',
  { tag: '@matrix' },
  async ({ browser }) => {
    const rival = await openAs(browser, pitboard().url, 'Priya Venkat');
    const rivalBestMs = await drive(rival, 5, 58);
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await drive(page, 6, 48);
    await fillUpload(page, [lapFile('second.gpx', 7, 52)]);
    await page.getByRole('button', { name: 'Upload Lap Data' }).click();

    const result = page.locator('section').filter({ hasText: 'Uploaded to' });
    await expect(result.getByRole('heading')).toBeFocused();
    await expect(result).toContainText('P2 of 2');
    await expect(result).toContainText(
      /\d+\.\d{3} s behind Priya Venkat\. \d+\.\d{3} s faster than your best/,
    );
    await expect(result.getByText('Track record!')).toHaveCount(0);
    await expect(page.locator('output').filter({ hasText: 'P2 of 2' })).toHaveCount(1);
    await expectAccessibleEverywhere(page);
    const lap = await result.getByRole('link', { name: 'Look into the lap' }).getAttribute('href');
    expect(lap).toMatch(new RegExp(`^/track/${SPA}\\?lap=[0-9a-f-]{36}$`));
    await expect(result.getByRole('link', { name: 'Priya Venkat' })).toHaveAttribute(
      'href',
      new RegExp(`^/track/${SPA}\\?lap=[0-9a-f-]{36}&vs=[0-9a-f-]{36}$`),
    );
    await expect(result.getByRole('link', { name: 'Your best before' })).toBeVisible();

    await expect(toastOf(page, 'Upload successful!')).toBeVisible();
    // A younger toast would belong to the next page.
    await page.waitForTimeout(1_000);
    await page.getByRole('link', { name: /^View .* leaderboard$/ }).click();
    const rivalRow = page.getByRole('row').filter({ hasText: 'Priya Venkat' });
    await expect(rivalRow).toContainText(formatLapTime(rivalBestMs));
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);

    await fillUpload(page, [lapFile('third.gpx', 8, 66)]);
    await page.getByRole('button', { name: 'Upload Lap Data' }).click();
    await expect(result).toContainText('P1 of 2');
    await expect(result.getByText('Track record!')).toBeVisible();
  },
);

test(
  'a file that another app shares while others are uploaded is listed with their outcome',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await addCar(page, pitboard().url, MX5);
    await fillUpload(page, [lapFile('first.gpx', 14, 52)]);
    const release: (() => void)[] = [];
    await page.route('**/api/upload', (route) => void release.push(() => void route.continue()));
    await page.getByRole('button', { name: 'Upload Lap Data' }).click();
    await expect.poll(() => release.length).toBe(1);
    await page.evaluate(async ({ name, folder, headers }) => {
      const shared = {
        [headers.owner]: '',
        [headers.name]: 'shared.gpx',
        [headers.keptAt]: String(Date.now()),
      };
      await (await caches.open(name)).put(`${folder}shared`, new Response('<gpx/>', { headers: shared }));
    }, LAP_FILE_CACHE);
    await page.getByRole('link', { name: 'Leaderboards' }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Track Leaderboards');
    await page.getByRole('link', { name: 'Upload', exact: true }).first().click();
    await expect(page.getByRole('button', { name: 'Uploading...' })).toBeVisible();
    for (const go of release) go();
    const files = page.getByRole('list', { name: 'Chosen files' }).getByRole('listitem');
    await expect(files).toHaveText([/shared\.gpx/]);
    await expect(page.getByRole('heading', { name: /^Uploaded to/ })).toBeFocused();
    await page.getByRole('button', { name: 'Remove shared.gpx' }).click();
    await expect(files).toHaveCount(0);
    await expect(page.locator(':focus')).toContainText('Drop your lap files here');
  },
);

test(
  'each file says what it holds, and one that cannot be read is never ready',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await addCar(page, pitboard().url, MX5);
    const broken = {
      name: 'broken.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('shopping,list\nmilk,2\n'),
    };
    await page.setViewportSize({ width: 390, height: 844 });
    await fillUpload(page, [broken, lapFile('first.gpx', 9, 52), lapFile('second.gpx', 10, 52)]);
    const files = page.getByRole('list', { name: 'Chosen files' }).getByRole('listitem');
    for (const index of [1, 2])
      await expect(files.nth(index)).toContainText(/3 laps, best \d:\d\d\.\d{3}Ready/);
    await expect(files.nth(0)).toContainText('Error');
    await expect(files.nth(0)).not.toContainText('Ready');
    await expect(page.getByRole('list', { name: 'Chosen files' })).toHaveAttribute('aria-live', 'polite');
    await expectAccessibleEverywhere(page);
  },
);

test(
  'a file that cannot be read stands beside files of several tracks, below none of them',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await addCar(page, pitboard().url, MX5);
    const broken = {
      name: 'broken.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('shopping,list\nmilk,2\n'),
    };
    await page.goto(`${pitboard().url}/upload`);
    const chosen = [lapFile('spa.gpx', 9, 52), broken, lapFile('laguna.gpx', 10, 52, LAGUNA)];
    await page.locator('input[type=file]').setInputFiles(chosen);
    await page.getByRole('button', { name: /^Process/ }).click();
    const picker = page.getByRole('dialog', { name: 'Select Track' });
    await expect(picker).toContainText('spa.gpx');
    await picker
      .getByRole('button', { name: /Spa-Francorchamps/ })
      .first()
      .click();
    const unread = page.getByRole('region', { name: 'Files that could not be read' });
    await expect(unread.getByRole('listitem')).toContainText('broken.csv');
    for (const name of [/Spa/, /Laguna/])
      await expect(page.getByRole('region', { name }).getByRole('listitem')).toHaveCount(1);
    await expectAccessibleEverywhere(page);
  },
);

test(
  'on a phone the focus goes from the picker to the form, which comes into view, and a toast covers no lap time',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await addCar(page, pitboard().url, MX5);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${pitboard().url}/upload`);
    await page.locator('input[type=file]').setInputFiles([lapFile('laps.gpx', 11, 52)]);
    await page.getByRole('button', { name: 'Process 1 File(s)' }).press('Enter');
    const picker = page.getByRole('dialog', { name: 'Select Track' });
    await expect(picker.getByRole('button', { name: /Spa-Francorchamps/ }).first()).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Lap Details' })).toBeFocused();
    await expect(page.getByRole('button', { name: 'Upload Lap Data' })).toBeInViewport();
    await fillDetails(page);
    await page.getByRole('button', { name: 'Upload Lap Data' }).click();

    const toast = toastOf(page, 'Upload successful!');
    await expect(toast).toBeVisible();
    const best = page.locator('section').filter({ hasText: 'Uploaded to' }).locator('time').first();
    await expect(best).toBeInViewport();
    const toastBottom = async () => {
      const box = await toast.boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    await expect.poll(async () => ((await best.boundingBox())?.y ?? 0) >= (await toastBottom())).toBe(true);
  },
);

test('an upload without a connection keeps files and form, and goes through once there is one', async ({
  page,
  signedIn,
}) => {
  await page.goto(`${signedIn.url}/upload`);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.csv', mimeType: 'text/plain', buffer: Buffer.from('a') });
  await page.getByRole('button', { name: /^Process/ }).click();
  await page.getByRole('dialog').getByRole('listitem').first().getByRole('button').click();
  await page.getByLabel('Car', { exact: true }).selectOption('Old Faithful');
  await chooseTires(page, 'Full Slick');
  await page.getByLabel('Video Link').fill('https://video.example/lap');
  // The script that draws the toasts is fetched a second after the page; without it, only the file itself would tell of the failure.
  await expect(page.getByRole('region', { name: 'Notifications' })).toBeAttached();
  await page.context().setOffline(true);
  const submit = page.getByRole('button', { name: 'Upload Lap Data' });
  await submit.click();
  await expect(page.locator('[data-sonner-toast]')).toContainText('Upload failed');
  await expect(page.getByRole('list', { name: 'Chosen files' })).toContainText('a.csv');
  await expect(page.getByRole('radio', { name: 'Full Slick' })).toBeChecked();
  await expect(page.getByLabel('Video Link')).toHaveValue('https://video.example/lap');
  await expectAccessibleEverywhere(page);
  await page.context().setOffline(false);
  await submit.click();
  await expect(page.locator('[data-sonner-toast]')).toContainText('Upload successful!');
});

async function drive(page: Page, seed: number, topSpeedMetersPerSecond: number): Promise<number> {
  const userCarId = await addCar(page, pitboard().url, MX5);
  return uploadLaps(page, pitboard().url, { trackId: SPA, userCarId, seed, topSpeedMetersPerSecond });
}

type TestFile = ReturnType<typeof lapFile>;

async function fillUpload(page: Page, files: TestFile[]): Promise<void> {
  await page.goto(`${pitboard().url}/upload`);
  await page.locator('input[type=file]').setInputFiles(files);
  await page.getByRole('button', { name: /^Process/ }).click();
  const picker = page.getByRole('dialog', { name: 'Select Track' });
  await picker
    .getByRole('button', { name: /Spa-Francorchamps/ })
    .first()
    .click();
  await fillDetails(page);
}

async function fillDetails(page: Page): Promise<void> {
  await page.getByLabel('Car', { exact: true }).selectOption({ index: 1 });
  await chooseTires(page, 'Track Street 200 TW');
  await page.getByLabel('Video Link').fill('https://video.example/onboard');
}

function lapFile(name: string, seed: number, topSpeedMetersPerSecond: number, trackId = SPA) {
  const driven = simulateDrive(libraryTrack(trackId), { seed, laps: 3, topSpeedMetersPerSecond });
  return { name, mimeType: 'application/gpx+xml', buffer: Buffer.from(writeGpx(driven)) };
}
