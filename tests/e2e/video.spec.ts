import { stat } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { formatLapTime } from '#engine/lap-time.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { libraryTrack } from '../library.ts';
import { writeSparseVideo } from '../sparse-video.ts';
import { signIn } from './sign-in.ts';
import { shareServer } from './driver.ts';
import { test } from './test.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const MEGABYTE = 1024 * 1024;

const pitboard = shareServer();

test('the laps of a video of 4 GB are timed, of which less than 10 MB are read and nothing but positions is sent', async ({
  page,
}, testInfo) => {
  const drive = simulateDrive(libraryTrack(SPA), { seed: 7, laps: 2, receiver: { rateHz: 18.2 } });
  const path = testInfo.outputPath('GX010012.MP4');
  await writeSparseVideo(path, drive);
  expect((await stat(path)).size).toBeGreaterThan(4000 * MEGABYTE);
  let sentBytes = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') sentBytes += Number(request.headers()['content-length'] ?? 0);
  });

  await signIn(page, pitboard().url, 'Theo Okafor', '/upload');
  await page.locator('input[type=file]').setInputFiles(path);
  const summary = page.getByText(
    /^GPS of GX010012\.MP4: \d+(\.\d)? (KB|MB) of \d+\.\d MB read\. The video stays on your device\.$/,
  );
  await expect(summary).toBeVisible({ timeout: 60_000 });
  const [, read = '', unit = ''] = /: (\d+(?:\.\d)?) (KB|MB) of/.exec(await summary.innerText()) ?? [];
  expect(Number(read) * (unit === 'MB' ? MEGABYTE : 1024)).toBeGreaterThan(50_000);
  expect(Number(read) * (unit === 'MB' ? MEGABYTE : 1024)).toBeLessThan(10 * MEGABYTE);

  await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
  const suggestions = page.getByRole('dialog', { name: 'Select Track' });
  await suggestions
    .getByRole('button', { name: /Circuit de Spa-Francorchamps/ })
    .first()
    .click();
  await expect(page.getByText('Lap Summary')).toBeVisible();
  // Within the ± of a camera.
  const bestLapTimeMs = Math.min(...drive.trueLaps.map((lap) => lap.lapTimeMs));
  await expect(page.getByText(formatLapTime(bestLapTimeMs).slice(0, -2)).first()).toBeVisible();
  expect(sentBytes).toBeLessThan(2 * MEGABYTE);
});

test(
  'a video of a camera without GPS is left out with a sentence',
  { tag: '@all' },
  async ({ page }, testInfo) => {
    const drive = simulateDrive(libraryTrack(SPA), { seed: 7, laps: 1, receiver: { rateHz: 1 } });
    const path = testInfo.outputPath('GX010099.MP4');
    await writeSparseVideo(path, drive, { stream: null, firmware: 'H23' });
    await signIn(page, pitboard().url, 'Theo Okafor', '/upload');
    await page.locator('input[type=file]').setInputFiles(path);
    await expect(
      page.getByRole('alert').getByText(/^GX010099\.MP4 was left out: this video comes from a HERO12/),
    ).toBeVisible({
      timeout: 60_000,
    });
  },
);
