import { expect, type Page } from '@playwright/test';
import { formatLapTime } from '#engine/lap-time.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { libraryTrack } from '../library.ts';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { expectAccessible } from './expect-accessible.ts';
import { SCREENS, useScreen } from './screens.ts';
import { test } from './test.ts';
import { expectToast } from './toasts.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';

const pitboard = shareServer();

for (const { screen, name } of SCREENS) {
  test(
    `a driver proposes a car, drives it, and an administrator merges it (${name})`,
    { tag: '@all' },
    async ({ browser }) => {
      const page = await openAs(browser, pitboard().url, 'Theo Okafor');
      await useScreen(page, screen);
      await page.goto(`${pitboard().url}/garage/add`);
      const dialog = await openProposal(page);
      await expect(dialog.getByLabel('Make')).toBeFocused();
      await page.keyboard.type('Mazda');
      await dialog.getByLabel('Model').fill('MX5');
      await dialog.getByLabel('Variant').fill('1.8 NB Cup');
      await expect(dialog.getByRole('heading', { name: 'Is it one of these?' })).toBeVisible();
      await expect(dialog.getByRole('button', { name: 'Add Mazda MX-5 1.8 (NB)' })).toBeVisible();
      await expectAccessible(page);
      await dialog.getByLabel('Years').fill('98');
      await dialog.getByLabel('Class').selectOption('Roadster');
      await dialog.getByRole('button', { name: 'Propose Car' }).click();
      await expect(dialog.getByRole('alert')).toContainText('Write it as 1998, 1998-2005 or 1998-present.');
      await expect(dialog.getByLabel('Variant')).toHaveValue('1.8 NB Cup');
      await dialog.getByLabel('Years').fill('1999-2005');
      await page.keyboard.press('Enter');
      await expectToast(page, 'Car added!', 'It is marked Community for now.');
      const card = page.getByRole('article').filter({ hasText: 'MX5 1.8 NB Cup' });
      await expect(card.getByText('Community')).toBeVisible();
      await expectAccessible(page);

      const cars: { id: string; status: string }[] = await (
        await page.request.get(`${pitboard().url}/api/user-cars`)
      ).json();
      const userCarId = cars[0]?.id ?? '';
      const session = { trackId: SPA, userCarId, seed: 1, topSpeedMetersPerSecond: 52 };
      const bestLapTimeMs = await uploadLaps(page, pitboard().url, session);

      const admin = await openAs(browser, pitboard().url, 'Mara Lindqvist');
      await useScreen(admin, screen);
      await admin.goto(`${pitboard().url}/admin/apex-import?tab=cars`);
      const table = admin.getByRole('region', { name: 'All Cars' });
      const row = table.getByRole('row').nth(1);
      await expect(row).toContainText('Theo Okafor');
      await expectAccessible(admin);
      await row.getByRole('button', { name: /^Merge Mazda MX5/ }).click();
      const merge = admin.getByRole('dialog', { name: 'Merge Car' });
      await merge.getByLabel('Merge into').fill('mazda mx-5 nb 1.8');
      await merge.getByRole('radio', { name: /^Mazda MX-5 1\.8 \(NB\)/ }).check();
      await expectAccessible(admin);
      await merge.getByRole('button', { name: 'Merge' }).click();
      await expectToast(admin, 'Cars Merged', '1 car in garages and their laps are Mazda MX-5 1.8 (NB) now.');
      await expect(table.getByLabel('Search cars')).toBeFocused();
      await expect(table.getByText('Theo Okafor')).toHaveCount(0);

      await page.goto(`${pitboard().url}/track/${SPA}?make=Mazda&modelFamily=MX-5&variant=1.8`);
      await expect(page.getByRole('row').nth(1)).toContainText(formatLapTime(bestLapTimeMs));
      await page.goto(`${pitboard().url}/profile`);
      await expect(page.getByRole('article')).toContainText('MX-5 1.8 (NB)');
      await expect(page.getByText('Community')).toHaveCount(0);
    },
  );
}

test(
  'a car that is missing is proposed from the form of an upload, and an administrator approves it',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await addCar(page, pitboard().url, 'mazda-mx-5-nb-1-8');
    await page.goto(`${pitboard().url}/upload`);
    const drive = simulateDrive(libraryTrack(SPA), { seed: 1, laps: 1, topSpeedMetersPerSecond: 60 });
    const lapFile = {
      name: 'lap.gpx',
      mimeType: 'application/gpx+xml',
      buffer: Buffer.from(writeGpx(drive)),
    };
    await page.locator('input[type="file"]').setInputFiles(lapFile);
    await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /Spa/ }).first().click();
    await page.getByRole('button', { name: 'Car not listed?' }).click();
    const dialog = page.getByRole('dialog', { name: 'Propose a Car' });
    await dialog.getByRole('button', { name: 'Propose Car' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Make, model and variant are needed.');
    await dialog.getByLabel('Make').fill('Jem');
    await dialog.getByLabel('Model').fill('Bruja');
    await dialog.getByLabel('Variant').fill('1.6');
    await dialog.getByRole('button', { name: 'Propose Car' }).click();
    const cars = page.getByLabel('Car', { exact: true });
    await expect(cars.locator('option:checked')).toHaveText('Jem Bruja 1.6 (All years) (Community)');

    const admin = await openAs(browser, pitboard().url, 'Mara Lindqvist');
    await admin.goto(`${pitboard().url}/admin/apex-import?tab=cars`);
    await admin.getByLabel('Status').selectOption('Community');
    await admin.getByRole('button', { name: 'Approve Jem Bruja 1.6 (All years)' }).click();
    await expectToast(admin, 'Car Approved', 'Jem Bruja 1.6 (All years) is official now.');
    await expect(admin.getByText('0 found')).toBeVisible();
    await admin.goto(`${pitboard().url}/club/audit`);
    await expect(admin.getByRole('row').nth(1)).toContainText('Car approved');
    await expect(admin.getByRole('row').nth(2)).toContainText('Car proposed');
  },
);

async function openProposal(page: Page) {
  await page.getByRole('button', { name: 'Propose a Car' }).click();
  return page.getByRole('dialog', { name: 'Propose a Car' });
}
