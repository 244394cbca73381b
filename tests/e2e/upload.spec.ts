import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeRaceChronoV3 } from '#engine/simulation/write-racechrono.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import { listLapSamples } from '../lap-samples.ts';
import { libraryTrack } from '../library.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { shareServer } from './driver.ts';
import { signIn } from './sign-in.ts';
import { test } from './test.ts';
import { chooseCar, chooseSuggestion, submitLaps } from './upload-steps.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const COTA = 'circuit-of-the-americas-grand-prix';
const VIDEO = 'https://video.example/spa-onboard';

test.describe('on a server that is started again', () => {
  let pitboard: Pitboard;

  test.beforeAll(async () => {
    pitboard = await startPitboard();
  });

  test.afterAll(async () => {
    await pitboard.remove();
  });

  test('a driver signs in, adds a car, drops a lap file, and finds the lap on the board, after a restart too', async ({
    page,
  }, testInfo) => {
    const drive = simulateDrive(libraryTrack(SPA), { seed: 7, laps: 3 });
    const bestLapTimeMs = Math.min(...drive.trueLaps.map((lap) => lap.lapTimeMs));
    const lapFile = testInfo.outputPath('evening-at-spa.csv');
    await writeFile(lapFile, writeRaceChronoV3(drive));

    await signIn(page, pitboard.url, 'Theo Okafor', '/garage/add');
    await chooseCar(page);

    await page.goto(`${pitboard.url}/upload`);
    await page.locator('input[type=file]').setInputFiles(lapFile);
    await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
    await chooseSuggestion(page, 'Circuit de Spa-Francorchamps');
    await expect(page.getByText('Lap Summary')).toBeVisible();
    const ownBest = page.getByRole('row').filter({ hasText: formatLapTime(bestLapTimeMs) });
    await expect(ownBest).toContainText(/±0\.\d{3}/);

    await submitLaps(page, VIDEO);
    await expect(page.getByText('Upload successful!')).toBeVisible();
    await expect(page.getByText('1 file(s) processed successfully.')).toBeVisible();

    await expectOwnEntry(page, `${pitboard.url}/track/${SPA}`, formatLapTime(bestLapTimeMs));
    pitboard = await pitboard.restart();
    await expectOwnEntry(page, `${pitboard.url}/track/${SPA}`, formatLapTime(bestLapTimeMs));
  });
});

test.describe('on the shared server', () => {
  const pitboard = shareServer();

  test('a real lap file finds its track and is on the board with its best time', async ({ page }) => {
    const samples = process.env['LAP_SAMPLES'];
    test.skip(samples === undefined, 'LAP_SAMPLES names no folder with real lap files.');
    if (samples === undefined) return;
    const path = join(samples, 'lap-files', 'gauges_cota.csv');
    const { bestLapTimeMs } = timeLaps(openLapFile(await readFile(path)), libraryTrack(COTA));
    const truth = listLapSamples(samples).find((sample) => sample.path === path)?.truth;
    const trueBestMs = Math.min(...(truth?.laps ?? []).map(({ timeMs }) => timeMs));
    expect(Math.abs((bestLapTimeMs ?? Number.NaN) - trueBestMs)).toBeLessThanOrEqual(truth?.toleranceMs ?? 0);

    await signIn(page, pitboard().url, 'Priya Venkat', '/garage/add');
    await chooseCar(page);
    await page.goto(`${pitboard().url}/upload`);
    await page.locator('input[type=file]').setInputFiles(path);
    await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
    await chooseSuggestion(page, 'Circuit of the Americas');
    await submitLaps(page, VIDEO);
    await expect(page.getByText('Upload successful!')).toBeVisible();

    await page.goto(`${pitboard().url}/track/${COTA}`);
    await expect(ownRow(page)).toContainText(formatLapTime(bestLapTimeMs ?? Number.NaN));
  });
});

async function expectOwnEntry(page: Page, board: string, lapTime: string): Promise<void> {
  await page.goto(board);
  await expect(ownRow(page)).toContainText(lapTime);
  await expect(ownRow(page)).toContainText('Mazda MX-5 1.8');
  await expect(page.getByRole('link', { name: /video/i }).first()).toHaveAttribute('href', VIDEO);
}

function ownRow(page: Page) {
  return page.getByRole('row').filter({ hasText: 'You' }).first();
}
