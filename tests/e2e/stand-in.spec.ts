import { expect } from '@playwright/test';
import { analysis, suggestion } from '#web/testing/analysis.ts';
import { driver, HARBOUR, MEADOW } from './stand-in-world.ts';
import { filesIn, LAPS } from './stand-in-calls.ts';
import { test } from './test.ts';
import { expectToast } from './toasts.ts';
import { chooseTires } from './upload-form.ts';

const TRACKS_FILE = { name: 'tracks.json', mimeType: 'application/json', buffer: Buffer.from('[]') };
const PHOTO = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('a photo') };

test('the home page shows at most six tracks, the busiest first, each with its top three', async ({
  page,
  standIn,
}) => {
  await page.goto(standIn.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Your Racing Hub. Every Lap. Every Rival.',
  );
  for (const feature of ['Universal Data Import', 'Cross-Platform Leaderboards', 'Racing Identity']) {
    await expect(page.getByRole('heading', { name: feature, exact: true })).toBeVisible();
  }
  const boards = page.getByRole('region', { name: 'Leaderboards' });
  const cards = boards.getByRole('listitem').filter({ has: page.getByRole('heading') });
  await expect(cards).toHaveCount(6);
  await expect(cards.nth(0).getByRole('heading')).toHaveText('Harbour Loop');
  await expect(cards.nth(1).getByRole('heading')).toHaveText('Pine Meadow Park');
  const entries = cards.nth(0).getByRole('list', { name: 'Fastest laps at Harbour Loop' });
  await expect(entries.getByRole('listitem')).toHaveCount(3);
  await expect(entries.getByRole('listitem').nth(0)).toContainText('1:31.004');
  await expect(entries.getByRole('listitem').nth(1)).toContainText('Unknown');
  await expect(entries.getByRole('listitem').nth(0)).toContainText('05/17/26');
  await cards.nth(2).scrollIntoViewIfNeeded();
  await expect(cards.nth(2)).toContainText('No laps recorded yet');
  await expect(cards.nth(2).getByRole('link', { name: 'Be the first to upload a lap' })).toHaveAttribute(
    'href',
    '/upload',
  );
  await expect(cards.nth(2).getByRole('link', { name: /^View Full Leaderboard/ })).toHaveAttribute(
    'href',
    /^\/track\//,
  );
  await expect(page.getByText('Ready to Build Your Racing Identity?')).toBeVisible();
  await boards.getByRole('link', { name: 'View All Leaderboards' }).click();
  await expect(page.getByRole('heading', { name: 'Track Leaderboards' })).toBeVisible();
});

