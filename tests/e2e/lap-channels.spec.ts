import { expect, type Page } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { libraryTrack } from '../library.ts';
import { addCar, listBestLaps, openAs, shareServer } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { test } from './test.ts';

const TRACK = 'weathertech-raceway-laguna-seca-full';
const MX5 = 'mazda-mx-5-nb-1-8';

const pitboard = shareServer();

/** Returns a table of a drive with both pedals, which follow from its speeds, and a gear. */
function tableWithPedals(): string {
  const drive = simulateDrive(libraryTrack(TRACK), {
    seed: 4,
    laps: 2,
    topSpeedMetersPerSecond: 52,
    roundingMeters: 40,
    racingLine: { halfWidthMeters: 6 },
  });
  const [header = '', ...rows] = writeGenericCsv(drive).trimEnd().split('\n');
  const speeds = drive.fixes.map(({ speedMetersPerSecond }) => speedMetersPerSecond);
  const added = rows.map((row, index) => {
    const gained = ((speeds[index + 1] ?? 0) - (speeds[index - 1] ?? 0)) / 0.2;
    const [throttle, brake] = [Math.max(0, Math.min(100, 45 * gained + 20)), Math.max(0, -11 * gained)];
    const gear = Math.max(2, Math.ceil((speeds[index] ?? 0) / 11));
    return `${row},${throttle.toFixed(0)},${Math.min(100, brake).toFixed(0)},${gear}`;
  });
  return [`${header},throttle (%),brake (%),gear`, ...added, ''].join('\n');
}

async function openLap(page: Page, content: string): Promise<void> {
  const { url } = pitboard();
  const userCarId = await addCar(page, url, MX5);
  const response = await page.request.post(`${url}/api/upload`, {
    headers: { origin: url },
    multipart: {
      trackId: TRACK,
      userCarId,
      tireCompound: 'track-200',
      files: { name: 'laps.csv', mimeType: 'text/csv', buffer: Buffer.from(content) },
    },
  });
  expect(response.ok()).toBe(true);
  const records = await listBestLaps(page, url, TRACK);
  await page.goto(`${url}/track/${TRACK}?lap=${records[0]?.lapId}`);
}

test('a driver looks at the pedals under the speed', async ({ browser }) => {
  const page = await openAs(browser, pitboard().url, 'Theo Okafor');
  await openLap(page, tableWithPedals());
  const channels = page.getByRole('group', { name: 'Channels' });
  const slider = page.getByRole('slider', { name: 'Position along the lap' });
  await expect(page.locator('[data-chart]')).toHaveCount(1);
  await page.route('**/trace*', (route) => route.abort());
  await channels.getByRole('button', { name: 'Channels' }).click();
  await expect(channels.getByRole('alert')).toContainText('The channels could not be loaded.');
  await expect(channels).not.toContainText('The lap files hold no');
  await page.unroute('**/trace*');
  await channels.getByRole('button', { name: 'Retry' }).click();
  await expect(channels.getByRole('button', { name: 'Throttle' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('heading', { name: /^Throttle, %/ })).toBeVisible();
  await channels.getByRole('button', { name: 'Brake' }).click();
  await channels.getByRole('button', { name: 'Gear' }).click();
  await expect(page.locator('[data-chart]')).toHaveCount(4);
  await expect(slider).toHaveAttribute('aria-valuetext', /Throttle \d+ %, Brake \d+ %, Gear \d$/);
  await expectAccessibleEverywhere(page);
  await channels.getByRole('button', { name: 'Throttle' }).click();
  await expect(page.getByRole('heading', { name: /^Throttle/ })).toHaveCount(0);
  await channels.getByRole('button', { name: 'Brake' }).click();
  await channels.getByRole('button', { name: 'Gear' }).click();
  await expect(page.locator('[data-chart]')).toHaveCount(1);
});

test(
  'a lap of a plain receiver says that it has no pedals, and shows the accelerations of its positions',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    const drive = simulateDrive(libraryTrack(TRACK), { seed: 5, laps: 2, topSpeedMetersPerSecond: 52 });
    await openLap(page, writeGenericCsv(drive));
    await page.getByRole('button', { name: 'Channels' }).click();
    await expect(
      page.getByText('The lap files hold no throttle, brake, revolutions or steering.'),
    ).toBeVisible();
    await expect(page.getByRole('heading', { name: /^Longitudinal, g, from the positions/ })).toBeVisible();
    await page.getByRole('group', { name: 'Channels' }).getByRole('button', { name: 'Lateral' }).click();
    await expect(page.locator('[data-chart]')).toHaveCount(3);
    await expect(page.getByRole('slider', { name: 'Position along the lap' })).toHaveAttribute(
      'aria-valuetext',
      /Longitudinal −?\d\.\d\d g, Lateral −?\d\.\d\d g$/,
    );
  },
);
