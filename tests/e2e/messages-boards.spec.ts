import { expect, type Page } from '@playwright/test';
import { HARBOUR, MEADOW } from './stand-in-world.ts';
import { test } from './test.ts';

// The words of home, leaderboards and track pages, of the filters, and of addresses that lead nowhere.

test('a path that is no page says so', async ({ page, standIn }) => {
  for (const path of ['/nothing', '/track', '/garage', '/admin', '/profile/edit/more', '/Leaderboards']) {
    await page.goto(standIn.url + path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found');
  }
});

test('the navigation leads home, to the leaderboards and to the upload', async ({ page, standIn }) => {
  await page.goto(`${standIn.url}/nothing`);
  const main = page.getByRole('navigation', { name: 'Main' });
  await main.getByRole('link', { name: 'Leaderboards' }).click();
  await expect(page).toHaveURL(`${standIn.url}/leaderboards`);
  await page.getByRole('banner').getByRole('link', { name: 'Pitboard, home' }).click();
  await expect(page).toHaveURL(`${standIn.url}/`);
  await main.getByRole('link', { name: 'Upload' }).click();
  await expect(page).toHaveURL(`${standIn.url}/login?returnTo=%2Fupload`);
  await page.goto(standIn.url);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const profile = page.getByRole('banner').getByRole('link', { name: 'Profile' });
    await expect(profile).toBeVisible();
    await expect(profile).toHaveAttribute('href', '/login?returnTo=%2Fprofile');
  }
  // On phones every icon has its label.
  for (const label of ['Leaderboards', 'Upload', 'Theme', 'Profile']) {
    await expect(page.getByRole('banner').getByText(label, { exact: true })).toBeVisible();
  }
});

test('the buttons of the home page lead where they say', async ({ page, standIn }) => {
  await page.goto(standIn.url);
  const uploads = page.getByRole('main').getByRole('link', { name: 'Upload Your Lap' });
  await expect(uploads).toHaveCount(2);
  for (const link of await uploads.all()) await expect(link).toHaveAttribute('href', '/upload');
  await expect(page.getByRole('link', { name: 'Explore Leaderboards' })).toHaveAttribute(
    'href',
    '/leaderboards',
  );
  const card = page.getByRole('listitem').filter({ hasText: 'Harbour Loop' }).first();
  await expect(card.getByRole('link', { name: 'View Full Leaderboard' })).toHaveAttribute(
    'href',
    `/track/${HARBOUR}`,
  );
});

test('the theme is dark, can be changed, and stays what it was changed to', async ({ page, standIn }) => {
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
  await page.goto(standIn.url);
  expect(await theme()).toBe('dark');
  await page.getByRole('button', { name: 'Switch to light theme' }).click();
  expect(await theme()).toBe('light');
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light');
  await page.goto(`${standIn.url}/leaderboards`);
  expect(await theme()).toBe('light');
  await page.getByRole('button', { name: 'Switch to dark theme' }).click();
  expect(await theme()).toBe('dark');
});

for (const path of ['/', '/leaderboards']) {
  test(`tracks on ${path} are loading, missing, not there yet, or there after a retry`, async ({
    page,
    standIn,
  }) => {
    const release = standIn.hold('GET /api/tracks');
    standIn.answer('GET /api/tracks', 'The tracks are away.', 500);
    await page.goto(standIn.url + path);
    await expect(page.getByText('Loading tracks...', { exact: true })).toBeVisible();
    release();
    const alert = page.getByRole('alert').filter({ hasText: 'The tracks could not be loaded.' });
    await expect(alert).toBeVisible();
    // Queries are not retried by themselves.
    expect(standIn.calls.filter((call) => call.path === '/api/tracks')).toHaveLength(1);

    standIn.answer('GET /api/tracks', []);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('No tracks available yet', { exact: true })).toBeVisible();
    if (path !== '/') {
      await expect(
        page.getByText('Check back soon, or ask an administrator to create a track.'),
      ).toBeVisible();
    }
  });
}

test('the search says that nothing was found, and closes 200 ms after it has lost the focus', async ({
  page,
  standIn,
}) => {
  await page.clock.install();
  await page.goto(`${standIn.url}/leaderboards`);
  const search = page.getByPlaceholder('Search tracks...');
  const listbox = page.getByRole('listbox');
  await search.fill('zzz');
  await expect(page.getByText('No tracks found', { exact: true }).first()).toBeVisible();
  await search.fill('meadow');
  await expect(listbox).toBeVisible();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await search.blur();
  await page.clock.runFor(199);
  await expect(listbox).toBeVisible();
  await page.clock.runFor(1);
  await expect(listbox).toBeHidden();
  await search.focus();
  await expect(listbox).toBeVisible();
  await expect(page.getByRole('option')).toHaveCount(5);
});

test('a track is loading, not found, or could not be loaded', async ({ page, standIn }) => {
  const release = standIn.hold(`GET /api/tracks/${HARBOUR}`);
  standIn.answer(`GET /api/tracks/${HARBOUR}`, 'Broken', 500);
  await page.goto(`${standIn.url}/track/${HARBOUR}`);
  await expect(page.getByText('Loading track...', { exact: true })).toBeVisible();
  release();
  await expect(page.getByRole('alert')).toContainText('The track could not be loaded.');
  await page.goto(`${standIn.url}/track/atlantis`);
  await expect(page.getByText('Track not found', { exact: true }).last()).toBeVisible();
});

