import { expect, type Locator, type Page } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { libraryTrack } from '../library.ts';
import { press, tabTo } from './by-keyboard.ts';
import { shareServer } from './driver.ts';
import { driver, HARBOUR } from './stand-in-world.ts';
import { test } from './test.ts';
import { expectToast } from './toasts.ts';

// Nothing in these stories touches a mouse, and nothing loads a page again: what changed must show by itself.

const SPA = libraryTrack('circuit-de-spa-francorchamps-grand-prix');

const pitboard = shareServer();

test(
  'a driver signs in, adds a car, uploads laps, and finds them everywhere',
  { tag: '@all' },
  async ({ page }) => {
    const drive = simulateDrive(SPA, { seed: 5, laps: 3 });
    const best = formatLapTime(Math.min(...drive.trueLaps.map(({ lapTimeMs }) => lapTimeMs)));
    await page.goto(pitboard().url);
    await press(page, page.getByRole('banner').getByRole('link', { name: 'Sign In' }));
    await press(page, page.getByRole('link', { name: /^Continue with/ }));
    await press(page, page.getByRole('button', { name: 'Theo Okafor' }));
    await page.waitForURL(`${pitboard().url}/`);

    // Board, profile and form are looked at before, so that old answers would show afterwards.
    await press(page, page.getByRole('link', { name: 'Leaderboards', exact: true }).first());
    await findSpa(page);
    await expect(page.getByText('No lap times yet')).toBeVisible();
    await openProfile(page);
    await expect(page.getByText('0 Total Laps')).toBeVisible();
    await press(page, page.getByRole('link', { name: 'Add Car' }));
    await tabTo(page, page.getByPlaceholder('Search cars...'));
    await page.keyboard.type('mazda mx-5 nb 1.8');
    await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await press(page, page.getByRole('button', { name: 'Add to Garage' }));
    await expectToast(page, 'Car added!', 'Your car has been added to your garage.');
    await expect(page.getByRole('article')).toContainText('No lap data yet');

    await press(page, page.getByRole('link', { name: 'Upload', exact: true }));
    await browse(page, {
      name: 'laps.gpx',
      mimeType: 'application/gpx+xml',
      buffer: Buffer.from(writeGpx(drive)),
    });
    await press(page, page.getByRole('button', { name: 'Process 1 File(s)' }));
    const match = page
      .getByRole('dialog', { name: 'Select Track' })
      .getByRole('listitem')
      .first()
      .getByRole('button');
    await expect(match).toBeFocused();
    await page.keyboard.press('Enter');
    await choose(page, page.getByLabel('Car', { exact: true }), 'Mazda');
    await tabTo(page, page.getByRole('radio', { name: 'Street 300+ TW' }));
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('radio', { name: 'Full Slick' })).toBeChecked();
    await tabTo(page, page.getByLabel('Video Link'));
    await page.keyboard.type('https://video.example/lap');
    await page.keyboard.press('Enter');
    await expectToast(page, 'Upload successful!', '1 file(s) processed successfully.');
    await expect(page.getByRole('heading', { name: `Uploaded to ${SPA.name}` })).toBeFocused();

    await press(page, page.getByRole('link', { name: /^View .* leaderboard$/ }));
    await expect(page.getByRole('rowgroup', { name: 'Your entry' })).toContainText(best);
    await openProfile(page);
    await expect(page.getByText('3 Total Laps')).toBeVisible();
    await expect(page.getByText('1 Tracks')).toBeVisible();
    await expect(page.getByRole('article')).toContainText(best);
    await press(page, page.getByRole('link', { name: 'Leaderboards', exact: true }).first());
    const firstCard = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading') })
      .first();
    await expect(firstCard).toContainText(SPA.name);
    await expect(firstCard).toContainText('You');
  },
);

test('suggestions are announced, chosen with arrows, and closed with Escape', async ({ page, standIn }) => {
  await page.goto(`${standIn.url}/leaderboards`);
  const search = page.getByPlaceholder('Search tracks...');
  await tabTo(page, search);
  await page.keyboard.type('meadow');
  await expect(page.getByRole('status').filter({ hasText: '5 suggestions' })).toBeAttached();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { selected: true })).toContainText('Pine Meadow Park');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toBeHidden();
  await expect(search).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/track\//);
  // A screen reader begins with the new page.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  // Enter opens the first suggestion where none is chosen.
  await page.goto(`${standIn.url}/leaderboards`);
  await tabTo(page, search);
  await page.keyboard.type('pine');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pine Meadow Park');
});

