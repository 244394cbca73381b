import { expect, type Page } from '@playwright/test';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { driver, HARBOUR, MEADOW } from './stand-in-world.ts';
import type { StandIn } from './stand-in.ts';
import { test } from './test.ts';
import { toastOf } from './toasts.ts';

// Pages that wait, whose call has failed, or that have nothing to show yet are checked like every other page.

type Waiting = { path: string; fold?: string; call: string; waiting: string; failed: string };

const WAITING: Waiting[] = [
  { path: '/', call: 'tracks', waiting: 'Loading tracks...', failed: 'The tracks could not be loaded.' },
  {
    path: '/leaderboards',
    call: `laps/track/${HARBOUR}/best`,
    waiting: 'Loading leaderboard...',
    failed: 'The leaderboard could not be loaded.',
  },
  {
    path: `/track/${HARBOUR}`,
    call: `tracks/${HARBOUR}`,
    waiting: 'Loading track...',
    failed: 'The track could not be loaded.',
  },
  {
    path: `/track/${HARBOUR}?drivetrain=RWD`,
    call: `laps/track/${HARBOUR}/best`,
    waiting: 'Loading leaderboard...',
    failed: 'The leaderboard could not be loaded.',
  },
  {
    path: '/profile',
    call: 'user-cars',
    waiting: 'Loading garage...',
    failed: 'The garage could not be loaded.',
  },
  {
    path: '/profile?tab=tracks',
    call: 'sessions/user/driver-1',
    waiting: 'Loading tracks...',
    failed: 'The tracks could not be loaded.',
  },
  {
    path: `/profile?tab=tracks&track=${HARBOUR}`,
    call: `tracks/${HARBOUR}/drivers/driver-1/laps`,
    waiting: 'Loading laps...',
    failed: 'The laps could not be loaded.',
  },
  {
    path: '/profile/edit/notices',
    call: 'notices/settings',
    waiting: 'Loading notice settings...',
    failed: 'The notice settings could not be loaded.',
  },
  {
    path: '/profile/edit/sign-in',
    call: 'account/credentials',
    waiting: 'Loading sign-in settings...',
    failed: 'The sign-in settings could not be loaded.',
  },
  {
    path: '/profile/edit/tokens',
    call: 'account/tokens',
    waiting: 'Loading tokens...',
    failed: 'The tokens could not be loaded.',
  },
  {
    path: '/garage/add',
    fold: 'Browse by Make and Model',
    call: 'car-library/makes',
    waiting: 'Loading…',
    failed: 'Failed to fetch makes',
  },
];

for (const { path, fold, call, waiting, failed } of WAITING) {
  test(
    `${path} is accessible while ${call} is on its way, and after it has failed`,
    { tag: '@all' },
    async ({ page, signedIn }) => {
      const release = signedIn.hold(`GET /api/${call}`);
      signedIn.answer(`GET /api/${call}`, 'Broken', 500);
      await page.goto(signedIn.url + path);
      if (fold !== undefined) await page.getByText(fold).click();
      await expect(page.getByText(waiting, { exact: true }).first()).toBeAttached();
      await expectAccessibleEverywhere(page);
      release();
      await expect(page.getByText(failed).first()).toBeVisible();
      await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
      await expectAccessibleEverywhere(page);
    },
  );
}

test('what is not there yet is accessible', { tag: '@all' }, async ({ page, signedIn }) => {
  Object.assign(signedIn.world, { userCars: [], sessions: [], bestsByTrack: {}, bestsByCar: {} });
  await expectAccessibleAt(page, signedIn, `/track/${MEADOW}`, 'No lap times yet');
  await expectAccessibleAt(page, signedIn, '/profile', 'No cars in garage yet');
  await expectAccessibleAt(page, signedIn, '/profile?tab=tracks', 'No track data yet');
  signedIn.world.tracks = [];
  await expectAccessibleAt(page, signedIn, '/leaderboards', 'No tracks available yet');
});

