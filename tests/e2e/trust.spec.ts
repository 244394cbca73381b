import { readFile, writeFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { formatLapTime } from '#engine/lap-time.ts';
import { verify } from '../../scripts/verify.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { addCar, openAs, uploadLaps } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { test } from './test.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
// As quick as the simulated driver is.
const M2 = 'bmw-m2-f87-cs';

let pitboard: Pitboard;
let driver: Page;
let lapTime: string;

test.beforeAll(async ({ browser }) => {
  // Mara administers as well: an appeal needs somebody else than who decided.
  pitboard = await startPitboard({ environment: { ADMIN_EMAILS: 'jonas.weidner@pitboard.example' } });
  driver = await openAs(browser, pitboard.url, 'Theo Okafor');
  const userCarId = await addCar(driver, pitboard.url, M2);
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

test('a driver flags a lap, an administrator rejects it, its driver appeals and another administrator keeps it', async ({
  browser,
}) => {
  const flagger = await openAs(browser, pitboard.url, 'Priya Venkat');
  await openLap(flagger);
  await flagger.getByRole('button', { name: 'Flag this lap' }).click();
  const flag = flagger.getByRole('dialog', { name: 'Flag this lap' });
  await flag.getByLabel('Reason').selectOption({ label: 'Another car than stated' });
  await flag.getByLabel('What makes you doubt it?').fill('Short');
  await flag.getByRole('button', { name: 'Flag Lap' }).click();
  await expect(flag).toContainText('Please write at least 10 characters.');
  await expectAccessibleEverywhere(flagger);
  await flag.getByLabel('What makes you doubt it?').fill('This was a car with twice the power.');
  await flag.getByRole('button', { name: 'Flag Lap' }).click();
  await expect(flag).toHaveCount(0);
  await flagger.context().close();

  const first = await openAs(browser, pitboard.url, 'Mara Lindqvist');
  await first.goto(`${pitboard.url}/admin/apex-import?tab=flags`);
  const queued = first.getByRole('article', { name: `${lapTime} by Theo Okafor` });
  await expect(queued).toContainText('This was a car with twice the power.');
  await expectAccessibleEverywhere(first);
  await queued.getByRole('button', { name: 'Reject' }).click();
  await expect(queued).toContainText('please write at least 10 characters');
  await queued.getByLabel('Reason, for the driver').fill('The video shows another car.');
  await first.keyboard.press('Enter');
  await expect(queued).toHaveCount(0);
  await expect(first.getByText('No open flags')).toBeVisible();
  await expect(first.getByRole('button', { name: 'Undo' })).toBeVisible();

  const lapAddress = await findLapAddress();
  await driver.goto(lapAddress);
  const doubts = driver.getByRole('region', { name: 'Doubts about this lap' });
  await expect(doubts).toContainText('The video shows another car.');
  await expectAccessibleEverywhere(driver);
  await doubts.getByRole('button', { name: 'Appeal' }).click();
  const appeal = driver.getByRole('dialog', { name: 'Appeal' });
  await appeal.getByLabel('Why should the lap count?').fill('The video is of another day, see its date.');
  await appeal.getByRole('button', { name: 'Send Appeal' }).click();
  await expect(doubts).toContainText('You have appealed');

  await first.reload();
  await expect(queued).toContainText('somebody else decides');
  await expect(queued.getByRole('button', { name: 'Keep' })).toHaveCount(0);
  await first.context().close();

  const second = await openAs(browser, pitboard.url, 'Jonas Weidner');
  await second.goto(`${pitboard.url}/admin/apex-import?tab=flags`);
  await second.getByRole('article').getByRole('button', { name: 'Keep' }).click();
  await expect(second.getByText('No open flags')).toBeVisible();
  await second.context().close();
  await driver.reload();
  await expect(driver.getByText('Counts', { exact: true })).toBeVisible();
  await expect(doubts).toHaveCount(0);
});

/** Of the lap that was flagged, which is not on the board any more. */
async function findLapAddress(): Promise<string> {
  const response = await driver.request.get(`${pitboard.url}/api/auth/user`);
  const user: { id: string } = await response.json();
  const laps = await driver.request.get(`${pitboard.url}/api/tracks/${SPA}/drivers/${user.id}/laps`);
  const answer: { sessions: { laps: { lapId: string; status: string; reasons: string[] }[] }[] } =
    await laps.json();
  const lap = answer.sessions
    .flatMap((session) => session.laps)
    .find(({ reasons }) => reasons.includes('rejected_by_moderator'));
  return `${pitboard.url}/track/${SPA}?lap=${lap?.lapId}`;
}
