import { expect, type Page } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { libraryTrack } from '../library.ts';
import { movedTrack } from '#engine/testing/kart-venue.ts';
import { addCar, openAs, shareServer } from './driver.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';
import { chooseTires } from './upload-form.ts';

const MX5 = 'mazda-mx-5-nb-1-8';
/** A road far from all tracks of the library, of which a part is raced. */
const ROAD = movedTrack(libraryTrack('grattan-raceway-full'), { x: 60_000, y: 40_000 }, 'road');
const RACED_METERS = { from: 100, to: 2000 };

const pitboard = shareServer();

test(
  'three runs up a hill make a stage, whose line follows the pointer, and the next driver is compared on its board',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await addCar(page, pitboard().url, MX5);
    await process(page, [run(1, 40), run(2, 41), run(3, 42)]);
    const dialog = page.getByRole('dialog', { name: 'Select Track' });
    const figures = dialog.getByRole('status').filter({ hasText: /run/ });
    await expect(figures).toHaveText(/^3 runs, best /);
    await expect(dialog.getByText(/^1\.8\d\d\skm, from start to finish$/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Move the line' }).click();
    await dialog.getByLabel('Line', { exact: true }).selectOption('finish');
    const before = (await figures.textContent()) ?? '';
    await dragFinishBack(page);
    await expect(figures).not.toHaveText(before);
    await expect(figures).toHaveText(/^3 runs, /);
    await expectAccessible(page);

    await dialog.getByLabel('Track name').fill('Quiet Hill');
    await dialog.getByLabel('City or region').fill('Alto');
    await dialog.getByRole('button', { name: 'Add this track' }).click();
    await expect(dialog).toBeHidden();
    await upload(page);
    await expect(page.locator('section').filter({ hasText: 'Uploaded to' })).toContainText('P1 of 1');

    const rival = await openAs(browser, pitboard().url, 'Priya Venkat');
    await addCar(rival, pitboard().url, MX5);
    await process(rival, [run(4, 55)]);
    await rival.getByRole('button', { name: /Quiet Hill.*9\d% Match/ }).click();
    await upload(rival);
    await expect(rival.locator('section').filter({ hasText: 'Uploaded to' })).toContainText('P1 of 2');
    await rival.getByRole('link', { name: /^View .* leaderboard$/ }).click();
    await expect(rival.getByRole('row').filter({ hasText: 'Theo Okafor' })).toBeVisible();
    const trackId = new URL(rival.url()).pathname.split('/').at(-1);
    const board = await rival.request.get(`${pitboard().url}/api/laps/track/${trackId}/best`);
    const [fastest, slower]: { lapId: string }[] = await board.json();
    await rival.goto(`${pitboard().url}/track/${trackId}?lap=${slower?.lapId}&vs=${fastest?.lapId}`);
    await expect(rival.getByRole('heading', { level: 1 })).toHaveText(/^Where the time goes: /);
    await expectAccessible(rival);
  },
);

async function process(page: Page, files: ReturnType<typeof run>[]): Promise<void> {
  await page.goto(`${pitboard().url}/upload`);
  await page.locator('input[type=file]').setInputFiles(files);
  await page.getByRole('button', { name: /^Process/ }).click();
}

async function upload(page: Page): Promise<void> {
  await page.getByLabel('Car', { exact: true }).selectOption({ index: 1 });
  await chooseTires(page, 'Street 300+ TW');
  await page.getByLabel('Video Link').fill('https://youtu.be/dQw4w9WgXcQ');
  await page.getByRole('button', { name: 'Upload Lap Data' }).click();
}

/** Drags the finish line half of the way back to the last sector line. */
async function dragFinishBack(page: Page): Promise<void> {
  const map = page.getByRole('application');
  const finish = await map.locator('[data-line="finish"]').boundingBox();
  const sector = await map.locator('[data-line="sector"]').last().boundingBox();
  if (finish === null || sector === null) throw new Error('The lines are not shown.');
  const from = { x: finish.x + finish.width / 2, y: finish.y + finish.height / 2 };
  const to = { x: sector.x + sector.width / 2, y: sector.y + sector.height / 2 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 5 });
  await page.mouse.up();
}

function run(seed: number, topSpeedMetersPerSecond: number) {
  const { fixes, passages } = simulateDrive(ROAD, {
    seed,
    laps: 1,
    leadInMeters: 0,
    topSpeedMetersPerSecond,
    startTimeMs: Date.UTC(2026, 5, 6, 9, seed),
  });
  const [from, to] = [passages[RACED_METERS.from]?.timeMs ?? 0, passages[RACED_METERS.to]?.timeMs ?? 0];
  const raced = fixes.filter(({ timeMs }) => timeMs >= from && timeMs <= to);
  const content = writeGpx({ fixes: raced, trueLaps: [], passages: [] });
  return { name: `run-${seed}.gpx`, mimeType: 'application/gpx+xml', buffer: Buffer.from(content) };
}
