import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { kartTrackAt } from '#engine/testing/kart-track.ts';
import { openOnPhone, type CountedDriver } from './counted-driver.ts';
import { shareServer } from './driver.ts';
import { test } from './test.ts';

// The first file of a new driver: from an unknown track, with an empty garage.

/** The most that a driver has to do: the typed fields are the search of the car and the link to the video. */
const LIMIT = { taps: 8, typedFields: 2 };

/** No track of the library is near. */
const HIDDEN = kartTrackAt({ lat: 46.9, lon: 10.3 });

const pitboard = shareServer();

test('a new driver brings a simulated drive on an unknown track to a board with 8 taps and 2 typed fields', async ({
  browser,
}) => {
  const buffer = Buffer.from(writeGpx(simulateDrive(HIDDEN, { seed: 31, laps: 5 })));
  const driver = await openOnPhone(browser, pitboard(), 'Theo Okafor');
  await bringToBoard(driver, { name: 'evening.gpx', mimeType: 'application/gpx+xml', buffer });
  driver.expectAtMost(LIMIT);
  await expectOnBoard(driver, /^Track in Switzerland, 0\.\d{3} km$/);
});

test(
  'a new driver brings a real recording from an unknown kart track to a board with 8 taps and 2 typed fields',
  { tag: '@all' },
  async ({ browser }) => {
    const path = join(process.env['LAP_SAMPLES'] ?? '', 'lap-files', 'aim-xrk_adria-kart.xrk');
    test.skip(!existsSync(path), 'LAP_SAMPLES holds no aim-xrk_adria-kart.xrk.');
    const driver = await openOnPhone(browser, pitboard(), 'Theo Okafor');
    await bringToBoard(driver, path);
    driver.expectAtMost(LIMIT);
    await expectOnBoard(driver, /^Track in Italy, 1\.\d{3} km$/);
  },
);

async function bringToBoard(
  driver: CountedDriver,
  file: Parameters<CountedDriver['chooseFile']>[1],
): Promise<void> {
  const { page } = driver;
  await page.goto(`${pitboard().url}/upload`);
  await driver.chooseFile(page.getByRole('button', { name: /browse/i }), file);
  await driver.tap(page.getByRole('button', { name: 'Process 1 File(s)' }));
  const dialog = page.getByRole('dialog', { name: 'Select Track' });
  await expect(dialog.getByRole('heading', { name: 'A new track' })).toBeVisible();
  // The laps are timed before anything is stored.
  await expect(
    dialog.getByRole('status').filter({ hasText: /laps, best \d:\d\d\.\d{3}, ±0\.\d{3} s/ }),
  ).toBeVisible();
  await driver.tap(dialog.getByRole('button', { name: 'Add this track' }));
  await driver.type(page.getByRole('combobox', { name: 'Quick Search' }), 'mx-5 nb');
  await driver.tap(page.getByRole('option', { name: /MX-5 1\.8 \(NB\)/ }));
  await expect(page.getByLabel('Car', { exact: true })).not.toHaveValue('');
  await driver.tap(page.getByRole('radio', { name: 'Full Slick' }));
  await driver.type(page.getByLabel('Video Link'), 'https://youtu.be/dQw4w9WgXcQ');
  await driver.tap(page.getByRole('button', { name: 'Upload Lap Data' }));
  await expect(page.locator('section').filter({ hasText: 'Uploaded to' })).toContainText('P1 of 1');
}

async function expectOnBoard({ page }: CountedDriver, trackName: RegExp): Promise<void> {
  const href = await page.getByRole('link', { name: /^View .* leaderboard$/ }).getAttribute('href');
  await page.goto(`${pitboard().url}${href ?? ''}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(trackName);
  await expect(page.getByText('Theo Okafor').locator('visible=true').first()).toBeVisible();
}
