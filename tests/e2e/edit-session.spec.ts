import { expect, type Locator, type Page } from '@playwright/test';
import { formatLapTime } from '#engine/lap-time.ts';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { test } from './test.ts';
import { expectToast } from './toasts.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';

const pitboard = shareServer();

test(
  'a driver corrects a session from the profile, by keyboard, and the board follows',
  { tag: '@matrix' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    const bestLapTimeMs = await driveAtSpa(page);
    await addCar(page, pitboard().url, 'lotus-elise-s2-sc');
    await page.goto(`${pitboard().url}/track/${SPA}`);
    await expect(page.getByRole('row').nth(1)).toContainText(formatLapTime(bestLapTimeMs));

    const dialog = await openEditor(page);
    await expect(dialog.getByLabel('Car')).toBeFocused();
    await expectAccessibleEverywhere(page);
    await dialog.getByLabel('Car').selectOption({ label: 'Lotus Elise SC (S2)' });
    await dialog.getByLabel('Tire Category').selectOption('rcomp');
    await dialog.getByLabel('Who sees my lines').selectOption('Only me');
    const best = lapOf(dialog, bestLapTimeMs);
    await best.press('Space');
    await expect(best).not.toBeChecked();
    await dialog.getByLabel('Video Link').fill('see my channel');
    await page.keyboard.press('Enter');
    await expect(dialog.getByLabel('Video Link')).toHaveAccessibleDescription(/must begin with http/);
    await dialog.getByLabel('Video Link').fill('https://video.example/better');
    await page.keyboard.press('Enter');
    await expectToast(page, 'Session Updated', 'The board shows your changes.');
    await expect(page.getByRole('button', { name: /^Edit session of/ })).toBeFocused();
    await expect(sessionRow(page)).toContainText('Lotus Elise SC (S2)');
    await expect(sessionRow(page).locator('time').first()).not.toHaveText(formatLapTime(bestLapTimeMs));
    await page.getByText('1 lap not counted').click();
    await expect(page.getByText('Its driver has left this lap out.')).toBeVisible();

    await page.getByRole('link', { name: 'Circuit de Spa-Francorchamps' }).click();
    const first = page.getByRole('row').nth(1);
    await expect(first).toContainText('Lotus Elise');
    await expect(first).not.toContainText(formatLapTime(bestLapTimeMs));
    await expect(first.getByRole('link', { name: /video/i })).toHaveAttribute(
      'href',
      'https://video.example/better',
    );

    await openEditor(page);
    await expect(dialog.getByLabel('Who sees my lines')).toHaveValue('private');
    await lapOf(dialog, bestLapTimeMs).check();
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(sessionRow(page).locator('time').first()).toHaveText(formatLapTime(bestLapTimeMs));
  },
);

test(
  'a driver edits the session of an own lap from the lap; others cannot',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    const bestLapTimeMs = await driveAtSpa(page);
    await addCar(page, pitboard().url, 'lotus-elise-s2-sc');
    await page.goto(`${pitboard().url}/track/${SPA}`);
    await page
      .getByRole('row')
      .nth(1)
      .getByRole('link', { name: formatLapTime(bestLapTimeMs) })
      .click();
    const edit = page.getByRole('button', { name: 'Edit Session' });
    const dialog = page.getByRole('dialog', { name: 'Edit Session' });
    // The garage comes while the driver types.
    await page.route('**/api/user-cars', async (route) => {
      await dialog.getByLabel('Video Link').focus();
      await route.continue();
    });
    await edit.press('Enter');
    await expect(dialog.getByRole('option', { name: 'Lotus Elise SC (S2)' })).toBeAttached();
    await expect(dialog.getByLabel('Video Link')).toBeFocused();
    await expect(dialog.getByLabel('Tire Category')).toHaveValue('track-200');
    await expectAccessibleEverywhere(page);
    await dialog.getByLabel('Tire Category').selectOption('full-slick');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expectToast(page, 'Session Updated', 'The board shows your changes.');
    await expect(edit).toBeFocused();
    await expect(page.getByRole('region', { name: 'Lap', exact: true })).toContainText('Full Slick');

    const other = await openAs(browser, pitboard().url, 'Priya Venkat');
    await other.goto(page.url());
    await expect(other.getByRole('heading', { name: formatLapTime(bestLapTimeMs) })).toBeVisible();
    await expect(other.getByRole('button', { name: 'Edit Session' })).toHaveCount(0);
  },
);

test(
  'what fails is said in the dialog, what was typed stays, and Escape changes nothing',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await driveAtSpa(page);
    const dialog = await openEditor(page);
    await page.route('**/api/sessions/*', (route) => route.abort());
    await dialog.getByLabel('Video Link').fill('https://video.example/other');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('The connection was lost. Please try again.');
    await expect(dialog.getByLabel('Video Link')).toHaveValue('https://video.example/other');
    await page.unroute('**/api/sessions/*');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await openEditor(page);
    await expect(dialog.getByLabel('Video Link')).toHaveValue('https://video.example/onboard');
  },
);

async function openEditor(page: Page): Promise<Locator> {
  await page.goto(`${pitboard().url}/profile?tab=tracks`);
  await page
    .locator('summary')
    .filter({ hasText: /Sessions? at/ })
    .click();
  await page.getByRole('button', { name: /^Edit session of/ }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit Session' });
  await expect(dialog.getByLabel('Video Link')).toBeVisible();
  return dialog;
}

const sessionRow = (page: Page) => page.locator('details li').first();

const lapOf = (dialog: Locator, lapTimeMs: number) =>
  dialog.getByRole('checkbox', { name: formatLapTime(lapTimeMs) });

async function driveAtSpa(page: Page): Promise<number> {
  const userCarId = await addCar(page, pitboard().url, 'mazda-mx-5-nb-1-8');
  return uploadLaps(page, pitboard().url, { trackId: SPA, userCarId, seed: 1, topSpeedMetersPerSecond: 52 });
}
