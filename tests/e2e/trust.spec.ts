import { readFile, writeFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { formatLapTime } from '#engine/lap-time.ts';
import { verify } from '../../scripts/verify.ts';
import { press } from './by-keyboard.ts';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { test } from './test.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
// The simulated driver is as quick as this.
const M2 = 'bmw-m2-f87-cs';

const UNDO = /^Undo the decision on .* by Theo Okafor$/;

const server = shareServer('all tests');
let driver: Page;
let lapTime: string;

test.beforeAll(async ({ browser }) => {
  const { url } = server();
  driver = await openAs(browser, url, 'Theo Okafor');
  const userCarId = await addCar(driver, url, M2);
  const session = { trackId: SPA, userCarId, seed: 1, topSpeedMetersPerSecond: 52 };
  lapTime = formatLapTime(await uploadLaps(driver, url, session));

  // An appeal needs somebody else than who decided.
  const [administrator, moderator] = [
    await openAs(browser, url, 'Mara Lindqvist'),
    await openAs(browser, url, 'Jonas Weidner'),
  ];
  const role = `${url}/api/admin/users/${await readOwnId(moderator)}/role`;
  const granted = await administrator.request.put(role, {
    headers: { origin: url },
    data: { role: 'moderator' },
  });
  expect(granted.ok()).toBe(true);
  await administrator.context().close();
  await moderator.context().close();
});

async function readOwnId(page: Page): Promise<string> {
  const response = await page.request.get(`${server().url}/api/auth/user`);
  const user: { id: string } = await response.json();
  return user.id;
}

async function openLap(page: Page) {
  await page.goto(`${server().url}/track/${SPA}`);
  await page.getByRole('row').filter({ hasText: 'Theo Okafor' }).getByRole('link', { name: lapTime }).click();
  await expect(page.getByRole('heading', { level: 1, name: lapTime })).toBeVisible();
}

test(
  'a guest times a lap again in the browser, and checks its proof without the server',
  { tag: '@all' },
  async ({ page }, testInfo) => {
    await openLap(page);
    await page.getByRole('button', { name: 'Check this time' }).click();
    const dialog = page.getByRole('dialog', { name: 'Check this time' });
    await expect(dialog.getByRole('status')).toContainText(
      `${lapTime}The same milliseconds as on the board.`,
    );
    await expect(dialog.getByRole('listitem')).toHaveCount(7);
    // Both crossings are drawn: the line, the positions around it and the point between two of them.
    await expect(dialog.getByRole('img', { name: /^(Start|End): the line/ })).toHaveCount(2);
    await expect(dialog).toContainText(/[0-9a-f]{64}/);
    await expectAccessibleEverywhere(page);

    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download the proof' }).click();
    const path = testInfo.outputPath('bundle.json');
    await (await downloading).saveAs(path);
    const { publicKey: key } = await (await page.request.get(`${server().url}/api/proof-key`)).json();
    expect(verify([path, '--key', key])).toBe(0);
    expect(verify([path])).toBe(1);
    const changed = (await readFile(path, 'utf8')).replace('"lapTimeMs":', '"lapTimeMs":1');
    await writeFile(path, changed);
    expect(verify([path, '--key', key])).toBe(2);
  },
);

// The next story builds on it.
test(
  'a driver flags a lap, an administrator rejects it, its driver appeals and a moderator keeps it',
  { tag: '@all' },
  async ({ browser }) => {
    const flagger = await openAs(browser, server().url, 'Priya Venkat');
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

    const first = await openAs(browser, server().url, 'Mara Lindqvist');
    await first.goto(`${server().url}/club/moderation`);
    const queued = first.getByRole('article', { name: `${lapTime} by Theo Okafor` });
    await expect(queued).toContainText('This was a car with twice the power.');
    await expectAccessibleEverywhere(first);
    await queued.getByRole('button', { name: 'Reject' }).click();
    await queued.getByRole('button', { name: 'Reject' }).click();
    await expect(queued).toContainText('please write at least 10 characters');
    await expectAccessibleEverywhere(first);
    await queued.getByLabel('Reason, for the driver').fill('The video shows another car.');
    await first.keyboard.press('Enter');
    await expect(queued).toHaveCount(0);
    await expect(first.getByText('No open flags')).toBeVisible();
    await expect(first.getByRole('button', { name: UNDO })).toBeVisible();

    const lapAddress = await findLapAddress();
    await driver.goto(lapAddress);
    const doubts = driver.getByRole('region', { name: 'Doubts about this lap' });
    await expect(doubts).toContainText('The video shows another car.');
    await expect(driver.getByText('A moderator rejected this lap')).toHaveCount(1);
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

    const second = await openAs(browser, server().url, 'Jonas Weidner');
    await second.goto(`${server().url}/club/moderation`);
    await second.getByRole('article').getByRole('button', { name: 'Keep' }).click();
    await expect(second.getByText('No open flags')).toBeVisible();

    await openLap(second);
    await second.getByRole('button', { name: 'Confirm as official' }).click();
    const official = second.getByRole('dialog', { name: 'Confirm as official' });
    const address = 'https://club.example/results';
    await official.getByLabel('Where is the result published?').fill(`Club cup, ${address}`);
    await official.getByRole('button', { name: 'Confirm Lap' }).click();
    await expect(second.getByRole('link', { name: address })).toHaveAttribute('href', address);
    await second.getByRole('button', { name: 'Take back official' }).click();
    await expect(second.getByRole('link', { name: address })).toHaveCount(0);
    await second.context().close();
    await driver.reload();
    await expect(driver.getByText('Counts', { exact: true })).toBeVisible();
    await expect(doubts).toHaveCount(0);
  },
);

test(
  'a moderator asks the driver, who answers; the moderator gets a notice and decides, all by keyboard',
  { tag: '@all' },
  async ({ browser }) => {
    const { url } = server();
    const flagger = await openAs(browser, url, 'Priya Venkat');
    await openLap(flagger);
    const lapId = new URL(flagger.url()).searchParams.get('lap');
    const flags = `${url}/api/tracks/${SPA}/laps/${lapId}/flags`;
    const doubt = { reason: 'tires', sentence: 'These are slicks, as the photos of that day show.' };
    const flagged = await flagger.request.post(flags, { headers: { origin: url }, data: doubt });
    expect(flagged.ok()).toBe(true);

    const moderator = await openAs(browser, url, 'Jonas Weidner');
    await moderator.goto(`${url}/club/moderation`);
    const queued = moderator.getByRole('article', { name: `${lapTime} by Theo Okafor` });
    // All that a decision needs: flags, times and comparisons, raw file, video, what was decided before.
    await expect(queued).toContainText(doubt.sentence);
    await expect(
      queued.getByRole('link', { name: 'Compare with: Best other lap of this driver here' }),
    ).toBeVisible();
    await expect(queued.getByRole('link', { name: 'Download the lap file' })).toBeVisible();
    await expect(queued.getByRole('link', { name: 'Video of Theo Okafor' })).toBeVisible();
    await expect(queued.getByText('2 decisions before')).toBeVisible();
    await press(moderator, queued.getByRole('button', { name: 'Ask the driver' }));
    await expect(queued.getByLabel('Question, for the driver')).toBeFocused();
    await moderator.keyboard.type('Which tires were these?');
    await moderator.keyboard.press('Enter');
    await expect(queued).toContainText(/Asked on .*Waiting for the answer/);
    await expect(queued.getByRole('button', { name: 'Ask the driver' })).toHaveCount(0);

    await driver.goto(url);
    await driver.getByRole('button', { name: /^Notices, / }).click();
    await driver
      .getByRole('link', { name: /A moderator asks about your lap .* Which tires were these\?/ })
      .click();
    const doubts = driver.getByRole('region', { name: 'Doubts about this lap' });
    await doubts.getByRole('button', { name: 'Answer' }).click();
    const dialog = driver.getByRole('dialog', { name: 'Answer' });
    await dialog.getByLabel('Your answer').fill('The Cup 2, as always. The invoice is in the video.');
    await dialog.getByRole('button', { name: 'Send Answer' }).click();
    await expect(doubts).toContainText('You answered: “The Cup 2');

    await press(moderator, moderator.getByRole('button', { name: /^Notices, 1 unread, \d+ to decide$/ }));
    await press(moderator, moderator.getByRole('link', { name: /Theo Okafor answered about the lap of/ }));
    await expect(queued).toContainText('The driver: “The Cup 2, as always.');
    await expectAccessibleEverywhere(moderator);

    const decided = await countSteps(moderator, async () => {
      await press(moderator, queued.getByRole('button', { name: 'Keep' }));
      await expect(moderator.getByText('No open flags')).toBeVisible();
    });
    expect(decided).toEqual({ clicks: 1, pageChanges: 0 });
    // The focus is on what was decided: Undo is the next stop.
    const decidedLap = moderator.getByRole('link', { name: `Theo Okafor, ${lapTime}` });
    await expect(decidedLap).toBeVisible();
    await moderator.keyboard.press('Tab');
    await expect(decidedLap).toBeFocused();
    await moderator.keyboard.press('Tab');
    await expect(moderator.getByRole('button', { name: UNDO })).toBeFocused();
    const rejected = await countSteps(moderator, async () => {
      await moderator.keyboard.press('Enter');
      await press(moderator, queued.getByRole('button', { name: 'Reject' }));
      await moderator.keyboard.type('The photos show slicks.');
      await moderator.keyboard.press('Enter');
      await expect(queued).toHaveCount(0);
    });
    expect(rejected).toEqual({ clicks: 3, pageChanges: 0 });
  },
);

/** How many clicks some work takes, those that Enter and Space make among them, and how often the page changes. */
async function countSteps(page: Page, work: () => Promise<void>) {
  await page.evaluate(() => {
    const counts = document.body.dataset;
    if (counts['clicks'] === undefined)
      document.addEventListener('click', () => (counts['clicks'] = `${Number(counts['clicks']) + 1}`), true);
    counts['clicks'] = '0';
  });
  let pageChanges = 0;
  const countChange = () => void (pageChanges += 1);
  page.on('framenavigated', countChange);
  await work();
  page.off('framenavigated', countChange);
  return { clicks: Number(await page.evaluate(() => document.body.dataset['clicks'])), pageChanges };
}

/** The flagged lap is not on the board any more. */
async function findLapAddress(): Promise<string> {
  const driverId = await readOwnId(driver);
  const laps = await driver.request.get(`${server().url}/api/tracks/${SPA}/drivers/${driverId}/laps`);
  const answer: { sessions: { laps: { lapId: string; status: string; reasons: string[] }[] }[] } =
    await laps.json();
  const lap = answer.sessions
    .flatMap((session) => session.laps)
    .find(({ reasons }) => reasons.includes('rejected_by_moderator'));
  return `${server().url}/track/${SPA}?lap=${lap?.lapId}`;
}