test(
  'the upload is accessible while it is checked who is here, and while and after tracks do not come',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    const release = signedIn.hold('GET /api/auth/user');
    await expectAccessibleAt(page, signedIn, '/upload', 'Checking authentication...');
    release();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Upload Lap Data');
    signedIn.answer('GET /api/tracks', 'Broken', 500);
    const releaseTracks = signedIn.hold('GET /api/tracks');
    await page.reload();
    await page.locator('input[type=file]').setInputFiles(lapFile('a.csv'));
    await page.getByRole('button', { name: /^Process/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Select Track' });
    await expect(dialog.getByText('Loading tracks...', { exact: true })).toBeVisible();
    await expectAccessibleEverywhere(page);
    releaseTracks();
    await expect(dialog.getByText('The tracks could not be loaded.')).toBeVisible();
    await expectAccessibleEverywhere(page);
  },
);

test(
  'the sign-in is accessible while it is checked who is here, and after each way that it may fail',
  { tag: '@all' },
  async ({ page, standIn }) => {
    const release = standIn.hold('GET /api/auth/user');
    await expectAccessibleAt(page, standIn, '/login', 'Checking authentication...');
    release();
    await expect(page.getByRole('link', { name: /^Continue with/ })).toBeVisible();
    await expectAccessibleEverywhere(page);
    const refused = {
      error: 'invalid_input',
      message: 'There is a problem with token: Cut.',
      fields: { token: 'Cut.' },
    };
    standIn.answer('POST /api/auth/link', refused, 400);
    await page.goto(`${standIn.url}/login?link=invitation#cut`);
    await expect(page.getByRole('alert')).toHaveText('Cut.');
    await expectAccessibleEverywhere(page);
    await page.goto(`${standIn.url}/login?error=cancelled`);
    await expect(page.getByRole('alert')).not.toBeEmpty();
    await expectAccessibleEverywhere(page);
  },
);

test(
  'the profile form is accessible while it waits and saves, and with everything that may be wrong',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    Object.assign(signedIn.world.user ?? {}, { displayName: 'Nadia', profileImageUrl: '/api/images/avatar' });
    const release = signedIn.hold('GET /api/auth/user');
    await expectAccessibleAt(page, signedIn, '/profile/edit', 'Loading profile...');
    release();
    const name = page.getByRole('textbox', { name: 'Display Name' });
    await name.fill('');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Please enter a display name.')).toBeVisible();
    await page.getByLabel('Change Photo').setInputFiles(lapFile('no-image.txt'));
    await expect(page.getByRole('alert').filter({ hasText: 'not an image' })).toBeVisible();
    await expectAccessibleEverywhere(page);

    signedIn.answer('PATCH /api/auth/user/preferences', 'Broken', 500);
    const releaseSaving = signedIn.hold('PATCH /api/auth/user/preferences');
    await name.fill('Nadia F');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByRole('button', { name: 'Save Changes' })).toHaveAttribute('aria-busy', 'true');
    await expectAccessibleEverywhere(page);
    releaseSaving();
    await expect(toastOf(page, 'Update Failed')).toBeVisible();
    await expectAccessibleEverywhere(page);
  },
);

for (const path of ['/admin/import-tracks', '/admin/apex-import']) {
  test(
    `${path} is accessible while it is checked who is here, and to who is no administrator`,
    { tag: '@all' },
    async ({ page, standIn }) => {
      const release = standIn.hold('GET /api/auth/user');
      await expectAccessibleAt(page, standIn, path, 'Checking authentication...');
      release();
      await expect(page.getByRole('main').getByRole('link', { name: 'Sign In' })).toBeVisible();
      await expectAccessibleEverywhere(page);
      standIn.world.user = driver();
      await page.reload();
      await expect(page.getByText(/^Access Denied/)).toBeVisible();
      await expect(page.getByRole('main').getByRole('link', { name: 'Sign In' })).toHaveCount(0);
      await expectAccessibleEverywhere(page);
    },
  );
}

test(
  'the review of tracks is accessible while their file is read, after that has failed, and with problems',
  { tag: '@all' },
  async ({ page, standIn }) => {
    standIn.world.user = driver({ isAdmin: true });
    await page.goto(`${standIn.url}/admin/import-tracks`);
    await page.getByLabel('Track file').last().setInputFiles(lapFile('tracks.csv'));
    await expect(page.getByRole('alert').filter({ hasText: 'Please choose a .json file.' })).toBeVisible();
    await expectAccessibleEverywhere(page);

    const releaseReading = standIn.hold('POST /api/admin/parse-tracks');
    await page.getByLabel('Track file').last().setInputFiles(lapFile('tracks.json'));
    await expect(page.getByText('Reading the track file...')).toBeVisible();
    await expectAccessibleEverywhere(page);
    releaseReading();
    const review = page.getByRole('region', { name: 'Review Tracks' });
    const radius = review.getByRole('group', { name: /^Track 2/ }).getByLabel('Detection Radius (m)');
    await radius.fill('wide');
    await radius.press('Enter');
    await expect(review.getByText('This must be a number.')).toBeVisible();
    await expectAccessibleEverywhere(page);
  },
);

