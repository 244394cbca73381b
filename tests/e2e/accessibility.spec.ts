import { writeFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeRaceChronoV3 } from '#engine/simulation/write-racechrono.ts';
import { LIBRARY, libraryTrack } from '../library.ts';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { test } from './test.ts';
import { toastOf } from './toasts.ts';
import { chooseTires } from './upload-form.ts';

// Every page, and everything that opens on one. `npm test` judges the main ones in one theme at one width, `npm run test:all` all of them in both at both.

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const MX5 = 'mazda-mx-5-nb-1-8';

const pitboard = shareServer('all tests');
let driver: Page;

test.beforeAll(async ({ browser }) => {
  driver = await openAs(browser, pitboard().url, 'Theo Okafor');
  const rival = await openAs(browser, pitboard().url, 'Priya Venkat');
  for (const [page, topSpeedMetersPerSecond] of [
    [driver, 52],
    [rival, 56],
  ] as const) {
    const userCarId = await addCar(page, pitboard().url, MX5);
    await uploadLaps(page, pitboard().url, { trackId: SPA, userCarId, seed: 1, topSpeedMetersPerSecond });
  }
  await rival.context().close();
});

test.afterAll(async () => {
  await driver.context().close();
});

test('the pages that everybody sees are accessible', { tag: '@matrix' }, async ({ page }) => {
  for (const path of [
    '/',
    '/leaderboards',
    `/track/${SPA}`,
    '/track/suzuka-circuit-full',
    '/track/atlantis',
    '/events',
    '/event/atlantis',
    '/nowhere',
  ]) {
    await open(page, path);
    await expectAccessibleEverywhere(page);
  }
  await open(page, '/login?error=failed');
  await expectAccessibleEverywhere(page);
  await open(page, '/admin/import-tracks');
  await expectAccessibleEverywhere(page);
});

test('boards are accessible with an own entry, filters and rivals', { tag: '@all' }, async () => {
  await open(driver, `/track/${SPA}?drivetrain=RWD&tire=track-200`);
  await expect(driver.getByRole('region', { name: 'Your Rivals' })).toContainText('ahead');
  await expectAccessibleEverywhere(driver);
  await driver.getByRole('button', { name: 'Share board' }).click();
  await expect(driver.getByRole('dialog', { name: 'Share board' }).getByLabel('Colours of')).toBeVisible();
  await expectAccessibleEverywhere(driver);
  await open(driver, `/track/${SPA}?drivetrain=FWD`);
  await expectAccessibleEverywhere(driver);
});

test('a board shows the uncertainty of its times without a pointer', { tag: '@all' }, async () => {
  await open(driver, `/track/${SPA}`);
  const lapTime = driver.getByRole('table').locator('tbody tr').last().locator('td').nth(3);
  await expect(lapTime).not.toContainText('±');
  await driver.getByRole('button', { name: 'Show the uncertainty of each lap time' }).focus();
  await driver.keyboard.press('Enter');
  await expect(lapTime).toContainText(/±0\.\d{3}/);
  await expectAccessibleEverywhere(driver);
  await driver.keyboard.press('Space');
  await expect(lapTime).not.toContainText('±');
});

