import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { test } from './test.ts';

const TRACK = 'weathertech-raceway-laguna-seca-full';

const pitboard = shareServer();

test('a driver downloads a session as GPX', async ({ browser }) => {
  const { url } = pitboard();
  const page = await openAs(browser, url, 'Theo Okafor');
  const userCarId = await addCar(page, url, 'mazda-mx-5-nb-1-8');
  await uploadLaps(page, url, { trackId: TRACK, userCarId, seed: 6, topSpeedMetersPerSecond: 52 });
  await page.goto(`${url}/profile?tab=tracks`);
  await page.getByText('1 Session').click();
  await expectAccessibleEverywhere(page);
  await page.getByRole('button', { name: /^Download session of/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Download' });
  await expect(dialog.getByRole('link')).toHaveCount(4);
  await expectAccessibleEverywhere(page);
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('link', { name: /^GPX/ }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/\.gpx$/);
  expect(await readFile(await download.path(), 'utf8')).toContain('<trkpt');
});

test('a refused file reaches the list of the owners, who delete it', { tag: '@all' }, async ({ browser }) => {
  const { url } = pitboard();
  const driver = await openAs(browser, url, 'Theo Okafor');
  await driver.goto(`${url}/upload`);
  const list = { name: 'shopping.csv', mimeType: 'text/csv', buffer: Buffer.from('milk,eggs\n1,2\n') };
  await driver.locator('input[type=file]').setInputFiles([list]);
  await driver.getByRole('button', { name: /^Process/ }).click();
  await driver.getByRole('button', { name: 'Send shopping.csv to the club’s owner' }).click();
  await expect(driver.getByText('Sent to the club’s owner.')).toBeFocused();
  await expectAccessibleEverywhere(driver);

  const owner = await openAs(browser, url, 'Mara Lindqvist');
  await owner.goto(`${url}/club/operations`);
  const files = owner.getByRole('list', { name: 'Refused files' }).getByRole('listitem');
  await expect(files).toContainText('Theo Okafor');
  await expect(files).toContainText('no columns with latitudes and longitudes');
  await expectAccessibleEverywhere(owner);
  const downloading = owner.waitForEvent('download');
  await files.getByRole('link', { name: 'Download shopping.csv' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/\.zip$/);
  await files.getByRole('button', { name: 'Delete shopping.csv' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(files).toHaveCount(0);
});
