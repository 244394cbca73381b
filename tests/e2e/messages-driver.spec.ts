import { writeFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { asTrackId } from '#contract/testing/ids.ts';
import { expectAccessible } from './expect-accessible.ts';
import { HARBOUR } from './stand-in-world.ts';
import type { StandIn } from './stand-in.ts';
import { test } from './test.ts';
import { expectToast, toastOf } from './toasts.ts';

// The words of the pages that belong to a driver: profile, edit profile, add car and login.

const PHOTO = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('a photo') };

test('a profile is loading, and says what is not there yet', { tag: '@all' }, async ({ page, signedIn }) => {
  Object.assign(signedIn.world, {
    userCars: [],
    sessions: [],
    bestsByTrack: {},
    bestsByCar: {},
    totalLaps: 0,
  });
  const release = signedIn.hold('GET /api/auth/user');
  await page.goto(`${signedIn.url}/profile`);
  await expect(page.getByText('Loading profile...', { exact: true })).toBeVisible();
  release();
  await expect(page.getByText('No cars in garage yet', { exact: true })).toBeVisible();
  await expect(
    page.getByText('Add your first car to start tracking lap times!', { exact: true }),
  ).toBeVisible();
  await expect(page.getByText('0 Total Laps', { exact: true })).toBeVisible();
  await expect(page.getByText('0 Tracks', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add Car' })).toHaveAttribute('href', '/garage/add');
  await expect(page.getByRole('link', { name: 'Edit Profile' })).toHaveAttribute('href', '/profile/edit');
  await page.getByRole('tab', { name: 'Tracks' }).click();
  await expect(page.getByText('No track data yet', { exact: true })).toBeVisible();
  await expect(
    page.getByText('Upload your first lap to start building your track history!', { exact: true }),
  ).toBeVisible();
});

test(
  'a user without a name is shown as User, with initials from what there is',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    Object.assign(signedIn.world.user ?? {}, { firstName: null, lastName: null, email: null });
    await page.goto(`${signedIn.url}/profile`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('User');
    await expect(page.getByRole('main').getByText('@')).toHaveCount(0);
    Object.assign(signedIn.world.user ?? {}, { firstName: 'Nadia', lastName: 'del Ferro' });
    await page.reload();
    await expect(page.getByRole('main').getByText('NF', { exact: true })).toBeVisible();
  },
);

test('the laps of a session that do not count are listed with the reasons', async ({ page, signedIn }) => {
  const session = {
    trackId: HARBOUR,
    userCarId: 'car-1',
    carName: 'Old Faithful',
    sessionDate: '2026-05-17T10:00:00+01:00',
    lapCount: 3,
    bestLapTimeMs: 95_250,
  };
  signedIn.answer('GET /api/sessions/user/driver-1', [
    {
      ...session,
      id: 'session-1',
      refusedLaps: [
        { number: 3, lapTimeMs: 71_207, reasons: ['off_track', 'impossible_acceleration'] },
        { number: 4, lapTimeMs: 99_500, reasons: ['gap_in_data'] },
      ],
    },
    { ...session, id: 'session-2' },
  ]);
  await page.goto(`${signedIn.url}/profile?tab=tracks`);
  await page.getByText('2 Sessions').click();
  await page.getByText('2 laps not counted').click();
  await expect(page.getByText('not counted')).toHaveCount(1);
  await expect(page.getByRole('listitem').filter({ hasText: /^Lap 3/ })).toHaveText(
    'Lap 3, 1:11.207This lap leaves the outline of the track for a long way: another layout, a cut corner, or a wrong outline. No car brakes, turns or accelerates as hard as this lap does.',
  );
  await expect(page.getByRole('listitem').filter({ hasText: /^Lap 4/ })).toHaveText(
    'Lap 4, 1:39.500The GPS data has a gap in this lap.',
  );
  await expectAccessible(page);
});

test('a garage and a track history that cannot be loaded say so, and can be asked for again', async ({
  page,
  signedIn,
}) => {
  signedIn.answer('GET /api/user-cars', 'Broken', 500);
  signedIn.answer('GET /api/sessions/user/driver-1', 'Broken', 500);
  await page.goto(`${signedIn.url}/profile`);
  await expect(page.getByRole('alert')).toContainText('The garage could not be loaded.');
  signedIn.answer('GET /api/user-cars', signedIn.world.userCars);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('article')).toHaveCount(2);
  await page.getByRole('tab', { name: 'Tracks' }).click();
  await expect(page.getByRole('alert')).toContainText('The tracks could not be loaded.');
});

test('a car shows three personal bests until all are asked for', async ({ page, signedIn }) => {
  const bests = ['One', 'Two', 'Three', '', 'Five'].map((trackName, index) => ({
    trackId: asTrackId(`track-${index}`),
    trackName,
    lapTime: 60_000 + index,
    uploadDate: '2026-05-17',
  }));
  signedIn.world.bestsByCar = { 'car-1': bests, 'car-2': bests.slice(0, 3) };
  await page.goto(`${signedIn.url}/profile`);
  const cars = page.getByRole('article');
  await expect(cars.nth(0).getByRole('listitem')).toHaveCount(3);
  await expect(cars.nth(1).getByRole('button', { name: /^Show/ })).toHaveCount(0);
  await cars.nth(0).getByRole('button', { name: 'Show All 5 Tracks' }).click();
  await expect(cars.nth(0).getByRole('listitem')).toHaveCount(5);
  await expect(cars.nth(0).getByRole('listitem').nth(3)).toContainText('Unknown Track');
  await cars.nth(0).getByRole('button', { name: 'Show Less' }).click();
  await expect(cars.nth(0).getByRole('listitem')).toHaveCount(3);
});

test(
  'a photo or avatar that the server refuses changes nothing, and says so',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    signedIn.answer('PUT /api/cars/car-1/photo', 'No', 400);
    signedIn.answer('PUT /api/user/avatar', 'No', 400);
    await page.goto(`${signedIn.url}/profile`);
    const car = page.getByRole('article').first();
    await car.locator('input[type=file]').setInputFiles(PHOTO);
    await expectToast(page, 'Update Failed', 'Failed to update car photo. Please try again.');
    await expect(toastOf(page, 'Update Failed')).toHaveAttribute('data-type', 'error');
    await expect(car.getByRole('button', { name: 'Upload Photo' })).toBeVisible();
    await page.goto(`${signedIn.url}/profile/edit`);
    await page.locator('main input[type=file]').setInputFiles(PHOTO);
    await expectToast(page, 'Update Failed', 'Failed to update avatar. Please try again.');
  },
);