test('the search is accessible with suggestions and without', { tag: '@all' }, async ({ page, standIn }) => {
  await page.goto(`${standIn.url}/leaderboards`);
  const search = page.getByPlaceholder('Search tracks...');
  await search.fill('meadow');
  await search.press('ArrowDown');
  await expect(page.getByRole('option', { selected: true })).toBeVisible();
  await expectAccessibleEverywhere(page);
  await search.fill('no such track');
  await expect(page.getByText('No tracks found').first()).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test('the filters of a phone and the profile menu are accessible', { tag: '@all' }, async () => {
  await open(driver, `/track/${SPA}?drivetrain=RWD`);
  await driver.setViewportSize({ width: 375, height: 812 });
  await driver.getByRole('button', { name: 'Filters' }).click();
  await expect(driver.getByRole('dialog', { name: 'Filters' })).toBeVisible();
  await expectAccessibleEverywhere(driver);
  await driver.setViewportSize({ width: 1280, height: 720 });
  await open(driver, '/upload');
  await driver.getByRole('button', { name: 'Profile' }).click();
  await expect(driver.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await expectAccessibleEverywhere(driver);
});

test('the profile and its dialogs are accessible', { tag: '@all' }, async () => {
  await open(driver, '/profile');
  await expectAccessibleEverywhere(driver);
  await driver.getByRole('button', { name: 'Remove Car' }).click();
  await expectAccessibleEverywhere(driver);
  await open(driver, '/profile?tab=tracks');
  await driver.locator('summary').click();
  await expectAccessibleEverywhere(driver);
  await driver.getByRole('button', { name: /^Delete session of/ }).click();
  await expectAccessibleEverywhere(driver);
  for (const section of ['', '/notices', '/sign-in', '/tokens', '/data']) {
    await open(driver, `/profile/edit${section}`);
    await expectAccessibleEverywhere(driver);
  }
  await driver.getByRole('button', { name: 'Delete account' }).click();
  await driver.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
  await expect(driver.getByText(/^Please type /)).toBeVisible();
  await expectAccessibleEverywhere(driver);
  await open(driver, '/profile/Priya%20Venkat');
  await expectAccessibleEverywhere(driver);
});

test('adding a car is accessible with suggestions, a selection and a toast', { tag: '@all' }, async () => {
  await open(driver, '/garage/add');
  await driver.getByPlaceholder('Search cars...').fill('mazda');
  await expect(driver.getByRole('listbox').getByRole('option').first()).toBeVisible();
  await expectAccessibleEverywhere(driver);
  await driver.getByPlaceholder('Search cars...').fill('');
  await driver.getByText('Browse by Make and Model').click();
  await driver.getByLabel('Make').selectOption('Mazda');
  await driver.getByRole('button', { name: 'Add to Garage' }).click();
  await expect(toastOf(driver, 'No car selected')).toBeVisible();
  await expectAccessibleEverywhere(driver);
});

test('an upload is accessible at every step', { tag: '@all' }, async () => {
  const laps = writeRaceChronoV3(simulateDrive(libraryTrack(SPA), { seed: 3, laps: 3 }));
  const lapFile = { name: 'laps.csv', mimeType: 'text/csv', buffer: Buffer.from(laps) };
  await open(driver, '/upload');
  await expectAccessibleEverywhere(driver);
  await driver.locator('input[type=file]').setInputFiles(lapFile);
  await driver.getByRole('button', { name: 'Process 1 File(s)' }).click();
  const dialog = driver.getByRole('dialog', { name: 'Select Track' });
  await expect(dialog.getByText(/% Match/).first()).toBeVisible();
  await expectAccessibleEverywhere(driver);
  await dialog.getByRole('button', { name: /Search all tracks/ }).click();
  await expectAccessibleEverywhere(driver);
  await dialog
    .getByRole('listitem')
    .filter({ hasText: libraryTrack(SPA).name })
    .first()
    .getByRole('button')
    .click();
  await expect(driver.getByText('Lap Summary')).toBeVisible();
  // The only car is chosen once the garage has come.
  await expect(driver.getByLabel('Car', { exact: true })).not.toHaveValue('');
  await driver.getByRole('button', { name: 'Upload Lap Data' }).click();
  await expect(toastOf(driver, 'No tire category selected')).toBeVisible();
  await expectAccessibleEverywhere(driver);

  await driver.getByLabel('Car', { exact: true }).selectOption({ index: 1 });
  await chooseTires(driver, 'Full Slick');
  await driver.getByLabel('Video Link').fill('https://video.example/lap');
  await driver.getByRole('button', { name: 'Upload Lap Data' }).click();
  await expect(toastOf(driver, 'Upload successful!')).toBeVisible();
  await expectAccessibleEverywhere(driver);
});

test(
  'the pages of administrators are accessible with a file under review',
  { tag: '@all' },
  async ({ browser }, testInfo) => {
    const trackFile = testInfo.outputPath('tracks.json');
    await writeFile(trackFile, JSON.stringify([{ ...LIBRARY[0], name: '' }, ...LIBRARY.slice(0, 30)]));
    const page = await openAs(browser, pitboard().url, 'Mara Lindqvist');
    await open(page, '/admin/import-tracks');
    await expectAccessibleEverywhere(page);
    await page.getByLabel('Track file').last().setInputFiles(trackFile);
    await expect(page.getByText('The name is missing.')).toBeVisible();
    await expectAccessibleEverywhere(page);
    await page.getByRole('button', { name: 'Import 30 Tracks' }).click();
    await expect(page.getByRole('region', { name: 'Import Results' })).toBeVisible();
    await expectAccessibleEverywhere(page);

    await open(page, '/admin/apex-import');
    await expectAccessibleEverywhere(page);
    const newCar = 'make,modelFamily,variant,generation\nZenvaro,Corsa,2.0,Mk1\n,Unmade,1.0,Mk1\n';
    const carFile = { name: 'cars.csv', mimeType: 'text/csv', buffer: Buffer.from(newCar) };
    await page.getByLabel('Car file').last().setInputFiles(carFile);
    await expect(page.getByRole('table', { name: 'New cars' })).toBeVisible();
    const apex = [{ track: { name: 'Solo Ring', city: 'Spa', country: 'Belgium' }, traps: [] }];
    const apexFile = {
      name: 'apex.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(apex)),
    };
    await page.getByLabel('Track file').last().setInputFiles(apexFile);
    await expect(page.getByRole('table', { name: 'Parsed tracks' })).toBeVisible();
    await expectAccessibleEverywhere(page);
    await page.context().close();
  },
);

async function open(page: Page, path: string): Promise<void> {
  await page.goto(pitboard().url + path);
  await page.waitForLoadState('networkidle');
}
