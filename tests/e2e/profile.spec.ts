import { expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import { formatLapTime } from '#engine/lap-time.ts';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';
import { expectToast, toastOf } from './toasts.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const MX5 = 'mazda-mx-5-nb-1-8';

const pitboard = shareServer();

test('the owner gives a car a photo and changes it; what is no such image changes nothing', async ({
  browser,
}) => {
  const page = await openAs(browser, pitboard().url, 'Theo Okafor');
  await addCar(page, pitboard().url, MX5);
  await page.goto(`${pitboard().url}/profile`);
  const photo = page.getByRole('img', { name: 'Mazda MX-5 1.8 (NB)' });
  const input = page.locator('article input[type=file]');
  await expect(page.getByRole('button', { name: 'Upload Photo' })).toBeVisible();
  await expect(photo).toHaveCount(0);

  await input.setInputFiles(jpegFile(await jpeg('#b3202b')));
  await expectToast(page, 'Photo Updated', 'Car photo has been updated successfully');
  const first = await shownSource(photo);
  await expect(page.getByRole('button', { name: 'Change Photo' })).toBeVisible();
  await expectAccessible(page);

  await input.setInputFiles({ name: 'laps.csv', mimeType: 'text/csv', buffer: Buffer.from('1,2,3') });
  await expect(page.getByRole('alert')).toContainText('not an image that we can read');
  await input.setInputFiles(jpegFile(Buffer.from('this is no JPEG')));
  await expectToast(page, 'Update Failed', 'Failed to update car photo. Please try again.');
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeVisible();
  expect(await shownSource(photo)).toBe(first);
  await expectAccessible(page);

  await input.setInputFiles(jpegFile(await jpeg('#20b32b')));
  await expectToast(page, 'Photo Updated', 'Car photo has been updated successfully');
  expect(await shownSource(photo)).not.toBe(first);
  await expect(page.getByRole('alert')).toHaveCount(0);

  const remove = page.getByRole('button', { name: 'Remove Photo' });
  await remove.click();
  const dialog = page.getByRole('dialog', { name: 'Remove Photo' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(photo).toHaveCount(1);
  await remove.click();
  await dialog.getByRole('button', { name: 'Remove Photo' }).click();
  await expect(toastOf(page, 'Photo Removed')).toBeVisible();
  await expect(photo).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Upload Photo' })).toBeFocused();
});

test(
  'a photo whose way is cut off can be sent again without choosing it again',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await addCar(page, pitboard().url, MX5);
    await page.goto(`${pitboard().url}/profile`);
    await page.route('**/api/objects/*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await page.locator('article input[type=file]').setInputFiles(jpegFile(await jpeg('#b3202b')));
    await expectToast(page, 'Update Failed', 'Failed to update car photo. Please try again.');
    await expect(page.getByRole('alert')).toHaveText('The connection was lost. Please try again.');

    await page.unroute('**/api/objects/*');
    await page.getByRole('button', { name: 'Try Again' }).press('Enter');
    await expectToast(page, 'Photo Updated', 'Car photo has been updated successfully');
    await expect(page.getByRole('button', { name: 'Change Photo' })).toBeFocused();
  },
);

test('a photo on its way can be stopped, and another one sent', { tag: '@all' }, async ({ browser }) => {
  const page = await openAs(browser, pitboard().url, 'Theo Okafor');
  await addCar(page, pitboard().url, MX5);
  await page.goto(`${pitboard().url}/profile`);
  const input = page.locator('article input[type=file]');
  const button = page.getByRole('button', { name: 'Upload Photo' });
  // It never arrives.
  await page.route('**/api/objects/*', (route) =>
    route.request().method() === 'PUT' ? undefined : route.continue(),
  );
  await input.setInputFiles(jpegFile(await jpeg('#b3202b')));
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect(page.getByText('Uploading...')).toBeVisible();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await expect(button).toBeFocused();
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);

  await page.unroute('**/api/objects/*');
  await input.setInputFiles(jpegFile(await jpeg('#20b32b')));
  await expectToast(page, 'Photo Updated', 'Car photo has been updated successfully');
});

test(
  'a driver changes the avatar, and everybody sees it on the board',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await driveAtSpa(page);
    await page.goto(`${pitboard().url}/profile/edit`);
    await page.getByRole('textbox', { name: 'Display Name' }).fill('Not saved yet');
    const input = page.locator('main input[type=file]');

    await input.setInputFiles(jpegFile(Buffer.from('this is no JPEG')));
    await expectToast(page, 'Update Failed', 'Failed to update avatar. Please try again.');
    await input.setInputFiles(jpegFile(await jpeg('#b3202b')));
    await expect(toastOf(page, 'Avatar Updated')).toBeVisible();
    await expect(page.locator('main img')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Profile' }).locator('img')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Display Name' })).toHaveValue('Not saved yet');
    await expectAccessible(page);

    const other = await openAs(browser, pitboard().url, 'Priya Venkat');
    await other.goto(`${pitboard().url}/track/${SPA}`);
    await expect(
      other.getByRole('row').filter({ hasText: 'Theo Okafor' }).locator('img').first(),
    ).toBeVisible();
  },
);