test('photo and avatar take one image of at most 25 MB', async ({ page, signedIn }, testInfo) => {
  const tooLarge = testInfo.outputPath('too-large.jpg');
  await writeFile(tooLarge, Buffer.alloc(26_214_401));
  for (const path of ['/profile', '/profile/edit']) {
    await page.goto(signedIn.url + path);
    const input = page.getByRole('main').locator('input[type=file]').first();
    await expect(input).not.toHaveAttribute('multiple');
    await expect(input).toHaveAttribute('accept', /^image\/[a-z]+(,image\/[a-z]+)*$/);
    await input.setInputFiles(tooLarge);
    await expect(page.getByRole('alert')).toHaveText(
      'This image is too large: it has 25.1 MB and may have at most 25 MB.',
    );
  }
  expect(signedIn.calls.filter(({ path }) => path.startsWith('/api/objects'))).toHaveLength(0);
});

test('the profile form names its parts, and leads back without saving', async ({ page, signedIn }) => {
  await page.goto(`${signedIn.url}/profile/edit`);
  for (const name of ['Profile Photo', 'Display Name', 'Account Information', 'Communication Preferences']) {
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  }
  await expect(page.getByText('managed by your sign-in provider')).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Email Updates' })).not.toBeChecked();
  await expect(page.getByRole('link', { name: 'Cancel' })).toHaveAttribute('href', '/profile');
  await page.getByRole('link', { name: 'Back to profile' }).click();
  await expect(page).toHaveURL(`${signedIn.url}/profile`);
});

test('a profile that cannot be saved keeps what was typed', async ({ page, signedIn }) => {
  signedIn.answer('PATCH /api/auth/user/preferences', 'Broken', 500);
  await page.goto(`${signedIn.url}/profile/edit`);
  const name = page.getByRole('textbox', { name: 'Display Name' });
  await name.fill('Nadia F');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expectToast(page, 'Update Failed', 'Failed to update profile. Please try again.');
  await expect(name).toHaveValue('Nadia F');
  await expect(page).toHaveURL(`${signedIn.url}/profile/edit`);
});

// The search waits for a pause in typing.
const LONGER_THAN_TYPING_MS = 1000;

