import { expect, type Page } from '@playwright/test';
import { apexTrack } from './stand-in-calls.ts';
import { driver, standInWorld } from './stand-in-world.ts';
import type { StandIn } from './stand-in.ts';
import { test } from './test.ts';
import { expectToast, toastOf } from './toasts.ts';

// The words of both administration pages, above all of what can go wrong there.

const JSON_FILE = { name: 'tracks.json', mimeType: 'application/json', buffer: Buffer.from('[]') };
const NONE = { flags: null, appeals: null, tracks: null, cars: null };
const STEPS = { sendsMail: false, hasTracks: false, hasInvited: false, hasBackup: false, hasLap: false };
const NOTHING_WAITS = { flags: 0, appeals: 0, tracks: 0, cars: 0, since: NONE };
const CSV_FILE = { name: 'cars.csv', mimeType: 'text/csv', buffer: Buffer.from('make') };

test('both pages refuse who is no administrator, until the page is refreshed by one', async ({
  page,
  signedIn,
}) => {
  await page.goto(`${signedIn.url}/admin/import-tracks`);
  await expect(
    page.getByText('Access Denied - Admin access is required to import tracks', { exact: true }),
  ).toBeVisible();
  await page.goto(`${signedIn.url}/admin/apex-import`);
  await expect(page.getByText('Access Denied', { exact: true })).toBeVisible();
  await expect(page.getByText('If you were promoted recently, refresh the page.')).toBeVisible();
  signedIn.world.user = driver({ isAdmin: true });
  await page.getByRole('button', { name: 'Refresh Page' }).click();
  await expect(page.getByRole('heading', { name: 'Car Library Management' })).toBeVisible();
});

test('what the overview of the club cannot load says so, and can be tried again', async ({
  page,
  standIn,
}) => {
  const calls = ['operations', 'backups', 'mail', 'webhooks', 'people', 'waiting', 'activity', 'first-steps'];
  for (const call of calls) standIn.answer(`GET /api/admin/${call}`, 'Broken', 500);
  standIn.world.user = driver({ isAdmin: true, role: 'owner' });
  await page.goto(`${standIn.url}/club`);
  const runs = page.getByRole('region', { name: 'What runs' });
  await expect(runs.getByText('The state could not be loaded.')).toHaveCount(4);
  await expect(runs.getByRole('link')).toHaveCount(0);
  standIn.answer('GET /api/admin/mail', { mail: null });
  await runs.getByRole('button', { name: 'Retry: Mail' }).click();
  await expect(runs.getByRole('link', { name: 'Set up: Mail' })).toBeVisible();
  for (const [region, call, what] of [
    ['People', 'people', { people: [], total: 0 }],
    ['What waits', 'waiting', NOTHING_WAITS],
    ['Set Up Your Club', 'first-steps', { steps: STEPS }],
    ['What was driven', 'activity', { laps: [], drivers: 0, tracks: 0, records: 0, seen: 0 }],
  ] as const) {
    const part = page.getByRole('region', { name: region });
    await expect(part.getByRole('alert')).toContainText('could not be loaded.');
    standIn.answer(`GET /api/admin/${call}`, what);
    await part.getByRole('button', { name: 'Retry' }).click();
    await expect(part.getByRole('alert')).toHaveCount(0);
  }
});

test('what the operations page cannot load says so, and stays', async ({ page, standIn }) => {
  await openAsAdmin(page, standIn, '/club/operations');
  // It does not ask again and again.
  await page.waitForLoadState('networkidle');
  await expect(page.getByText('The jobs could not be loaded.')).toBeVisible();
});

test('without proposed tracks the page says where they come from', async ({ page, standIn }) => {
  standIn.answer('GET /api/admin/track-proposals', { proposals: [], total: 0 });
  standIn.answer('GET /api/admin/retimings', { retimings: [] });
  await openAsAdmin(page, standIn, '/admin/import-tracks?tab=proposals');
  await expect(page.getByText('No proposed tracks')).toBeVisible();
});

test('the last row of the last page leads to the page before it', async ({ page, standIn }) => {
  let total = 26;
  standIn.answer('GET /api/admin/retimings', { retimings: [] });
  standIn.answer('POST /api/admin/tracks/track-25/approve', {});
  await page.route('**/api/admin/track-proposals?*', (route) => {
    const offset = Number(new URL(route.request().url()).searchParams.get('offset'));
    const proposals = Array.from({ length: total }, (_, index) => proposal(index)).slice(offset, offset + 25);
    return route.fulfill({ json: { proposals, total } });
  });
  await openAsAdmin(page, standIn, '/admin/import-tracks?tab=proposals');
  await page.getByRole('button', { name: 'Next page of proposals' }).click();
  await expect(page.getByRole('article')).toHaveCount(1);
  total = 25;
  await page.getByRole('article', { name: 'Ring 25' }).getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('article')).toHaveCount(25);
});

test('a track file that cannot be read says why', { tag: '@all' }, async ({ page, standIn }) => {
  await openAsAdmin(page, standIn, '/admin/import-tracks');
  const input = page.getByLabel('Track file').last();
  await expect(input).toHaveAttribute('accept', /^\.json,/);
  standIn.answer('POST /api/admin/parse-tracks', [], 200);
  await input.setInputFiles(JSON_FILE);
  await expectToast(page, 'Parse Failed', 'No valid tracks found in file');
  standIn.answer('POST /api/admin/parse-tracks', 'Broken', 500);
  await input.setInputFiles(JSON_FILE);
  await expectToast(page, 'Parse Failed', 'Failed to parse track file');
  await expect(toastOf(page, 'Parse Failed')).toHaveAttribute('data-type', 'error');
});