test('the leaderboards put the own tracks first, pin the own entry, and find tracks', async ({
  page,
  signedIn,
}) => {
  await page.goto(`${signedIn.url}/leaderboards`);
  const cards = page.getByRole('listitem').filter({ has: page.getByRole('heading') });
  await expect(cards).toHaveCount(7);
  await expect(cards.nth(0).getByRole('heading')).toHaveText('Harbour Loop');
  const pinned = cards.nth(0).getByRole('list').getByRole('listitem');
  await expect(pinned.nth(0)).toContainText('Nadia Ferro');
  await expect(pinned.nth(0)).toContainText('You');
  await expect(pinned.nth(0)).toContainText('4');
  await expect(pinned.nth(1)).toContainText('Ada Brook');
  await expect(pinned).toHaveCount(4);
  await expect(cards.filter({ hasText: 'Nowhere Speedway' })).toContainText('Location not set');
  await expect(cards.filter({ hasText: 'Nowhere Speedway' })).toContainText('Unknown');

  const search = page.getByPlaceholder('Search tracks...');
  await search.fill('MEADOW');
  await expect(page.getByRole('option')).toHaveCount(5);
  await search.fill('alderTOWN');
  await expect(page.getByRole('option')).toHaveCount(5);
  await search.fill('   ');
  await expect(page.getByRole('option')).toHaveCount(0);
  // The search narrows the cards, too.
  await expect(cards).toHaveCount(7);
  await search.fill('nowhere');
  await expect(cards).toHaveCount(1);
  await search.fill('verity');
  await expect(page.getByRole('option', { name: 'Harbour Loop' })).toHaveAttribute(
    'href',
    `/track/${HARBOUR}`,
  );
  await page.getByRole('option', { name: 'Harbour Loop' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbour Loop');
});

test('a track page counts, ranks, links and filters', async ({ page, signedIn }) => {
  await page.goto(`${signedIn.url}/track/${HARBOUR}`);
  await expect(page.getByText('Port Verity · Portugal · 3.456 km')).toBeVisible();
  await expect(page.getByText('Full Course')).toBeVisible();
  const stat = (name: string) => page.getByRole('term').filter({ hasText: name }).locator('+ dd');
  await expect(stat('Total Laps')).toHaveText('5');
  await expect(stat('Racers')).toHaveText('4');
  const own = page.getByRole('rowgroup', { name: 'Your entry' });
  await expect(own.getByRole('row')).toContainText('4');
  await expect(own.getByRole('row')).toContainText('1:35.250');
  const board = page
    .getByRole('table', { name: 'Fastest laps at Harbour Loop' })
    .getByRole('rowgroup')
    .last();
  await expect(board.getByRole('row')).toHaveCount(5);
  await expect(board.getByRole('row').nth(4)).toContainText('1:39.999');
  await expect(board.getByRole('row').nth(0)).toContainText('Corvane Swift 2.0');
  await expect(board.getByRole('row').nth(0).getByText('AD', { exact: true })).toBeVisible();
  await expect(board.getByRole('row').nth(1)).toContainText('Unknown');
  await expect(board.getByRole('link', { name: 'Ada Brook' }).first()).toHaveAttribute(
    'href',
    '/profile/driver-2',
  );
  await expect(own.getByRole('link', { name: 'Nadia Ferro' })).toHaveAttribute('href', '/profile');
  const video = board.getByRole('row').nth(0).getByRole('link', { name: /video/ }).last();
  await expect(video).toHaveAttribute('href', 'https://video.example/ada');
  await expect(video).toHaveAttribute('target', '_blank');

  await page.getByLabel('Drivetrain').selectOption('RWD');
  await expect(board.getByRole('row')).toHaveCount(4);
  await expect(own.getByRole('row')).toContainText('3');
  await page.getByLabel('Tire Compound').selectOption('Track Street 200 TW');
  // The own entry is second: it is pinned above, and not repeated.
  await expect(board.getByRole('row')).toHaveCount(2);
  await expect(stat('Racers')).toHaveText('2');
  await page.getByLabel('Make').selectOption('Corvane');
  await page.getByLabel('Model Family').selectOption('Swift');
  await expect(board.getByRole('row')).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'Filters in use' }).getByRole('listitem')).toHaveText([
    'Make: Corvane',
    'Model Family: Swift',
    'Drivetrain: RWD',
    'Tires: Track Street 200 TW',
  ]);
  await page.getByLabel('Time Period').selectOption('Last Year');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(board.getByRole('row')).toHaveCount(5);
  await expect(page.getByLabel('Time Period')).toHaveValue('all-time');
});