test('the car search runs from two characters on, and says what it did not find', async ({
  page,
  signedIn,
}) => {
  await page.goto(`${signedIn.url}/garage/add`);
  const search = page.getByPlaceholder('Search cars...');
  const searches = () => signedIn.calls.filter(({ path }) => path === '/api/car-library/search');
  await search.fill('s');
  // The page starts its timer first, so it is over before this one.
  await page.evaluate(
    (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    LONGER_THAN_TYPING_MS,
  );
  expect(searches()).toHaveLength(0);
  await search.fill('sw');
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(2);
  expect(searches().map(({ query }) => query.get('q'))).toEqual(['sw']);
  await search.fill('zeppelin');
  await expect(page.getByText('No cars found matching "zeppelin"').first()).toBeVisible();
});

test('adding a car is refused without one, fails in words, and can be reset', async ({ page, signedIn }) => {
  await page.goto(`${signedIn.url}/garage/add`);
  const add = page.getByRole('button', { name: 'Add to Garage' });
  for (const name of ['Quick Search', 'Browse by Make and Model', 'Confirm Selection']) {
    await expect(page.getByRole('heading', { name })).toBeVisible();
  }
  await add.click();
  await expectToast(page, 'No car selected', 'Please select a car first');
  await chooseCar(page);
  signedIn.answer('POST /api/user-cars', { error: 'conflict', message: 'Your garage is full.' }, 409);
  await add.click();
  await expectToast(page, 'Error', 'Your garage is full.');
  signedIn.answer('POST /api/user-cars', '<html>', 502);
  await add.click();
  await expectToast(page, 'Error', 'Failed to add car');
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByLabel('Make')).toHaveValue('');
  await expect(page.getByText('Corvane Swift 2.0 (Mk2)')).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to Profile' }).click();
  await expect(page).toHaveURL(`${signedIn.url}/profile`);
});

test('another make clears what was chosen after it', { tag: '@all' }, async ({ page, signedIn }) => {
  signedIn.answer('GET /api/car-library/makes', ['Corvane', 'Lodestar']);
  await page.goto(`${signedIn.url}/garage/add`);
  await chooseCar(page);
  await page.getByLabel('Make').selectOption('Lodestar');
  await expect(page.getByLabel('Model')).toHaveValue('');
  for (const name of ['Variant', 'Generation']) await expect(page.getByLabel(name)).toBeDisabled();
  await page.getByRole('button', { name: 'Add to Garage' }).click();
  await expectToast(page, 'No car selected', 'Please select a car first');
});

test(
  'lists of the car library that cannot be fetched say which',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    const lists = ['model-families', 'variants', 'generations'];
    for (const name of lists) signedIn.answer(`GET /api/car-library/${name}`, 'Broken', 500);
    await page.goto(`${signedIn.url}/garage/add`);
    await page.getByText('Browse by Make and Model').click();
    await page.getByLabel('Make').selectOption('Corvane');
    await expect(page.getByText('Failed to fetch model families', { exact: true })).toBeVisible();
    signedIn.answer('GET /api/car-library/model-families', ['Swift']);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByLabel('Model').selectOption('Swift');
    await expect(page.getByText('Failed to fetch variants', { exact: true })).toBeVisible();
    signedIn.answer('GET /api/car-library/variants', ['2.0']);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByLabel('Variant').selectOption('2.0');
    await expect(page.getByText('Failed to fetch generations', { exact: true })).toBeVisible();
  },
);

test('who is not signed in is sent to the login page, and comes back with the filters of the URL', async ({
  page,
  standIn,
}) => {
  for (const path of ['/upload', '/profile/edit', '/profile', '/profile/driver-7', '/garage/add']) {
    await page.goto(standIn.url + path);
    await expect(page).toHaveURL(`${standIn.url}/login?returnTo=${encodeURIComponent(path)}`);
  }
  const back = `/track/${HARBOUR}?drivetrain=RWD`;
  await page.goto(standIn.url + back);
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await expect(page.getByRole('link', { name: /^Continue with/ })).toBeVisible();
  await page.getByRole('link', { name: /^Continue with/ }).click();
  await expect(page).toHaveURL(standIn.url + back);
});

test('a heading that takes the focus shows no ring', { tag: '@all' }, async ({ page, standIn }) => {
  await page.goto(`${standIn.url}/upload`);
  const heading = page.getByRole('heading', { name: 'Sign In to Pitboard' });
  await expect(heading).toBeFocused();
  await expect(heading).toHaveCSS('outline-style', 'none');
});

test('the login page sends a signed-in driver on', async ({ page, signedIn }) => {
  await expectSentTo(page, signedIn, '/login', '/');
  await expectSentTo(page, signedIn, '/login?returnTo=%2Fgarage%2Fadd', '/garage/add');
  await expectSentTo(page, signedIn, '/login?returnTo=https%3A%2F%2Felsewhere.example', '/');
});

async function expectSentTo(page: Page, { url }: StandIn, from: string, to: string): Promise<void> {
  await page.goto(url + from);
  await expect(page).toHaveURL(url + to);
}

async function chooseCar(page: Page): Promise<void> {
  await expect(page.getByLabel('Make')).toBeHidden();
  await page.getByText('Browse by Make and Model').click();
  await page.getByLabel('Make').selectOption('Corvane');
  await page.getByLabel('Model').selectOption('Swift');
  await page.getByLabel('Variant').selectOption('2.0');
  await page.getByLabel('Generation').selectOption('Mk2');
  await expect(page.getByText('Corvane Swift 2.0 (Mk2)', { exact: true })).toBeVisible();
}