test(
  'the review marks what is required, and an import that fails keeps it',
  { tag: '@all' },
  async ({ page, standIn }) => {
    await openAsAdmin(page, standIn, '/admin/import-tracks');
    await page.getByLabel('Track file').last().setInputFiles(JSON_FILE);
    await expectToast(page, 'Parse Complete', '2 tracks found in the file.');
    const review = page.getByRole('region', { name: 'Review Tracks' });
    for (const label of ['Track Name *', 'City/Region *', 'Country *']) {
      await expect(review.getByLabel(label).first()).toHaveAttribute('required', '');
    }
    await expect(review.getByLabel('Detection Radius (m)').first()).toHaveAttribute('inputmode', 'decimal');
    standIn.answer('POST /api/admin/create-tracks', { error: 'busy', message: 'An import is running.' }, 409);
    await review.getByRole('button', { name: 'Import 2 Tracks' }).click();
    await expectToast(page, 'Import Failed', 'An import is running.');
    await expect(review.getByRole('button', { name: 'Import 2 Tracks' })).toBeVisible();
  },
);

test(
  'a migration that fails gives status and text of the server, or its error',
  { tag: '@all' },
  async ({ page, standIn }) => {
    await openAsAdmin(page, standIn, '/admin/import-tracks');
    const migrate = page.getByRole('button', { name: 'Migrate Tracks' });
    standIn.answer('POST /api/apex/migrate-to-main', 'The tables are locked', 503);
    await migrate.click();
    await expectToast(page, 'Migration Failed', '503: The tables are locked');
    standIn.answer('POST /api/apex/migrate-to-main', {
      success: false,
      summary: { migrated: 0, existing: 0, skipped: 0 },
      warnings: [],
      error: 'No tracks to migrate.',
    });
    await migrate.click();
    await expectToast(page, 'Migration Failed', 'No tracks to migrate.');
  },
);

test('an apex file that cannot be read or imported says why', { tag: '@all' }, async ({ page, standIn }) => {
  await openAsAdmin(page, standIn, '/admin/apex-import');
  const input = page.getByLabel('Track file').last();
  standIn.answer('POST /api/apex/parse', 'Broken', 500);
  await input.setInputFiles(JSON_FILE);
  await expectToast(page, 'Parse Failed', 'Failed to parse track file');
  standIn.answer('POST /api/apex/parse', { tracks: [apexTrack(1, 'Solo', 0)] });
  await input.setInputFiles(JSON_FILE);
  await expectToast(page, 'File Parsed', '1 track found in the file.');
  standIn.answer('POST /api/apex/import', { error: 'bad', message: 'The tracks are too many.' }, 413);
  await page.getByRole('button', { name: 'Import 1 Track' }).click();
  await expectToast(page, 'Import Failed', 'The tracks are too many.');
});

test(
  'a car file that cannot be read or imported says why, and one without new cars says so',
  { tag: '@all' },
  async ({ page, standIn }) => {
    await openAsAdmin(page, standIn, '/admin/apex-import');
    const input = page.getByLabel('Car file').last();
    await expect(input).toHaveAttribute('accept', '.csv');
    standIn.answer('POST /api/admin/car-library/upload-preview', { error: 'The header is missing.' }, 400);
    await input.setInputFiles(CSV_FILE);
    await expectToast(page, 'Upload Failed', 'The header is missing.');
    standIn.answer('POST /api/admin/car-library/upload-preview', {
      summary: { total: 4, new: 0, existing: 4, withProblems: 0 },
      newCars: [],
      problems: [],
    });
    await input.setInputFiles(CSV_FILE);
    await expectToast(page, 'CSV Parsed', '4 cars: 0 new cars, 4 existing.');
    await expect(
      page.getByText('No new cars found in this CSV. All cars already exist in the library.', {
        exact: true,
      }),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Confirm Import' })).toHaveCount(0);

    const newCars = Array.from({ length: 51 }, (_, index) => ({
      ...standInWorld().cars[0],
      modelKey: `key-${index}`,
    }));
    standIn.answer('POST /api/admin/car-library/upload-preview', {
      summary: { total: 51, new: 51, existing: 0, withProblems: 0 },
      newCars,
      problems: [],
    });
    await input.setInputFiles(CSV_FILE);
    await expect(page.getByRole('table', { name: 'New cars' }).getByRole('row')).toHaveCount(1 + 50);
    standIn.answer('POST /api/admin/car-library/import', { error: 'The store is full.' }, 507);
    await page.getByRole('button', { name: 'Confirm Import' }).click();
    await expectToast(page, 'Import Failed', 'The store is full.');
    await expect(page.getByRole('button', { name: 'Confirm Import' })).toBeVisible();
  },
);

const proposal = (index: number) => ({
  id: `track-${index}`,
  name: `Ring ${index}`,
  location: null,
  configuration: null,
  country: null,
  status: 'community_submitted',
  lengthMeters: null,
  radiusMeters: 900,
  outline: null,
  origin: null,
  sessionCount: 1,
  lapCount: 1,
  driverCount: 1,
  proposedByName: null,
  proposedAt: null,
  nearTracks: [],
});

async function openAsAdmin(page: Page, standIn: StandIn, path: string): Promise<void> {
  standIn.world.user = driver({ isAdmin: true });
  await page.goto(standIn.url + path);
}
