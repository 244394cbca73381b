import { readFile, writeFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { formatLapTime } from '#engine/lap-time.ts';
import { verify } from '../../scripts/verify.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { addCar, openAs, uploadLaps } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { test } from './test.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const MX5 = 'mazda-mx-5-nb-1-8';

let pitboard: Pitboard;
let driver: Page;
let lapTime: string;

test.beforeAll(async ({ browser }) => {
  pitboard = await startPitboard();
  driver = await openAs(browser, pitboard.url, 'Theo Okafor');
  const userCarId = await addCar(driver, pitboard.url, MX5);
  const session = { trackId: SPA, userCarId, seed: 1, topSpeedMetersPerSecond: 52 };
  lapTime = formatLapTime(await uploadLaps(driver, pitboard.url, session));
});

test.afterAll(async () => {
  await driver.context().close();
  await pitboard.remove();
});

async function openLap(page: Page) {
  await page.goto(`${pitboard.url}/track/${SPA}`);
  await page.getByRole('row').filter({ hasText: 'Theo Okafor' }).getByRole('link', { name: lapTime }).click();
  await expect(page.getByRole('heading', { level: 1, name: lapTime })).toBeVisible();
}

test('a guest times a lap again in the browser, and checks its proof without the server', async ({
  page,
}, testInfo) => {
  await openLap(page);
  await page.getByRole('button', { name: 'Check this time' }).click();
  const dialog = page.getByRole('dialog', { name: 'Check this time' });
  await expect(dialog.getByRole('status')).toContainText(`${lapTime}The same milliseconds as on the board.`);
  await expect(dialog.getByRole('listitem')).toHaveCount(7);
  await expect(dialog).toContainText(/[0-9a-f]{64}/);
  await expectAccessibleEverywhere(page);

  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download the proof' }).click();
  const path = testInfo.outputPath('bundle.json');
  await (await downloading).saveAs(path);
  expect(verify([path])).toBe(0);
  const changed = (await readFile(path, 'utf8')).replace('"lapTimeMs":', '"lapTimeMs":1');
  await writeFile(path, changed);
  expect(verify([path])).toBe(2);
});
