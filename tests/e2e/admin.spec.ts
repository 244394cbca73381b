import { readFile, writeFile } from 'node:fs/promises';
import { expect, type TestInfo } from '@playwright/test';
import type { Track } from '#engine/track.ts';
import { LIBRARY } from '../library.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { expectAccessible } from './expect-accessible.ts';
import { signIn } from './sign-in.ts';
import { test } from './test.ts';
import { expectToast } from './toasts.ts';

const IMPORT_TRACKS = '/admin/import-tracks';
const APEX_IMPORT = '/admin/apex-import';
const ADMINISTRATOR = 'Mara Lindqvist';

let pitboard: Pitboard;

test.beforeAll(async () => {
  pitboard = await startPitboard();
});

test.afterAll(async () => {
  await pitboard.remove();
});

test(
  'both pages refuse a driver who is no administrator, and no link leads there',
  { tag: '@all' },
  async ({ page }) => {
    await page.goto(pitboard.url + IMPORT_TRACKS);
    await expect(
      page.getByText('Access Denied - Admin access is required to import tracks', { exact: true }),
    ).toBeVisible();
    await expectAccessible(page);

    await signIn(page, pitboard.url, 'Theo Okafor', APEX_IMPORT);
    await expect(page.getByText('Access Denied', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Refresh Page' }).click();
    await expect(page.getByText('Access Denied', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Profile' }).click();
    await expect(page.getByRole('link', { name: 'Edit Profile' })).toBeVisible();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Club' })).toHaveCount(0);

    await page.goto(pitboard.url + IMPORT_TRACKS);
    await expect(page.getByText('Access Denied - Admin access is required to import tracks')).toBeVisible();
  },
);

test('an administrator reviews the tracks of a file with the keyboard, imports them, and finds them on the boards', async ({
  page,
}, testInfo) => {
  const [first, second] = annexes(2);
  const trackFile = await writeJson(testInfo, 'tracks.json', [
    first,
    { ...second, location: null, country: '', radiusMeters: 'wide' },
  ]);
  await signIn(page, pitboard.url, ADMINISTRATOR);
  await page.getByRole('link', { name: 'Leaderboards' }).first().click();
  await expect(page.getByRole('heading', { name: 'Track Leaderboards' })).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Club' }).click();
  await page.getByRole('navigation', { name: 'Club' }).getByRole('link', { name: 'Tracks' }).click();

  await page.getByLabel('Track file').last().setInputFiles(trackFile);
  await expectToast(page, 'Parse Complete', '2 tracks found in the file.');
  const review = page.getByRole('region', { name: 'Review Tracks' });
  await expect(review.getByText('2 tracks, 1 with problems')).toBeVisible();
  await expectAccessible(page);

  await review.getByRole('button', { name: 'Next Problem' }).focus();
  await page.keyboard.press('Enter');
  const broken = review.getByRole('group', { name: `Track 2: ${second?.name}` });
  await expect(broken.getByLabel('City/Region *')).toBeFocused();
  await page.keyboard.type('Stavelot');
  await expect(broken.getByLabel('City/Region *')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(broken.getByText('The city or region is missing.')).toHaveCount(0);
  await expect(broken.getByLabel('Country *')).toBeFocused();
  await page.keyboard.type('Belgium');
  await page.keyboard.press('Tab');
  await expect(broken.getByLabel('Detection Radius (m)')).toBeFocused();
  await page.keyboard.type('far');
  await page.keyboard.press('Enter');
  await expect(broken.getByText('This must be a number.')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('1800');
  await page.keyboard.press('Enter');
  await expect(review.getByText('2 tracks', { exact: true })).toBeVisible();

  await review.getByRole('button', { name: 'Import 2 Tracks' }).focus();
  await page.keyboard.press('Enter');
  await expectToast(page, 'Import Complete', 'Successfully imported 2 of 2 tracks');
  const results = page.getByRole('region', { name: 'Import Results' });
  await expect(results.getByRole('row').filter({ hasText: second?.name ?? '' })).toContainText('Imported');
  await expect(review).toHaveCount(0);
  await expectAccessible(page);

  // The boards were loaded before the import: they must have been asked for again.
  await page.getByRole('link', { name: 'Leaderboards' }).first().click();
  await page.getByPlaceholder('Search tracks...').fill(second?.name ?? '');
  await page.getByRole('option', { name: second?.name ?? '' }).click();
  await expect(page.getByRole('heading', { name: second?.name ?? '' })).toBeVisible();
});

test(
  'what cannot be imported stays in the review, and a track of the library is not added twice',
  { tag: '@all' },
  async ({ page }, testInfo) => {
    const [known] = LIBRARY;
    const trackFile = await writeJson(testInfo, 'tracks.json', [{ ...known, name: '' }, known]);
    await signIn(page, pitboard.url, ADMINISTRATOR, IMPORT_TRACKS);
    await page.getByLabel('Track file').last().setInputFiles(trackFile);
    await page.getByRole('button', { name: 'Import 1 Track', exact: true }).click();
    await expectToast(page, 'Import Complete', 'Successfully imported 0 of 1 tracks');
    const result = page.getByRole('region', { name: 'Import Results' }).getByRole('row').nth(1);
    // The row of the file, not of the request.
    await expect(result.getByRole('cell').first()).toHaveText('2');
    await expect(result).toContainText('Exists');

    const review = page.getByRole('region', { name: 'Review Tracks' });
    await expect(review.getByText('The name is missing.')).toBeVisible();
    await review.getByRole('button', { name: 'Import Tracks' }).click();
    await expect(review.getByLabel('Track Name *')).toBeFocused();
  },
);

test(
  'files without tracks are refused in words, and leave the review as it is',
  { tag: '@all' },
  async ({ page }, testInfo) => {
    const trackFile = await writeJson(testInfo, 'tracks.json', annexes(1));
    await signIn(page, pitboard.url, ADMINISTRATOR, IMPORT_TRACKS);
    const input = page.getByLabel('Track file').last();
    await input.setInputFiles(trackFile);
    await expectToast(page, 'Parse Complete', '1 track found in the file.');

    await input.setInputFiles(await writeJson(testInfo, 'empty.json', []));
    await expectToast(page, 'Parse Failed', 'No valid tracks found in file');
    const broken = { name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('[{') };
    await input.setInputFiles(broken);
    await expectToast(page, 'Parse Failed', 'Failed to parse track file');
    await expect(page.getByRole('alert').filter({ hasText: 'This file is not valid JSON.' })).toBeVisible();
    await input.setInputFiles({ name: 'tracks.csv', mimeType: 'text/csv', buffer: Buffer.from('name') });
    await expectToast(page, 'Parse Failed', 'Please choose a .json file.');
    await expect(page.getByRole('region', { name: 'Review Tracks' })).toBeVisible();
  },
);

test(
  'an administrator previews a CSV file of cars, adds the new ones, and finds them when adding a car',
  { tag: '@all' },
  async ({ page }, testInfo) => {
    const library = (await readFile('data/cars.csv', 'utf8')).split('\n');
    const carFile = testInfo.outputPath('cars.csv');
    const knownCarFile = testInfo.outputPath('known-cars.csv');
    const newCars = Array.from(
      { length: 60 },
      (_, index) => `Zenvaro,Corsa ${index},2.0,Mk1,,,2020-2024,RWD,Sports Car`,
    );
    await writeFile(carFile, [...library.slice(0, 6), ...newCars, ',Unmade,1.0,Mk1,,,,,'].join('\n'));
    await writeFile(knownCarFile, [...library.slice(0, 6), ...newCars].join('\n'));

    await signIn(page, pitboard.url, ADMINISTRATOR, '/garage/add');
    await expect(page.getByLabel('Make').locator('option', { hasText: /^Mazda$/ })).toHaveCount(1);
    await page.getByRole('banner').getByRole('link', { name: 'Club' }).click();
    await page.getByRole('navigation', { name: 'Club' }).getByRole('link', { name: 'Cars' }).click();
    const cars = page.getByRole('region', { name: 'Car Library Management' });
    await cars.getByLabel('Car file').last().setInputFiles(carFile);
    await expectToast(page, 'CSV Parsed', '66 cars: 60 new cars, 5 existing.');
    await expect(cars.getByText('Line 67, make:')).toBeVisible();
    await expect(cars.getByText('The first 50 of 60 new cars')).toBeVisible();
    await expect(cars.getByRole('row')).toHaveCount(51);
    await expectAccessible(page);

    await cars.getByRole('button', { name: 'Confirm Import' }).click();
    await expectToast(page, 'Import Complete', '60 cars imported.');
    await expect(cars.getByText('60 cars added to the library.')).toBeVisible();
    await cars.getByLabel('Car file').last().setInputFiles(knownCarFile);
    await expect(
      cars.getByText('No new cars found in this CSV. All cars already exist in the library.'),
    ).toBeVisible();

    // The makes were loaded before the import: they must have been asked for again.
    await page.goBack();
    await page.goBack();
    await page.getByText('Browse by Make and Model').click();
    await page.getByLabel('Make').selectOption('Zenvaro');
    await page.getByLabel('Model').selectOption('Corsa 59');
  },
);

test(
  'an administrator imports apex tracks, is warned of those without exactly one start/finish trap, and migrates the others',
  { tag: '@all' },
  async ({ page }, testInfo) => {
    const trackFile = await writeJson(testInfo, 'apex.json', [
      apexTrack('Meadow Ring', 1, 0),
      apexTrack('Meadow Kart', 2, 1),
      apexTrack('Harbour Loop', 0, 2),
    ]);
    await signIn(page, pitboard.url, ADMINISTRATOR, APEX_IMPORT);
    await page.getByLabel('Track file').last().setInputFiles(trackFile);
    await expectToast(page, 'File Parsed', '3 tracks found in the file.');
    const parsed = page.getByRole('region', { name: 'Parsed Tracks' });
    await expect(parsed.getByText('2 cannot be migrated as they are.')).toBeVisible();
    await expect(parsed.getByText('start/finish traps; exactly one is needed')).toHaveCount(2);
    await parsed.getByLabel('Search parsed tracks').fill('meadow');
    await expect(parsed.getByText('2 of 3 tracks.')).toBeVisible();
    await expect(parsed.getByRole('row').filter({ hasText: 'Harbour Loop' })).toHaveCount(0);
    await expectAccessible(page);

    await parsed.getByRole('button', { name: 'Import 3 Tracks' }).click();
    await expectToast(page, 'Import Complete', '3 tracks and 6 traps imported.');
    await parsed.getByRole('link', { name: 'Migrate them to the library' }).click();
    await page.getByRole('button', { name: 'Migrate Tracks' }).click();
    await expectToast(page, 'Migration Complete', '1 track migrated. 2 tracks skipped.');
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Leaderboards' }).first().click();
    // The page that is left has a search with the same placeholder.
    await expect(page.getByRole('heading', { name: 'Track Leaderboards' })).toBeVisible();
    await page.getByPlaceholder('Search tracks...').fill('meadow');
    await expect(page.getByRole('option')).toHaveCount(1);
  },
);

test(
  'ten thousand tracks are reviewed page by page, and a problem on the last page is one key away',
  { tag: '@all' },
  async ({ page }, testInfo) => {
    const [track] = annexes(1);
    const tracks = Array.from({ length: 10_000 }, (_, index) => ({
      ...track,
      name: `Track ${index + 1}`,
      outline: null,
      country: index === 9_998 ? '' : 'Belgium',
    }));
    await signIn(page, pitboard.url, ADMINISTRATOR, IMPORT_TRACKS);
    await page
      .getByLabel('Track file')
      .last()
      .setInputFiles(await writeJson(testInfo, 'many.json', tracks));
    const review = page.getByRole('region', { name: 'Review Tracks' });
    await expect(review.getByText('10,000 tracks, 1 with problems')).toBeVisible();
    await expect(review.getByText('1 to 25 of 10,000')).toBeVisible();
    await expect(review.getByRole('listitem')).toHaveCount(25);

    await review.getByRole('button', { name: 'Next Problem' }).click();
    const country = review.getByRole('group', { name: 'Track 9999' }).getByLabel('Country *');
    await expect(country).toBeFocused();
    await expect(review.getByText('9,976 to 10,000 of 10,000')).toBeVisible();
    await page.keyboard.type('Belgium');
    await page.keyboard.press('ArrowDown');
    await expect(review.getByRole('group', { name: 'Track 10000' }).getByLabel('Country *')).toBeFocused();
    await expect(review.getByRole('button', { name: 'Import 10,000 Tracks' })).toBeVisible();
  },
);

/** Tracks that the library does not have. */
function annexes(count: number): Track[] {
  return LIBRARY.slice(0, count).map((track) => ({ ...track, name: `${track.name} Annex` }));
}

/** A track with as many start/finish traps as asked for, and one sector trap. */
function apexTrack(name: string, startFinishCount: number, index: number): unknown {
  const lat = 50 + index;
  return {
    track: { name, configuration: 'Full', city: 'Stavelot', country: 'Belgium', geofenceRadiusM: 1500 },
    traps: [
      ...Array.from({ length: startFinishCount }, () => trapAt('start_finish', lat)),
      trapAt('sector', lat + 0.01),
    ],
  };
}

function trapAt(type: string, lat: number): unknown {
  return { type, a: { lat, lon: 5 }, b: { lat, lon: 5.0003 } };
}

async function writeJson(testInfo: TestInfo, name: string, value: unknown): Promise<string> {
  const path = testInfo.outputPath(name);
  await writeFile(path, JSON.stringify(value));
  return path;
}
