import { gzipSync } from 'node:zlib';
import { expect, type Locator, type Page } from '@playwright/test';
import { simulateDrive, type SimulatedDrive } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { kartTrackAt } from '#engine/testing/kart-track.ts';
import { openAs, shareServer } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { test } from './test.ts';
import { chooseTires } from './upload-form.ts';

/** No track of the library is near. */
const HIDDEN = kartTrackAt({ lat: 47.2, lon: 9.9 });

const pitboard = shareServer();

test('on a phone a driver gets from a file of an unknown track to a lap on a new board, and others are matched to it', async ({
  browser,
}) => {
  const page = await openAs(browser, pitboard().url, 'Theo Okafor');
  await page.setViewportSize({ width: 375, height: 780 });
  // Compressed, as many apps share their files.
  const shared = lapFile('hidden.gpx', 21);
  await process(page, { ...shared, name: 'hidden.gpx.gz', buffer: gzipSync(shared.buffer) });
  const dialog = page.getByRole('dialog', { name: 'Select Track' });
  const figures = dialog.getByRole('status').filter({ hasText: /lap/ });
  // The laps are read in the browser.
  await expect(figures).toHaveText(/^[4-6] laps, best 0:\d\d\.\d{3}, ±0\.\d{3} s$/, { timeout: 60_000 });
  await expect(dialog.getByText(/^0\.\d{3}\skm, counterclockwise$/)).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Lap times' }).getByText('Best lap')).toBeVisible();
  const before = await figures.textContent();
  await dialog.getByRole('button', { name: 'Move the line' }).click();
  const slider = dialog.getByRole('slider', { name: 'Move the start/finish line along the lap' });
  await slider.focus();
  for (let step = 0; step < 8; step += 1) await page.keyboard.press('ArrowRight');
  await expect(figures).not.toHaveText(before ?? '');
  await expect(figures).toHaveText(/[4-6] laps, best/);
  await expectAccessibleEverywhere(page);

  await expect(figures).toHaveAttribute('aria-busy', 'false');
  const laps = await figures.textContent();
  await dialog.getByRole('button', { name: 'Turn direction' }).click();
  await expect(figures).toHaveText('No lap goes over the line here.');
  await dialog.getByRole('button', { name: 'Turn direction' }).click();
  await expect(figures).toHaveText(laps ?? '');
  await expect(dialog.getByLabel('Country')).toHaveValue('Austria');
  await expect(dialog.getByLabel('City or region')).toHaveValue(/^47\.\d{3}° N, 9\.\d{3}° E$/);
  const name = dialog.getByLabel('Track name');
  await expect(name).toHaveValue(/^Track in Austria, 0\.\d{3} km$/);
  await name.fill('');
  await dialog.getByRole('button', { name: 'Add this track' }).click();
  await expect(name).toBeFocused();
  await expect(name).toBeInViewport();
  await expect(name).toHaveAccessibleDescription('Give the track its name.');
  await name.fill('Hidden Ring');
  await dialog.getByLabel('City or region').fill('');
  await dialog.getByRole('button', { name: 'Add this track' }).click();
  await expect(dialog.getByLabel('City or region')).toBeFocused();
  await dialog.getByLabel('City or region').fill('Dornbirn');
  await moveLineAndAdd(slider);
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Hidden Ring').first()).toBeVisible();
  await expect(page.getByText('Community').first()).toBeVisible();

  const row = page.getByRole('list', { name: 'Chosen files' });
  await expect(row).toContainText(/[4-6] laps, best 0:\d\d\.\d{3}/);
  await expect(row).not.toContainText(/best 0:\d\d\.\d{3}/.exec(laps ?? '')?.[0] ?? 'laps');
  await addFirstCar(page);
  await chooseTires(page, 'Street 300+ TW');
  await page.getByLabel('Video Link').fill('https://youtu.be/dQw4w9WgXcQ');
  await page.getByRole('button', { name: 'Upload Lap Data' }).click();
  const result = page.locator('section').filter({ hasText: 'Uploaded to' });
  await expect(result).toContainText('P1 of 1');
  await page.getByRole('link', { name: /^View .* leaderboard$/ }).click();
  await expect(page.getByRole('heading', { name: /Hidden Ring/ }).first()).toBeVisible();
  await expect(page.getByText('Theo Okafor').locator('visible=true').first()).toBeVisible();

  // The next upload has the only car and the tyres of this one.
  await process(page, lapFile('again.gpx', 23));
  await page.getByRole('button', { name: /Hidden Ring.*% Match/ }).click();
  await expect(page.getByLabel('Car', { exact: true })).not.toHaveValue('');
  await expect(page.getByRole('radio', { name: 'Street 300+ TW' })).toBeChecked();

  const other = await openAs(browser, pitboard().url, 'Priya Venkat');
  await process(other, lapFile('same-ring.gpx', 22));
  const picker = other.getByRole('dialog', { name: 'Select Track' });
  await expect(picker.getByRole('button', { name: /Hidden Ring.*% Match/ })).toBeVisible();
});