test(
  'the import of tracks is accessible on its way, and with its results',
  { tag: '@all' },
  async ({ page, standIn }) => {
    standIn.world.user = driver({ isAdmin: true });
    await page.goto(`${standIn.url}/admin/import-tracks`);
    await page.getByLabel('Track file').last().setInputFiles(lapFile('tracks.json'));
    const review = page.getByRole('region', { name: 'Review Tracks' });
    const releaseImport = standIn.hold('POST /api/admin/create-tracks');
    await review.getByRole('button', { name: 'Import 2 Tracks' }).click();
    await expect(review.getByRole('button', { name: 'Importing...' })).toBeVisible();
    await expectAccessibleEverywhere(page);
    releaseImport();
    await expect(page.getByRole('region', { name: 'Import Results' })).toContainText('There is one already.');
    await expectAccessibleEverywhere(page);
  },
);

test(
  'the migration of tracks is accessible with warnings, and after it has failed',
  { tag: '@all' },
  async ({ page, standIn }) => {
    standIn.world.user = driver({ isAdmin: true });
    await page.goto(`${standIn.url}/admin/import-tracks`);
    standIn.answer('POST /api/apex/migrate-to-main', {
      success: true,
      summary: { migrated: 1, existing: 0, skipped: 1 },
      warnings: ['Quarry Kart has two lines.'],
    });
    await page.getByRole('button', { name: 'Migrate Tracks' }).click();
    await expect(page.getByText('Quarry Kart has two lines.')).toBeVisible();
    await expectAccessibleEverywhere(page);
    standIn.answer('POST /api/apex/migrate-to-main', 'The tables are locked', 503);
    await page.getByRole('button', { name: 'Migrate Tracks' }).click();
    await expect(toastOf(page, 'Migration Failed')).toBeVisible();
    await expectAccessibleEverywhere(page);
  },
);

test(
  'the car library is accessible while it reads, with a preview, without new cars, and with what was imported',
  { tag: '@all' },
  async ({ page, standIn }) => {
    standIn.world.user = driver({ isAdmin: true });
    await page.goto(`${standIn.url}/admin/apex-import`);
    const cars = page.getByRole('region', { name: 'Car Library Management' });
    const releaseReading = standIn.hold('POST /api/admin/car-library/upload-preview');
    await cars.getByLabel('Car file').last().setInputFiles(lapFile('cars.csv'));
    await expect(cars.getByText('Reading the car file...')).toBeVisible();
    await expectAccessibleEverywhere(page);
    releaseReading();
    await expect(cars.getByRole('table', { name: 'New cars' })).toBeVisible();
    await expectAccessibleEverywhere(page);
    await cars.getByRole('button', { name: 'Confirm Import' }).click();
    await expect(cars.getByText('2 cars added to the library.')).toBeVisible();
    await expectAccessibleEverywhere(page);

    const summary = { total: 4, new: 0, existing: 4, withProblems: 0 };
    standIn.answer('POST /api/admin/car-library/upload-preview', {
      summary,
      newCars: [],
      problems: [],
    });
    await cars.getByLabel('Car file').last().setInputFiles(lapFile('cars.csv'));
    await expect(cars.getByText(/^No new cars found in this CSV/)).toBeVisible();
    await expectAccessibleEverywhere(page);
  },
);

test(
  'apex tracks are accessible with warnings, without a match, and with what was imported',
  { tag: '@all' },
  async ({ page, standIn }) => {
    standIn.world.user = driver({ isAdmin: true });
    await page.goto(`${standIn.url}/admin/apex-import`);
    await page.getByLabel('Track file').last().setInputFiles(lapFile('apex.json'));
    const parsed = page.getByRole('region', { name: 'Parsed Tracks' });
    await expect(parsed.getByText('start/finish traps; exactly one is needed')).toHaveCount(1);
    await expectAccessibleEverywhere(page);
    await parsed.getByLabel('Search parsed tracks').fill('nothing like it');
    await expect(parsed.getByText('No tracks found.')).toBeVisible();
    await expectAccessibleEverywhere(page);
    await parsed.getByRole('button', { name: 'Import 2 Tracks' }).click();
    await expect(parsed.getByText('Quarry Kart has two lines.')).toBeVisible();
    await expectAccessibleEverywhere(page);
  },
);

async function expectAccessibleAt(page: Page, { url }: StandIn, path: string, text: string): Promise<void> {
  await page.goto(url + path);
  await expect(page.getByText(text, { exact: true }).first()).toBeVisible();
  await expectAccessibleEverywhere(page);
}

function lapFile(name: string) {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(`the lap file ${name}`) };
}
