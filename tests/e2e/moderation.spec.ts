import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Browser, type Locator, type Page } from '@playwright/test';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { addCar, openAs, shareServer } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { test } from './test.ts';

// A recording of a BMW M2 that is filed as a Mazda MX-5: the automatic check of power doubts it.

const LAGUNA_SECA = 'weathertech-raceway-laguna-seca-full';
const FLAGS = '/club/moderation';
const LAP = '1:38.206 by Theo Okafor';
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };

const server = shareServer();

test('a moderator sees the figure against its limit and the place, decides, and undoes it later from queue, lap and audit log', async ({
  browser,
}) => {
  await uploadDoubtedLap(browser);
  const moderator = await openAs(browser, server().url, 'Mara Lindqvist');
  await moderator.setViewportSize(DESK);
  await openFromBell(moderator);
  const detail = moderator.getByRole('article', { name: LAP });
  await expect(detail).toContainText(/Gains speed with 1\d\d W\/kg for three seconds/);
  await expect(detail).toContainText(
    /Gain in speed over 3 s along the lap: 1\d\d W\/kg for 3\.0 s at [\d,]+ m, limit 125 W\/kg/,
  );
  await expect(detail).toContainText(/[\d,]+ m, 1\d\d km\/h/);
  await expect(detail).not.toContainText('nothing');
  await expectAccessibleEverywhere(moderator);
  await onAPhone(moderator);

  await detail.getByRole('button', { name: 'Reject' }).click();
  await detail.getByRole('button', { name: 'Another car than stated drove it.' }).click();
  await expect(detail.getByLabel('Reason, for the driver')).toHaveValue('Another car than stated drove it.');
  await expectAccessibleEverywhere(moderator);
  await loseTheConnection(moderator, detail);
  const waitingBefore = await countWaiting(moderator);
  await detail.getByRole('button', { name: 'Reject' }).click();
  await expect(detail).toBeHidden();
  await expect.poll(() => countWaiting(moderator)).toBe(waitingBefore - 1);

  await undoFromQueue(moderator);
  await reject(moderator);
  await undoFromLap(moderator);
  await reject(moderator);
  await undoFromAuditLog(moderator);
  await moderator.goto(server().url + FLAGS);
  await expect(detail).toBeVisible();
  await moderator.goto(`${server().url}/track/${LAGUNA_SECA}`);
  await moderator.getByRole('button', { name: 'Take this track along' }).scrollIntoViewIfNeeded();
  await expect(moderator.getByText(/laps? checked, oldest open flag from today$/)).toBeVisible();
});

/** A decision that cannot be sent keeps its reason, and the queue that cannot be fetched again says so. */
async function loseTheConnection(page: Page, detail: Locator): Promise<void> {
  await page.route('**/api/**', (route) => route.abort());
  await detail.getByRole('button', { name: 'Reject' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'The flags could not be loaded again.' });
  await expect(alert).toBeVisible();
  await expect(detail.getByLabel('Reason, for the driver')).toHaveValue('Another car than stated drove it.');
  await page.unroute('**/api/**');
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(alert).toHaveCount(0);
}

/** Reads from the header how much waits for a decision. Other stories may have left some. */
async function countWaiting(page: Page): Promise<number> {
  const text = await page.getByRole('banner').getByRole('link', { name: /^Club/ }).textContent();
  return Number(/\d+/.exec(text ?? '')?.[0] ?? 0);
}

/** Uploads the lap and waits until the check has flagged it. */
async function uploadDoubtedLap(browser: Browser): Promise<void> {
  const { url } = server();
  const driver = await openAs(browser, url, 'Theo Okafor');
  const userCarId = await addCar(driver, url, 'mazda-mx-5-na-1-6');
  const sample = await readFile(join(projectFolder, 'data/lap-files/laguna-seca-racechrono.csv'), 'utf8');
  const content = cutToLap(sample, '2');
  const uploaded = await driver.request.post(`${url}/api/upload`, {
    headers: { origin: url },
    multipart: {
      trackId: LAGUNA_SECA,
      userCarId,
      tireCompound: 'rcomp',
      videoUrl: 'https://video.example/onboard',
      files: { name: 'laps.csv', mimeType: 'text/csv', buffer: Buffer.from(content) },
    },
  });
  const { results }: { results: { bestLapId: string }[] } = await uploaded.json();
  const flags = `${url}/api/tracks/${LAGUNA_SECA}/laps/${results[0]?.bestLapId}/flags`;
  await expect.poll(async () => (await driver.request.get(flags)).text()).toContain('"power"');
}