test(
  'the dialog of a new track names the file that shows it, not one that was chosen before',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    const drive = simulateDrive(kartTrackAt({ lat: 47.4, lon: 9.2 }), { seed: 24, laps: 4 });
    await process(page, wayHome(drive), toFile('laps.gpx', writeGpx(drive)));
    const dialog = page.getByRole('dialog', { name: 'Select Track' });
    await expect(dialog.getByRole('status').filter({ hasText: 'laps, best' })).toBeVisible({
      timeout: 60_000,
    });
    await expect(dialog.getByText('laps.gpx', { exact: true })).toBeVisible();
    await expect(dialog.getByText('way-home.gpx', { exact: true })).toHaveCount(0);
  },
);

test(
  'where no file shows a track, the dialog says why of the file that it names',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    const drive = simulateDrive(kartTrackAt({ lat: 47.4, lon: 9.2 }), { seed: 24, laps: 1 });
    await process(page, wayHome(drive), toFile('notes.csv', 'Lap,Tyres\n1,new\n'));
    const dialog = page.getByRole('dialog', { name: 'Select Track' });
    await expect(dialog.getByText('way-home.gpx', { exact: true })).toBeVisible();
    await expect(dialog.getByText('Nothing in this drive repeats at racing speed')).toBeVisible();
  },
);

/** Moves the line and adds the track before the laps are timed on it: the track has the line that is shown. */
async function moveLineAndAdd(slider: Locator): Promise<void> {
  await slider.evaluate(async (element: HTMLInputElement) => {
    element.valueAsNumber += 8 * Number(element.step);
    element.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve));
    document.querySelector<HTMLButtonElement>('dialog button[type="submit"]')?.click();
  });
}

/** Adds a car on the way, and comes back to the form, which has it. */
async function addFirstCar(page: Page): Promise<void> {
  // The page moves to what is missing: first the car, for which an empty garage has a search.
  await page.getByRole('button', { name: 'Upload Lap Data' }).click();
  await expect(page.getByText('No car selected')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Quick Search' })).toBeFocused();
  await expect(page.getByRole('combobox', { name: 'Quick Search' })).toBeInViewport();
  await page.getByRole('link', { name: 'Add a car' }).click();
  // The page before has a search of the same name.
  await expect(page.getByRole('heading', { name: 'Add Car', level: 1 })).toBeVisible();
  await page.getByRole('combobox', { name: 'Quick Search' }).fill('mx-5 nb');
  await page.getByRole('option', { name: /MX-5 1\.8 \(NB\)/ }).click();
  await page.getByRole('button', { name: 'Add to Garage' }).click();
  await expect(page.getByRole('heading', { name: 'Lap Details' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Lap Details' })).toBeInViewport();
  await expect(page.getByLabel('Car', { exact: true })).not.toHaveValue('');
}

async function process(page: Page, ...files: ReturnType<typeof toFile>[]): Promise<void> {
  await page.goto(`${pitboard().url}/upload`);
  await page.locator('input[type=file]').setInputFiles(files);
  await page.getByRole('button', { name: /^Process/ }).click();
}

function lapFile(name: string, seed: number) {
  const drive = simulateDrive(HIDDEN, { seed, laps: 5 });
  return toFile(name, writeGpx(drive));
}

/** A part of the drive that shows no track. */
function wayHome(drive: SimulatedDrive) {
  return toFile('way-home.gpx', writeGpx({ ...drive, fixes: drive.fixes.slice(0, 60) }));
}

function toFile(name: string, text: string) {
  return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) };
}
