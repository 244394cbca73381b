import { EventEmitter, once } from 'node:events';
import { expect, type Page } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { kartTrackAt } from '#engine/testing/kart-track.ts';
import { openOnPhone } from './counted-driver.ts';
import { insertCourse, removeCourses } from './courses.ts';
import { openAs, shareServer } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { test } from './test.ts';

// Courses of published sets, which have no start line, and files that fit no track until a set is here.

const HIDDEN = kartTrackAt({ lat: 45.9, lon: 13.4 });
const OTHER = kartTrackAt({ lat: 46.3, lon: 13.9 });
const LATER = kartTrackAt({ lat: 45.2, lon: 12.9 });
const COURSE = 'Kartodromo di Prova';

const pitboard = shareServer();

test.afterEach(async () => {
  await removeCourses(pitboard());
});

test('the first driver on a known course makes its track with one tap, and the form of the lap follows', async ({
  browser,
}) => {
  await insertCourse(pitboard(), COURSE, HIDDEN);
  const driver = await openOnPhone(browser, pitboard(), 'Theo Okafor');
  const { page } = driver;
  await page.goto(`${pitboard().url}/upload`);
  await driver.chooseFile(page.getByRole('button', { name: /browse/i }), lapFile(HIDDEN, 41));
  await driver.tap(page.getByRole('button', { name: 'Process 1 File(s)' }));
  const dialog = page.getByRole('dialog', { name: 'Select Track' });
  await expect(dialog.getByRole('heading', { name: `${COURSE}: confirm the start line` })).toBeFocused();
  await expect(dialog.getByRole('status').filter({ hasText: /laps, best/ })).toHaveText(
    /^[4-6] laps, best 0:\d\d\.\d{3}/,
  );
  await expect(dialog.getByLabel('Track name')).toHaveValue(COURSE);
  await expect(dialog.getByLabel('Country')).toHaveValue('Italy');
  await expect(dialog.getByText('© OpenStreetMap contributors · ODbL 1.0')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Get Tracks' })).toHaveCount(0);
  await expectAccessibleEverywhere(page);
  await driver.tap(dialog.getByRole('button', { name: 'Confirm the start line' }));
  await expect(page.getByRole('heading', { name: 'Lap Details' })).toBeFocused();
  driver.expectAtMost({ taps: 3, typedFields: 0 });
  await expect(page.getByRole('list', { name: 'Chosen files' })).toContainText(
    /[4-6] laps, best 0:\d\d\.\d{3}/,
  );
  await expect(page.getByText(COURSE).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Lap Details' })).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Upload Lap Data' })).toBeInViewport();
});

test(
  'a course that the driver says is another one gives way to a new track',
  { tag: '@all' },
  async ({ browser }) => {
    await insertCourse(pitboard(), COURSE, OTHER);
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await process(page, lapFile(OTHER, 42));
    const dialog = page.getByRole('dialog', { name: 'Select Track' });
    await dialog.getByLabel('Course').selectOption('None of these: a new track');
    await expect(dialog.getByRole('heading', { name: 'A new track' })).toBeVisible();
    await expect(dialog.getByLabel('Track name')).toHaveValue(COURSE);
    await expect(dialog.getByText(`Names from ${COURSE} (Open Racetrack Database`)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Add this track' })).toBeVisible();
  },
);

test(
  'a file that fits nothing is matched again by itself once a set of tracks is here',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Mara Lindqvist');
    const turn = await playTrackSet(page);
    await process(page, lapFile(LATER, 43));
    const dialog = page.getByRole('dialog', { name: 'Select Track' });
    await expect(dialog.getByRole('heading', { name: 'A new track' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Get Tracks: Open Racetrack Database' }).click();
    await expect(dialog.getByRole('progressbar')).toBeVisible();
    await expectAccessibleEverywhere(page);
    await insertCourse(pitboard(), COURSE, LATER);
    turn('installed');
    await expect(dialog.getByRole('heading', { name: `${COURSE}: confirm the start line` })).toBeVisible();
  },
);

test(
  'a set without the track of the file says so, and the new track stays',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Mara Lindqvist');
    const turn = await playTrackSet(page);
    const places = new EventEmitter();
    const suggested = once(places, 'arrived');
    await page.route('**/api/nearby-tracks?*', (route) => suggested.then(() => route.continue()));
    await process(page, lapFile(LATER, 44));
    const dialog = page.getByRole('dialog', { name: 'Select Track' });
    await dialog.getByLabel('Track name').focus();
    places.emit('arrived');
    await expect(dialog.getByLabel('Country')).toHaveValue('Italy');
    await page.keyboard.type('Pista di Sera');
    await dialog.getByRole('button', { name: 'Get Tracks: Open Racetrack Database' }).click();
    await expect(dialog.getByRole('progressbar')).toBeVisible();
    turn('installed');
    await expect(dialog.getByText('The tracks are here, but none of them fits your file.')).toBeVisible();
    await expect(dialog.getByLabel('Track name')).toHaveValue('Pista di Sera');
  },
);

test(
  'a member asks an administrator for tracks, from the file that fits none',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await process(page, lapFile(LATER, 45));
    const dialog = page.getByRole('dialog', { name: 'Select Track' });
    await expect(dialog.getByText('Contact an administrator')).toHaveCount(0);
    await dialog
      .getByRole('button', { name: 'Ask an administrator for these tracks: Open Racetrack Database' })
      .click();
    await expect(dialog.getByText('You have asked for it.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('region', { name: 'Get tracks' })).toContainText('You have asked for it.');
    await expectAccessibleEverywhere(page);
    // The member does not wait, and adds the track without another analysis.
    await page.getByRole('button', { name: 'Add this track' }).click();
    await expect(dialog.getByRole('heading', { name: 'A new track' })).toBeVisible();
  },
);

/** Plays a set that is fetched when it is asked for; the returned function gives it another state. */
async function playTrackSet(page: Page): Promise<(state: string) => void> {
  const url = `${pitboard().url}/api/track-sets`;
  const answer: { sets: Record<string, unknown>[] } = await (await page.request.get(url)).json();
  const set: Record<string, unknown> = { ...answer.sets.find(({ name }) => name === 'open-racetrack-db') };
  const turn = (state: string) => {
    set['state'] = state;
    set['progress'] = state === 'fetching' ? { done: 3_000_000, total: 9_000_000 } : null;
  };
  await page.route('**/api/track-sets', (route) => route.fulfill({ json: { sets: [set] } }));
  await page.route('**/api/admin/track-sets/*/fetch', async (route) => {
    turn('fetching');
    await route.fulfill({ json: set });
  });
  return turn;
}

async function process(page: Page, file: ReturnType<typeof lapFile>): Promise<void> {
  await page.goto(`${pitboard().url}/upload`);
  await page.locator('input[type=file]').setInputFiles([file]);
  await page.getByRole('button', { name: /^Process/ }).click();
}

function lapFile(track: typeof HIDDEN, seed: number) {
  const drive = simulateDrive(track, { seed, laps: 5 });
  return { name: 'evening.gpx', mimeType: 'application/gpx+xml', buffer: Buffer.from(writeGpx(drive)) };
}