// Five seconds before and after the lap let it begin and end.
const ROWS_BESIDE = 50;

/** Cuts a recording to one lap, so that no other lap is checked and flagged once this one is rejected. It is a recording of its own then: samples are not checked. */
function cutToLap(recording: string, lapNumber: string): string {
  const lines = recording.split('\n');
  const firstRow = lines.findIndex((line) => /^\d/.test(line));
  const isInLap = (line: string): boolean => line.split(',')[2] === lapNumber;
  const start = Math.max(lines.findIndex(isInLap) - ROWS_BESIDE, firstRow);
  const end = lines.findLastIndex(isInLap) + 1 + ROWS_BESIDE;
  return [...lines.slice(0, firstRow), ...lines.slice(start, end)].join('\n');
}

/** The bell, the header, the menu and the pages of the club say how much waits; other stories on the same server leave cars and tracks that wait. */
async function openFromBell(page: Page): Promise<void> {
  await page.goto(server().url);
  await page.getByRole('button', { name: 'Profile' }).click();
  const club = page.getByRole('banner').getByRole('link', { name: /^Club \d+ to decide$/ });
  await expect(club).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Notices, (\d+ unread, )?\d+ to decide$/ }).click();
  const waiting = page.getByRole('list', { name: 'Waiting for your decision' });
  await expectAccessibleEverywhere(page);
  await waiting.getByRole('link', { name: '1 flagged lap waits for a decision' }).click();
  const pages = page.getByRole('navigation', { name: 'Club' });
  await expect(pages.getByRole('link', { name: 'Moderation 1 to decide' })).toBeVisible();
}

/** On a phone the list comes first; a lap of it opens, and leads back. */
async function onAPhone(page: Page): Promise<void> {
  await page.setViewportSize(PHONE);
  const detail = page.getByRole('article', { name: LAP });
  await expect(detail).toBeHidden();
  await page.getByRole('list', { name: 'Flagged laps' }).getByRole('button').click();
  await expect(detail).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.getByRole('button', { name: 'All flagged laps' }).click();
  await expect(detail).toBeHidden();
  await page.setViewportSize(DESK);
}

async function reject(page: Page): Promise<void> {
  await page.goto(server().url + FLAGS);
  const detail = page.getByRole('article', { name: LAP });
  await detail.getByRole('button', { name: 'Reject' }).click();
  await detail.getByLabel('Reason, for the driver').fill('The video shows another car.');
  await page.keyboard.press('Enter');
  await expect(detail).toBeHidden();
}

const undoOn = (page: Page) => page.getByRole('button', { name: `Undo the decision on ${LAP}` });

async function undoFromQueue(page: Page): Promise<void> {
  await page.goto(`${server().url}${FLAGS}?view=decided`);
  await expect(page.getByRole('region', { name: 'Decisions' })).toContainText('Rejected by you');
  await expectAccessibleEverywhere(page);
  await undoOn(page).click();
  await expect(page.getByText('Decision Undone', { exact: true })).toBeVisible();
  await expect(page.getByText('Nothing decided yet')).toBeVisible();
  await expectAccessibleEverywhere(page);
}

async function undoFromLap(page: Page): Promise<void> {
  await page
    .getByRole('region', { name: 'Decided last' })
    .getByRole('link', { name: 'Theo Okafor, 1:38.206' })
    .click();
  const decision = page.getByRole('region', { name: 'Decision on this lap' });
  await expect(decision).toContainText('You rejected this flagged lap on');
  await expect(page.getByRole('button', { name: 'Confirm as official' })).toHaveCount(0);
  await expectAccessibleEverywhere(page);
  await undoOn(page).click();
  await expect(decision).toBeHidden();
  await expect(page.getByText('Counts', { exact: true })).toBeVisible();
}

async function undoFromAuditLog(page: Page): Promise<void> {
  await page.goto(`${server().url}/club/audit`);
  await expect(page.getByRole('row').filter({ hasText: 'Lap rejected' })).toHaveCount(3);
  // Two of the three were undone before.
  await expect(undoOn(page)).toHaveCount(1);
  await expectAccessibleEverywhere(page);
  await undoOn(page).click();
  await expect(page.getByText('Decision Undone', { exact: true })).toBeVisible();
  await expect(undoOn(page)).toHaveCount(0);
}
