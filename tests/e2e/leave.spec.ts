import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { expectAccessible } from './expect-accessible.ts';
import { passSevenDays } from './seven-days.ts';
import { signIn } from './sign-in.ts';
import { test } from './test.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const MX5 = 'mazda-mx-5-nb-1-8';

const pitboard = shareServer();

test('a driver takes everything along and deletes the account', async ({ browser }) => {
  const page = await openAs(browser, pitboard().url, 'Theo Okafor');
  await driveAtSpa(page);
  await page.goto(`${pitboard().url}/profile/edit/data`);

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export my data' }).click();
  const zip = (await readFile(await (await downloading).path())).toString('latin1');
  expect(zip).toMatch(/^PK.*account\.json/s);
  expect(zip).toMatch(/lap-files\/[^/]+laps\.gpx/);

  await deleteAccount(page);
  await passSevenDays(pitboard());
  await page.goto(`${pitboard().url}/`);
  expect((await page.request.get(`${pitboard().url}/api/auth/user`)).status()).toBe(401);
  await page.goto(`${pitboard().url}/track/${SPA}`);
  await expect(page.getByText('No lap times yet')).toBeVisible();
  await page.goto(`${pitboard().url}/profile`);
  await page.waitForURL(/\/login\?returnTo=/);
  // A driver who signs in again begins with nothing.
  await signIn(page, pitboard().url, 'Theo Okafor', '/profile');
  await expect(page.getByText('No cars in garage yet')).toBeVisible();
});

/** Deletes the account on its page, with the name typed wrong at first; ends on the page that is shown from then on. */
async function deleteAccount(page: Page): Promise<void> {
  await page.goto(`${pitboard().url}/profile/edit/data`);
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete account' });
  await expect(dialog.getByLabel('Type Theo Okafor to confirm')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Please type Theo Okafor.')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.type('Theo Okafor');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${pitboard().url}/`);
  await expect(page.getByRole('heading', { name: 'Your account is to be deleted' })).toBeVisible();
}

test(
  'a driver who has deleted the account signs in again within seven days, keeps it and ranks as before',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await driveAtSpa(page);
    const otherTab = await page.context().newPage();
    await otherTab.goto(`${pitboard().url}/upload`);
    await deleteAccount(page);
    await expectAccessible(page);
    await expect(otherTab.getByRole('heading', { name: 'Your account is to be deleted' })).toBeVisible();
    const reader = await openAs(browser, pitboard().url, 'Priya Venkat');
    await reader.goto(`${pitboard().url}/track/${SPA}`);
    await expect(reader.getByText('No lap times yet')).toBeVisible();
    await expect(reader.getByText('Theo Okafor')).toHaveCount(0);
    await reader.goto(`${pitboard().url}/profile/Theo%20Okafor`);
    await expect(reader.getByText('The driver may have left, or have a new name.')).toBeVisible();
    await expect(reader.getByRole('heading', { name: 'Theo Okafor' })).toHaveCount(0);

    // Every page shows the same until the account is kept or the driver signs out.
    await page.goto(`${pitboard().url}/upload`);
    await expect(page.getByRole('heading', { name: 'Your account is to be deleted' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Export my data' })).toBeVisible();
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
    await signIn(page, pitboard().url, 'Theo Okafor');
    await expect(page.getByRole('heading', { name: 'Your account is to be deleted' })).toBeVisible();
    await page.getByRole('button', { name: 'Keep my account' }).click();
    await page.waitForURL(`${pitboard().url}/profile`);
    await expect(page.getByRole('heading', { name: 'Theo Okafor' })).toBeVisible();
    await passSevenDays(pitboard());
    await reader.goto(`${pitboard().url}/track/${SPA}`);
    await expect(reader.getByText('Theo Okafor').locator('visible=true').first()).toBeVisible();
  },
);

test(
  'a driver chooses a username instead of the part of the e-mail address',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await page.goto(`${pitboard().url}/profile`);
    await expect(page.getByText('@theo.okafor')).toBeVisible();
    await page.goto(`${pitboard().url}/profile/edit`);
    const field = page.getByRole('textbox', { name: 'Username' });
    await expect(field).toHaveAttribute('placeholder', 'theo.okafor');
    for (const [username, problem] of [
      ['x', /3 to 30/],
      ['admin', /reserved/],
    ] as const) {
      await field.fill(username);
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expect(page.getByText(problem)).toBeVisible();
    }
    await expectAccessible(page);
    await field.fill('late_braker');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.waitForURL(`${pitboard().url}/profile`);
    await expect(page.getByText('@late_braker')).toBeVisible();
  },
);

async function driveAtSpa(page: Page): Promise<void> {
  const userCarId = await addCar(page, pitboard().url, MX5);
  await uploadLaps(page, pitboard().url, { trackId: SPA, userCarId, seed: 1, topSpeedMetersPerSecond: 52 });
}