test(
  'with the keyboard alone, a car leaves the garage and its laps stay',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    const bestLapTimeMs = await driveAtSpa(page);
    await page.goto(`${pitboard().url}/profile`);
    const button = page.getByRole('button', { name: 'Remove Car' });
    const dialog = page.getByRole('dialog', { name: 'Remove Car' });

    await button.press('Enter');
    await expect(dialog).toContainText('Its laps stay on the boards');
    await expectAccessible(page);
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(button).toBeFocused();

    await button.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(toastOf(page, 'Car Removed')).toBeVisible();
    await expect(page.getByText('No cars in garage yet')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Garage' })).toBeFocused();

    await page.getByRole('tab', { name: 'Tracks' }).click();
    await openSessions(page);
    await expect(sessionRows(page)).toContainText('Mazda MX-5 1.8 (NB)');
    await page.goto(`${pitboard().url}/track/${SPA}`);
    await expect(page.getByRole('row').filter({ hasText: 'You' }).first()).toContainText(
      formatLapTime(bestLapTimeMs),
    );
  },
);

test('a driver deletes a session: its laps leave the board without a reload', async ({ browser }) => {
  const page = await openAs(browser, pitboard().url, 'Theo Okafor');
  const userCarId = await addCar(page, pitboard().url, MX5);
  const session = { trackId: SPA, userCarId };
  const slower = await uploadLaps(page, pitboard().url, { ...session, seed: 1, topSpeedMetersPerSecond: 50 });
  const faster = await uploadLaps(page, pitboard().url, { ...session, seed: 2, topSpeedMetersPerSecond: 54 });
  await page.goto(`${pitboard().url}/track/${SPA}`);
  await expect(page.getByRole('row').nth(1)).toContainText(formatLapTime(faster));

  await page
    .getByRole('row')
    .filter({ hasText: 'You' })
    .first()
    .getByRole('link', { name: 'Theo Okafor', exact: true })
    .click();
  await page.getByRole('tab', { name: 'Tracks' }).click();
  await openSessions(page);
  await expect(sessionRows(page)).toHaveCount(2);
  await expectAccessible(page);
  await deleteSession(page, formatLapTime(faster));
  await toastOf(page, 'Session Deleted').getByRole('button', { name: 'Close' }).click();
  await expect(sessionRows(page)).toHaveCount(1);
  await expect(sessionRows(page)).toContainText(formatLapTime(slower));
  await expect(page.getByText('3 Total Laps')).toBeVisible();

  await page.getByRole('link', { name: 'Circuit de Spa-Francorchamps' }).click();
  await expect(page.getByRole('row').nth(1)).toContainText(formatLapTime(slower));
  await page.goBack();
  await openSessions(page);
  await deleteSession(page, formatLapTime(slower));
  await expect(page.getByText('No track data yet')).toBeVisible();

  // The toast goes along to the next page, and what it restores is shown there at once.
  await page.getByRole('link', { name: 'Leaderboards', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Leaderboards', level: 1 })).toBeVisible();
  await expectAccessible(page);
  await toastOf(page, 'Session Deleted').getByRole('button', { name: 'Undo' }).click();
  await expect(toastOf(page, 'Session Restored')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await page.goto(`${pitboard().url}/track/${SPA}`);
  await expect(page.getByRole('row').nth(1)).toContainText(formatLapTime(slower));
});

test(
  'two sessions that are deleted one after the other come back with one press',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    const userCarId = await addCar(page, pitboard().url, MX5);
    const session = { trackId: SPA, userCarId };
    const times = [
      await uploadLaps(page, pitboard().url, { ...session, seed: 1, topSpeedMetersPerSecond: 50 }),
      await uploadLaps(page, pitboard().url, { ...session, seed: 2, topSpeedMetersPerSecond: 54 }),
    ];
    await page.goto(`${pitboard().url}/profile?tab=tracks`);
    await openSessions(page);
    for (const time of times) await deleteSession(page, formatLapTime(time));
    await expect(page.getByText('No track data yet')).toBeVisible();
    const toast = toastOf(page, 'Sessions Deleted');
    await expect(toast).toContainText('2 sessions');
    await toast.getByRole('button', { name: 'Undo All' }).click();
    await expect(toastOf(page, 'Sessions Restored')).toBeVisible();
    await openSessions(page);
    await expect(sessionRows(page)).toHaveCount(2);
  },
);

test(
  'a failure to delete is said where it was asked for, and nothing is lost',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await driveAtSpa(page);
    await page.goto(`${pitboard().url}/profile?tab=tracks`);
    await openSessions(page);
    await page.route('**/api/sessions/*', (route) => route.abort());
    await page.getByRole('button', { name: /^Delete session of/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Session' });
    await dialog.getByRole('button', { name: 'Delete Session' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('The connection was lost. Please try again.');
    await expectAccessible(page);

    await page.unroute('**/api/sessions/*');
    await dialog.getByRole('button', { name: 'Delete Session' }).click();
    await expect(page.getByText('No track data yet')).toBeVisible();
  },
);

test('one button signs out all devices but this one', { tag: '@all' }, async ({ browser }) => {
  const page = await openAs(browser, pitboard().url, 'Theo Okafor');
  const other = await openAs(browser, pitboard().url, 'Theo Okafor');
  await page.goto(`${pitboard().url}/profile/edit/sign-in`);
  const devices = page.locator('section').filter({ hasText: 'Your Devices' });
  await expect(devices.getByRole('button', { name: /^Sign out / })).toHaveCount(2);
  await devices.getByRole('button', { name: 'Sign out all other devices' }).click();
  await expect(devices.getByRole('button')).toHaveCount(0);
  await expect(devices.getByText('This device')).toBeVisible();
  await expect(devices.getByRole('heading')).toBeFocused();
  const answer = await other.request.get(`${pitboard().url}/api/account/credentials`);
  expect(answer.status()).toBe(401);
});

test('another driver sees the profile without any way to change it', async ({ browser }) => {
  const owner = await openAs(browser, pitboard().url, 'Theo Okafor');
  await driveAtSpa(owner);
  const { id }: { id: string } = await (await owner.request.get(`${pitboard().url}/api/auth/user`)).json();

  const page = await openAs(browser, pitboard().url, 'Priya Venkat');
  await page.goto(`${pitboard().url}/profile/${id}`);
  await expect(page.getByRole('heading', { name: 'Theo Okafor' })).toBeVisible();
  await expect(page.locator('article')).toHaveCount(1);
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  await expect(page.locator('main input')).toHaveCount(0);
  await page.getByRole('tab', { name: 'Tracks' }).click();
  await openSessions(page);
  await expect(sessionRows(page)).toHaveCount(1);
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
});

/** Three laps at Spa in a car of the garage; gives the best time. */
async function driveAtSpa(page: Page): Promise<number> {
  const userCarId = await addCar(page, pitboard().url, MX5);
  return uploadLaps(page, pitboard().url, { trackId: SPA, userCarId, seed: 1, topSpeedMetersPerSecond: 52 });
}

async function openSessions(page: Page): Promise<void> {
  await page
    .locator('summary')
    .filter({ hasText: /Sessions? at/ })
    .click();
}

function sessionRows(page: Page) {
  return page.locator('details li');
}

async function deleteSession(page: Page, bestLapTime: string): Promise<void> {
  const row = sessionRows(page).filter({ hasText: bestLapTime });
  await row.getByRole('button', { name: /^Delete session of/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Session' });
  await expect(dialog).toContainText('with 3 laps and the lap file');
  await dialog.getByRole('button', { name: 'Delete Session' }).click();
}

/** The address of a picture that the browser has really drawn. */
async function shownSource(photo: ReturnType<Page['getByRole']>): Promise<string | null> {
  await photo.scrollIntoViewIfNeeded();
  await expect
    .poll(() => photo.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)))
    .toBeGreaterThan(0);
  return photo.getAttribute('src');
}

function jpeg(background: string): Promise<Buffer> {
  return sharp({ create: { width: 800, height: 500, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

function jpegFile(buffer: Buffer) {
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer };
}
