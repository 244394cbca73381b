import { expect, type Page } from '@playwright/test';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { HARBOUR, MEADOW } from './specified-answers.ts';
import type { StandIn } from './stand-in.ts';
import { test } from './stand-in-test.ts';

// What a page shows while it waits, when a call has failed, and where there is nothing yet: judged like every other page.

type Waiting = { path: string; call: string; waiting: string; failed: string };

const WAITING: Waiting[] = [
  { path: '/', call: 'tracks', waiting: 'Loading tracks...', failed: 'The tracks could not be loaded.' },
  {
    path: '/leaderboards',
    call: `laps/track/${MEADOW}/best`,
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
    path: '/garage/add',
    call: 'car-library/makes',
    waiting: 'Loading…',
    failed: 'Failed to fetch makes',
  },
];

for (const { path, call, waiting, failed } of WAITING) {
  test(`${path} is accessible while ${call} is on its way, and after it has failed`, async ({
    page,
    signedIn,
  }) => {
    const release = signedIn.hold(`GET /api/${call}`);
    signedIn.answer(`GET /api/${call}`, 'Broken', 500);
    await page.goto(signedIn.url + path);
    await expect(page.getByText(waiting, { exact: true }).first()).toBeAttached();
    await expectAccessibleEverywhere(page);
    release();
    await expect(page.getByText(failed).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    await expectAccessibleEverywhere(page);
  });
}

test('what is not there yet is accessible', async ({ page, signedIn }) => {
  Object.assign(signedIn.world, { userCars: [], sessions: [], bestsByTrack: {}, bestsByCar: {} });
  await expectAccessibleAt(page, signedIn, `/track/${MEADOW}`, 'No lap times yet');
  await expectAccessibleAt(page, signedIn, '/profile', 'No cars in garage yet');
  await expectAccessibleAt(page, signedIn, '/profile?tab=tracks', 'No track data yet');
  signedIn.world.tracks = [];
  await expectAccessibleAt(page, signedIn, '/leaderboards', 'No tracks available yet');
});

test('the upload is accessible while it is checked who is here, and while and after tracks do not come', async ({
  page,
  signedIn,
}) => {
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
});

test('an upload without a connection keeps files and form, and goes through once there is one', async ({
  page,
  signedIn,
}) => {
  await page.goto(`${signedIn.url}/upload`);
  await page.locator('input[type=file]').setInputFiles(lapFile('a.csv'));
  await page.getByRole('button', { name: /^Process/ }).click();
  await page.getByRole('dialog').getByRole('listitem').first().getByRole('button').click();
  await page.getByLabel('Car', { exact: true }).selectOption('Old Faithful');
  await page.getByLabel('Tire Category').selectOption('Full Slick');
  await page.getByLabel('Video Link').fill('https://video.example/lap');
  await page.context().setOffline(true);
  const submit = page.getByRole('button', { name: 'Upload Lap Data' });
  await submit.click();
  await expect(page.locator('[data-sonner-toast]')).toContainText('Upload failed');
  await expect(page.getByRole('list', { name: 'Chosen files' })).toContainText('a.csv');
  await expect(page.getByLabel('Tire Category')).toHaveValue('full-slick');
  await expect(page.getByLabel('Video Link')).toHaveValue('https://video.example/lap');
  await expectAccessibleEverywhere(page);
  await page.context().setOffline(false);
  await submit.click();
  await expect(page.locator('[data-sonner-toast]')).toContainText('Upload successful!');
});

async function expectAccessibleAt(page: Page, { url }: StandIn, path: string, text: string): Promise<void> {
  await page.goto(url + path);
  await expect(page.getByText(text, { exact: true }).first()).toBeVisible();
  await expectAccessibleEverywhere(page);
}

function lapFile(name: string) {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(`the lap file ${name}`) };
}