test('a board is loading, failed, or without lap times', async ({ page, standIn }) => {
  const call = `GET /api/laps/track/${MEADOW}/best`;
  const release = standIn.hold(call);
  standIn.answer(call, 'Broken', 500);
  await page.goto(`${standIn.url}/track/${MEADOW}`);
  await expect(page.getByText('Loading leaderboard...', { exact: true })).toBeVisible();
  release();
  await expect(page.getByText('The leaderboard could not be loaded.')).toBeVisible();
  standIn.answer(call, []);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No lap times yet', { exact: true })).toBeVisible();
  await expect(
    page.getByText('Be the first to set a lap time at this track!', { exact: true }),
  ).toBeVisible();
});

test('filters that leave nothing say so, and can be cleared there', async ({ page, standIn }) => {
  await page.goto(`${standIn.url}/track/${HARBOUR}?drivetrain=FWD`);
  await expect(page.getByText('No lap times match the selected filters', { exact: true })).toBeVisible();
  await expect(
    page.getByText('Try adjusting or clearing your filters to see more results.', { exact: true }),
  ).toBeVisible();
  const board = page.getByRole('region', { name: 'Leaderboard' });
  await board.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Bo Castell' })).toBeVisible();
  await expect(board).toBeFocused();
});

test('a board says that its filters leave out the own lap, or that there is none', async ({
  page,
  signedIn,
}) => {
  const message = 'Your best lap here, 1:35.250, does not match the selected filters.';
  await page.goto(`${signedIn.url}/track/${HARBOUR}?drivetrain=AWD`);
  await expect(page.getByRole('row').filter({ hasText: 'Cy Darrow' })).toBeVisible();
  await expect(page.getByText(message, { exact: true })).toBeVisible();
  await page.goto(`${signedIn.url}/track/${HARBOUR}?drivetrain=FWD`);
  await expect(page.getByText(message, { exact: true })).toBeVisible();
  await page.getByRole('region', { name: 'Leaderboard' }).getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByRole('rowgroup', { name: 'Your entry' })).toContainText('1:35.250');
  await expect(page.getByText('Your best lap here')).toHaveCount(0);
  await page.goto(`${signedIn.url}/track/${MEADOW}?drivetrain=FWD`);
  await expect(page.getByText('You have no lap time at this track yet.', { exact: true })).toBeVisible();
});

test('the filters are named and filled as specified, each after the one that it hangs on', async ({
  page,
  standIn,
}) => {
  await page.goto(`${standIn.url}/track/${HARBOUR}`);
  const filters = page.getByRole('region', { name: 'Filters' });
  await expect(filters.getByLabel('Time Period').locator('option')).toHaveText([
    'All Time',
    'Last Month',
    'Last 6 Months',
    'Last Year',
  ]);
  await expect(filters.getByLabel('Tire Compound').locator('option')).toHaveText([
    'All',
    'Street 300+ TW',
    'Track Street 200 TW',
    'R-Comp DOT Slick',
    'Full Slick',
  ]);
  await expect(filters.getByLabel('Race Class').locator('option')).toHaveText([
    'All',
    'Roadster',
    'Sports Car',
  ]);
  // The most used ones are in the bar, the others behind a button; then all follow each other in their order.
  await expect(filters.getByLabel('Model Family')).toHaveCount(0);
  await filters.getByRole('button', { name: 'More' }).click();
  await expect(filters.locator('label')).toHaveText([
    'Time Period',
    'Make',
    'Model Family',
    'Variant',
    'Generation',
    'Race Class',
    'Drivetrain',
    'Tire Compound',
    'Evidence',
  ]);
  await expect(filters.getByLabel('Model Family')).toBeDisabled();
  await filters.getByLabel('Make').selectOption('Corvane');
  await expect(filters.getByLabel('Variant')).toBeDisabled();
  await filters.getByLabel('Model Family').selectOption('Swift');
  await expect(filters.getByLabel('Generation')).toBeDisabled();
  await filters.getByLabel('Variant').selectOption('2.0');
  await filters.getByLabel('Generation').selectOption('Mk1');
  await expect(page).toHaveURL(/make=Corvane&modelFamily=Swift&variant=2\.0&generation=Mk1$/);
  await expect(chips(page)).toHaveText([
    'Make: Corvane',
    'Model Family: Swift',
    'Variant: 2.0',
    'Generation: Mk1',
  ]);
  await page.getByRole('button', { name: 'Remove filter Model Family: Swift' }).click();
  await expect(chips(page)).toHaveText(['Make: Corvane']);
  await page.goBack();
  await expect(chips(page)).toHaveCount(4);
});

test('a filter list that cannot be fetched says which one', { tag: '@all' }, async ({ page, standIn }) => {
  for (const name of ['model-families', 'variants', 'generations']) {
    standIn.answer(`GET /api/car-library/${name}`, 'Broken', 500);
  }
  await page.goto(`${standIn.url}/track/${HARBOUR}?make=Corvane&modelFamily=Swift&variant=2.0`);
  for (const name of ['model families', 'variants', 'generations']) {
    await expect(page.getByText(`Failed to fetch ${name}`, { exact: true }).first()).toBeVisible();
  }
});

test('on a phone the filters open from a button that counts them', async ({ page, standIn }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto(`${standIn.url}/track/${HARBOUR}?timePeriod=1-year&make=Corvane`);
  const button = page.getByRole('button', { name: 'Filters' });
  await expect(button).toContainText('2');
  await button.click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await sheet.getByLabel('Drivetrain').selectOption('RWD');
  await sheet.getByRole('button', { name: 'Clear All Filters' }).click();
  await expect(sheet.getByRole('button', { name: 'Clear All Filters' })).toBeDisabled();
  await sheet.getByRole('button', { name: /^Show/ }).click();
  await expect(button).toHaveText('Filters');
  await expect(page).toHaveURL(`${standIn.url}/track/${HARBOUR}`);
});

function chips(page: Page) {
  return page.getByRole('list', { name: 'Filters in use' }).getByRole('listitem');
}
