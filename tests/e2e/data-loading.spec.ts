import { expect, type Page, type Request } from '@playwright/test';
import { HARBOUR, MEADOW } from './stand-in-world.ts';
import { test } from './test.ts';
import { expectToast } from './toasts.ts';
import { chooseTires } from './upload-form.ts';

// When calls are made and when not, how long toasts stay, and what else is a rule and no word.

/** The stand-in answers none of these, which are asked for again. */
const UNANSWERED = /\/(summary|stream|live|notices|record-history|checks)$/;

/** Follows the calls of a page; the returned function waits until all of them are answered. */
function followCalls(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  const listPaths = () => [...open].map((request) => new URL(request.url()).pathname);
  return () => expect.poll(() => listPaths().filter((path) => !UNANSWERED.test(path))).toEqual([]);
}

test('what a page has fetched is not fetched again, whatever time goes by and wherever the focus goes', async ({
  page,
  signedIn,
}) => {
  // A page that is left before an answer has come gives the call up, and makes it again.
  const waitForAnswers = followCalls(page);
  await page.clock.install();
  await page.goto(`${signedIn.url}/track/${HARBOUR}`);
  await expect(page.getByRole('row').filter({ hasText: 'Bo Castell' })).toBeVisible();
  await waitForAnswers();
  await page.getByRole('link', { name: 'Upload', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Upload Lap Data');
  await waitForAnswers();
  await page.goBack();
  await expect(page.getByRole('row').filter({ hasText: 'Bo Castell' })).toBeVisible();
  await page.clock.fastForward('02:00:00');
  await page.evaluate(async () => {
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('focus'));
    // Calls that the focus caused have left before this one is answered.
    await fetch('/api/after-focus/checks');
  });
  await waitForAnswers();
  const asked = signedIn.calls.filter(({ path }) => !UNANSWERED.test(path));
  const addresses = asked.map(({ path, query }) => `${path}?${query.toString()}`);
  expect(addresses.toSorted()).toEqual([...new Set(addresses)].toSorted());
  expect(addresses.length).toBeGreaterThan(5);
});

test('neither the question who is here nor a change is tried again by itself', async ({ page, signedIn }) => {
  await page.clock.install();
  signedIn.answer('POST /api/user-cars', 'Broken', 500);
  await page.goto(`${signedIn.url}/garage/add`);
  await page.getByPlaceholder('Search cars...').fill('swift');
  await page.getByRole('listbox').getByRole('option').first().click();
  await page.getByRole('button', { name: 'Add to Garage' }).click();
  await expectToast(page, 'Error', 'Failed to add car');
  await page.clock.fastForward('10:00');
  expect(signedIn.calls.filter(({ method }) => method === 'POST')).toHaveLength(1);

  signedIn.answer('GET /api/auth/user', 'Broken', 500);
  signedIn.calls.length = 0;
  await page.goto(`${signedIn.url}/upload`);
  await expect(page).toHaveURL(/\/login\?returnTo=%2Fupload$/);
  await page.clock.fastForward('10:00');
  expect(signedIn.calls.filter(({ path }) => path === '/api/auth/user')).toHaveLength(1);
});

test('a toast stays for 1,000,000 ms, or until it is closed', { tag: '@all' }, async ({ page, signedIn }) => {
  await page.clock.install();
  await page.goto(`${signedIn.url}/garage/add`);
  const toasts = page.locator('[data-sonner-toast]');
  await page.getByRole('button', { name: 'Add to Garage' }).click();
  await expectToast(page, 'No car selected', 'Please select a car first');
  await page.clock.fastForward(990_000);
  await expect(toasts).toHaveCount(1);
  await page.clock.fastForward(20_000);
  await page.clock.fastForward(1_000);
  await expect(toasts).toHaveCount(0);
  await page.getByRole('button', { name: 'Add to Garage' }).click();
  await toasts.getByRole('button', { name: 'Close' }).click();
  await expect(toasts).toHaveCount(0);
});

test('lap files can be dropped', async ({ page, signedIn }) => {
  await page.goto(`${signedIn.url}/upload`);
  const zone = page.getByRole('group', { name: 'Lap files' });
  const dataTransfer = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    for (const name of ['a.csv', 'b.gpx']) transfer.items.add(new File([name], name));
    return transfer;
  });
  await zone.dispatchEvent('dragenter', { dataTransfer });
  await expect(zone).toContainText('Drop to add the files');
  await zone.dispatchEvent('drop', { dataTransfer });
  await expect(page.getByRole('button', { name: 'Process 2 File(s)' })).toBeVisible();
});