test(
  'filters are set and taken off, and the result is announced',
  { tag: '@all' },
  async ({ page, standIn }) => {
    await page.goto(`${standIn.url}/track/${HARBOUR}`);
    await choose(page, page.getByLabel('Drivetrain'), 'RWD');
    await expect(page.getByRole('status').filter({ hasText: '4 Laps, 3 Racers' })).toBeAttached();
    await choose(page, page.getByLabel('Make'), 'Corvane');
    await press(page, page.getByRole('button', { name: 'Remove filter Make: Corvane' }));
    // The neighbour takes the focus of the chip that is gone.
    await expect(page.getByRole('button', { name: 'Remove filter Drivetrain: RWD' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${standIn.url}/track/${HARBOUR}`);
    // After the last chip there is no neighbour; Clear has none either.
    await expect(page.getByRole('region', { name: 'Filters' })).toBeFocused();
    await choose(page, page.getByLabel('Drivetrain'), 'RWD');
    await press(page, page.getByRole('button', { name: 'Clear', exact: true }));
    await expect(page).toHaveURL(`${standIn.url}/track/${HARBOUR}`);
    await expect(page.getByRole('region', { name: 'Filters' })).toBeFocused();
  },
);

test(
  'what opens above the page closes with Escape and gives the focus back',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    await page.setViewportSize({ width: 375, height: 812 });
    await page.goto(`${signedIn.url}/track/${HARBOUR}`);
    const openers: [Locator, Locator][] = [
      [page.getByRole('button', { name: 'Profile' }), page.getByRole('button', { name: 'Sign Out' })],
      [page.getByRole('button', { name: 'Filters' }), page.getByRole('dialog', { name: 'Filters' })],
    ];
    for (const [opener, opened] of openers) {
      await press(page, opener);
      await expect(opened).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(opened).toBeHidden();
      await expect(opener).toBeFocused();
    }
    await press(page, page.getByRole('link', { name: 'Upload', exact: true }));
    await browse(page, { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a lap file') });
    await press(page, page.getByRole('button', { name: /^Process/ }));
    await expect(page.getByRole('dialog', { name: 'Select Track' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: 'Select Track' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Process/ })).toBeFocused();
  },
);

test(
  'an administrator imports tracks, and toasts are announced',
  { tag: '@all' },
  async ({ page, standIn }) => {
    standIn.world.user = driver({ isAdmin: true });
    await page.goto(`${standIn.url}/admin/import-tracks`);
    await browse(page, { name: 'tracks.json', mimeType: 'application/json', buffer: Buffer.from('[]') });
    await expectToast(page, 'Parse Complete', '2 tracks found in the file.');
    const announcer = page.locator('[aria-live=polite]').filter({ hasText: 'Parse Complete' });
    await expect(announcer).toBeAttached();
    await expect(page.getByRole('heading', { name: 'Review Tracks' })).toBeFocused();
    await press(page, page.getByRole('button', { name: 'Import 2 Tracks' }));
    await expect(page.getByRole('heading', { name: 'Import Results' })).toBeFocused();
  },
);

/** A select takes the option that begins with what is typed. */
async function choose(page: Page, select: Locator, text: string): Promise<void> {
  await expect(select.locator('option', { hasText: text }).first()).toBeAttached();
  await tabTo(page, select);
  await page.keyboard.type(text);
}

async function browse(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await press(page, page.getByRole('button', { name: 'Browse Files' }).last());
  await (await choosing).setFiles(file);
}

async function findSpa(page: Page): Promise<void> {
  await tabTo(page, page.getByPlaceholder('Search tracks...'));
  await page.keyboard.type('francorchamps');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(SPA.name);
}

async function openProfile(page: Page): Promise<void> {
  await press(page, page.getByRole('button', { name: 'Profile' }));
  await press(page, page.getByRole('link', { name: 'Profile', exact: true }));
  await expect(page).toHaveURL(/\/profile$/);
}