test('the sign-in leads to the profile', async ({ page, standIn }) => {
  await page.goto(`${standIn.url}/profile`);
  await expect(page).toHaveURL(`${standIn.url}/login?returnTo=%2Fprofile`);
  await page.getByRole('link', { name: 'Continue with your sign-in provider' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nadia Ferro');
  await expect(page.getByText('@nadia.ferro', { exact: true })).toBeVisible();
  await expect(page.getByText('23 Total Laps', { exact: true })).toBeVisible();
  await expect(page.getByText('2 Tracks', { exact: true })).toBeVisible();
  const cars = page.getByRole('article');
  await expect(cars.nth(0).getByRole('heading').first()).toHaveText('Corvane Swift 2.0 (Mk1)');
  await expect(cars.nth(0)).toContainText('Track Personal Bests');
  await expect(cars.nth(0)).toContainText('Harbour Loop05/17/261:35.250');
  await expect(cars.nth(1)).toContainText('No lap data yet');
  await expect(cars.nth(1).getByRole('link', { name: 'Upload Lap Data' })).toHaveAttribute('href', '/upload');

  await cars.nth(1).locator('input[type=file]').setInputFiles(PHOTO);
  await expectToast(page, 'Photo Updated', 'Car photo has been updated successfully');
  await expect(cars.nth(1).getByRole('button', { name: 'Change Photo' })).toBeVisible();

  await page.getByRole('tab', { name: 'Tracks' }).click();
  const tracks = page.getByRole('tabpanel').getByRole('article');
  await expect(tracks.nth(0)).toContainText('Harbour Loop');
  await expect(tracks.nth(0)).toContainText('Best Lap1:35.25005/17/26Track Record1:31.004Laps2Racers1');
  await expect(tracks.nth(1)).toContainText('Unknown Track');
  await expect(tracks.nth(1)).toContainText('Best LapN/A');
  await page.goto(`${standIn.url}/profile/driver-1`);
  await expect(page.getByRole('link', { name: 'Edit Profile' })).toBeVisible();
});

test('an upload goes from the files to the board', async ({ page, signedIn }) => {
  signedIn.answer(
    'POST /api/analyze-gps',
    analysis({ gpsSuggestions: [suggestion(HARBOUR, 93, LAPS), suggestion(MEADOW, 61, LAPS)], ...LAPS }),
  );
  await page.goto(`${signedIn.url}/upload`);
  await page.locator('input[type=file]').setInputFiles([lapFile('a.csv'), lapFile('b.GPX')]);
  await page.getByRole('button', { name: 'Process 2 File(s)' }).click();
  const dialog = page.getByRole('dialog', { name: 'Select Track' });
  await expect(dialog.getByRole('heading', { name: 'GPS Detected Matches' })).toBeVisible();
  const rows = dialog.getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0)).toContainText(
    'Harbour LoopCommunityFull Course · Port Verity · Portugal · 3.456 km93% Match',
  );
  await expect(rows.nth(1)).toContainText('61% Match');
  await rows.nth(0).getByRole('button').click();
  await expect(page.getByRole('heading', { name: 'Lap Summary' })).toBeVisible();
  await expect(page.getByText('1:38.417', { exact: true })).toBeVisible();

  await expect(page.getByLabel('Car', { exact: true }).locator('option')).toHaveText([
    'Select a car',
    'Old Faithful',
    'Corvane Swift 2.0 (Mk2)',
  ]);
  await page.getByLabel('Car', { exact: true }).selectOption('Old Faithful');
  await chooseTires(page, 'Full Slick');
  await page.getByLabel('Video Link').fill('https://video.example/lap');
  await page.getByRole('button', { name: 'Upload Lap Data' }).click();
  await expectToast(page, 'Upload successful!', '2 file(s) processed successfully.');
  const sent = signedIn.calls.find(({ path }) => path === '/api/upload')?.body ?? Buffer.alloc(0);
  expect(filesIn(sent)).toEqual(['a.csv', 'b.GPX']);
  for (const value of [HARBOUR, 'car-1', 'full-slick', 'https://video.example/lap']) {
    expect(sent.toString()).toContain(`\r\n\r\n${value}\r\n`);
  }
  await expect(page.getByText('Lap Details')).toHaveCount(0);
  await page.getByRole('link', { name: 'View Harbour Loop leaderboard' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbour Loop');
});

test('the profile is edited and comes back changed', async ({ page, signedIn }) => {
  await page.goto(`${signedIn.url}/profile/edit`);
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('nadia.ferro@drivers.example');
  await expect(page.getByLabel('Email', { exact: true })).not.toBeEditable();
  await page.locator('main input[type=file]').setInputFiles(PHOTO);
  await expect(page.getByText('Avatar Updated')).toBeVisible();
  await page.getByRole('textbox', { name: 'Display Name' }).fill('Nadia F');
  await page.getByLabel('Email Updates').check();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expectToast(page, 'Profile Updated', 'Your profile has been saved successfully');
  await expect(page).toHaveURL(`${signedIn.url}/profile`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nadia F');
  const saved = signedIn.calls.find(({ method }) => method === 'PATCH');
  expect(JSON.parse(saved?.body.toString() ?? '')).toEqual({ emailUpdates: true, displayName: 'Nadia F' });
});

test('a car is added by its four names, whose key is looked up, or by the search', async ({
  page,
  signedIn,
}) => {
  await page.goto(`${signedIn.url}/garage/add`);
  await page.getByText('Browse by Make and Model').click();
  await page.getByLabel('Make').selectOption('Corvane');
  await page.getByLabel('Model').selectOption('Swift');
  await page.getByLabel('Variant').selectOption('2.0');
  await page.getByLabel('Generation').selectOption('Mk2');
  await expect(page.getByText('Corvane Swift 2.0 (Mk2)', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Add to Garage' }).click();
  await expectToast(page, 'Car added!', 'Your car has been added to your garage.');
  await expect(page.getByRole('article')).toHaveCount(3);

  await page.getByRole('link', { name: 'Add Car' }).click();
  await page.getByPlaceholder('Search cars...').fill('swift');
  await page.getByRole('option', { name: /Mk1/ }).click();
  await page.getByRole('button', { name: 'Add to Garage' }).click();
  await expect(page.getByRole('article')).toHaveCount(4);
  const added = signedIn.calls.filter(({ method, path }) => method === 'POST' && path === '/api/user-cars');
  expect(added.map(({ body }) => JSON.parse(body.toString()))).toEqual([
    { modelKey: 'corvane-swift-mk2', nickname: null },
    { modelKey: 'corvane-swift-mk1', nickname: null },
  ]);
});

test(
  'an administrator migrates, and imports tracks with a result for each',
  { tag: '@all' },
  async ({ page, standIn }) => {
    standIn.world.user = driver({ isAdmin: true });
    await page.goto(`${standIn.url}/admin/import-tracks`);
    await page.getByRole('button', { name: 'Migrate Tracks' }).click();
    await expectToast(page, 'Migration Complete', '2 tracks migrated.');
    await page.getByLabel('Track file').last().setInputFiles(TRACKS_FILE);
    await expectToast(page, 'Parse Complete', '2 tracks found in the file.');
    await page
      .getByRole('group', { name: /Track 2/ })
      .getByLabel('Country *')
      .fill('Sweden');
    await page.getByRole('button', { name: 'Import 2 Tracks' }).click();
    await expectToast(page, 'Import Complete', 'Successfully imported 1 of 2 tracks');
    const results = page.getByRole('region', { name: 'Import Results' }).getByRole('row');
    await expect(results.nth(1)).toContainText('Meadow Ring Annex');
    await expect(results.nth(1)).toContainText('Imported');
    await expect(results.nth(2)).toContainText('Failed');
    await expect(results.nth(2)).toContainText('There is one already.');
    const sent = standIn.calls.find(({ path }) => path === '/api/admin/create-tracks');
    expect(JSON.parse(sent?.body.toString() ?? '')).toMatchObject({
      tracks: [{ country: 'Norway' }, { country: 'Sweden' }],
    });
  },
);

test('an administrator imports cars and apex tracks', { tag: '@all' }, async ({ page, standIn }) => {
  standIn.world.user = driver({ isAdmin: true });
  await page.goto(`${standIn.url}/admin/apex-import`);
  const csv = { name: 'cars.csv', mimeType: 'text/csv', buffer: Buffer.from('make') };
  await page.getByLabel('Car file').last().setInputFiles(csv);
  await expectToast(page, 'CSV Parsed', '5 cars: 2 new cars, 3 existing.');
  await page.getByRole('button', { name: 'Confirm Import' }).click();
  await expectToast(page, 'Import Complete', '2 cars imported.');

  await page.getByLabel('Track file').last().setInputFiles(TRACKS_FILE);
  await expectToast(page, 'File Parsed', '2 tracks found in the file.');
  const parsed = page.getByRole('region', { name: 'Parsed Tracks' });
  await expect(parsed.getByRole('row').filter({ hasText: 'Quarry Kart' })).toContainText(
    'exactly one is needed',
  );
  await parsed.getByRole('button', { name: 'Import 2 Tracks' }).click();
  await expectToast(page, 'Import Complete', '2 tracks and 3 traps imported.');
  await expect(parsed.getByText('Quarry Kart has two lines.')).toBeVisible();
});

function lapFile(name: string) {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(`the lap file ${name}`) };
}