test(
  'two cars fit in a row, and another driver is not asked to add any',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    await page.goto(`${signedIn.url}/profile`);
    await expect(page.getByRole('article')).toHaveCount(2);
    const [first, second] = await page
      .getByRole('article')
      .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().toJSON()));
    expect(second.top).toBe(first.top);
    expect(second.left).toBeGreaterThan(first.right);

    // Other drivers come from two calls that the specification does not have.
    signedIn.answer('GET /api/users/driver-2', {
      id: 'driver-2',
      displayName: 'Bo Castell',
      username: 'bo',
      profileImageUrl: null,
    });
    signedIn.answer('GET /api/users/driver-2/cars', []);
    await page.goto(`${signedIn.url}/profile/driver-2`);
    await expect(page.getByText('No cars in garage yet', { exact: true })).toBeVisible();
    await expect(page.getByText('Add your first car')).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Add Car' })).toHaveCount(0);
  },
);

test('a car without laps leads to the upload, for its owner and for other drivers', async ({
  page,
  signedIn,
}) => {
  signedIn.answer('GET /api/users/driver-3', {
    id: 'driver-3',
    displayName: 'Bo Castell',
    username: 'bo',
    profileImageUrl: null,
  });
  signedIn.answer('GET /api/users/driver-3/cars', signedIn.world.userCars.slice(0, 1));
  signedIn.answer('GET /api/laps/user/driver-3/by-car', {});
  await page.goto(`${signedIn.url}/profile/driver-3`);
  const car = page.getByRole('article');
  await expect(car).toContainText('No lap data yet');
  await expect(car.getByRole('link', { name: 'Upload Lap Data' })).toHaveAttribute('href', '/upload');
});

test('the first three places are medals, the others numbers', async ({ page, standIn }) => {
  await page.goto(`${standIn.url}/track/${HARBOUR}`);
  const places = page.getByRole('rowgroup').last().getByRole('row').locator('td:first-child');
  await expect(places).toHaveText(['1', '2', '3', '4', '5']);
  const medals = await places.evaluateAll((cells) => cells.map((cell) => cell.querySelector('svg') !== null));
  expect(medals).toEqual([true, true, true, false, false]);
});

test(
  'a name without end takes two lines, on a card and on the board',
  { tag: '@all' },
  async ({ page, standIn }) => {
    const [first] = standIn.world.recordsByTrack[HARBOUR] ?? [];
    const userName = 'W'.repeat(200);
    Object.assign(first ?? {}, { userName });
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 });
      for (const path of ['/leaderboards', `/track/${HARBOUR}`]) {
        await page.goto(standIn.url + path);
        const name = page.getByRole('link', { name: userName }).locator('span');
        const lineHeight = await name.evaluate((element) => parseFloat(getComputedStyle(element).lineHeight));
        const box = await name.boundingBox();
        expect(box?.height).toBeLessThan(2.5 * lineHeight);
      }
    }
  },
);

test('an upload shows on boards and profile without a reload', async ({ page, signedIn }) => {
  await page.goto(`${signedIn.url}/track/${MEADOW}`);
  await expect(page.getByText('No lap times yet')).toBeVisible();
  await page.getByRole('link', { name: 'Upload', exact: true }).click();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('laps') });
  await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
  await page.getByRole('dialog').getByRole('listitem').first().getByRole('button').click();
  await page.getByLabel('Car', { exact: true }).selectOption({ index: 1 });
  await chooseTires(page, 'Street 300+ TW');
  await page.getByLabel('Video Link').fill('https://video.example/lap');
  const record = signedIn.world.recordsByTrack[HARBOUR]?.slice(3, 4) ?? [];
  signedIn.world.recordsByTrack[MEADOW] = record;
  await page.getByRole('button', { name: 'Upload Lap Data' }).click();
  await page.getByRole('link', { name: 'View Meadow Ring leaderboard' }).click();
  await expect(page.getByRole('rowgroup', { name: 'Your entry' })).toContainText('1:35.250');
});
