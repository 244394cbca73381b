import { expect, type Browser, type Locator, type Page } from '@playwright/test';
import type { LiveSharing } from '#contract/live/schemas.ts';
import { driveLive, type LiveDrive } from '#server/testing/live-drive.ts';
import { libraryTrack } from '../library.ts';
import { addCar, openAs, shareServer } from './driver.ts';
import { expectAccessible } from './expect-accessible.ts';
import { SCREENS, useScreen } from './screens.ts';
import { test } from './test.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const FIXES_PER_CALL = 300;

const server = shareServer();

type Driver = { page: Page; sharing: LiveSharing; drive: LiveDrive };

/** Lets a driver share live, by the calls that the drive page makes. */
async function share(
  browser: Browser,
  { name, drive, code }: { name: string; drive: LiveDrive; code?: string },
): Promise<Driver> {
  const { url } = server();
  const page = await openAs(browser, url, name);
  const userCarId = await addCar(page, url, 'mazda-mx-5-nb-1-8');
  const answer = await page.request.post(`${url}/api/live/sharing`, {
    headers: { origin: url },
    data: {
      trackId: SPA,
      visibility: 'link',
      userCarId,
      title: 'Autumn Track Day, Group B',
      ...(code !== undefined && { code }),
    },
  });
  expect(answer.status()).toBe(200);
  return { page, drive, sharing: await answer.json() };
}

/** Sends a part of a drive, from one fix to another. */
async function send({ page, sharing, drive }: Driver, from: number, to: number): Promise<void> {
  const { url } = server();
  for (let start = from; start < to; start += FIXES_PER_CALL) {
    const answer = await page.request.post(`${url}/api/live/sharing/fixes`, {
      headers: { origin: url },
      data: {
        sharingId: sharing.sharingId,
        fixes: drive.fixes.slice(start, Math.min(start + FIXES_PER_CALL, to)),
      },
    });
    expect(answer.status()).toBe(200);
  }
}

/** Returns the first fix after the end of a lap. */
function endOfLap({ fixes, trueLaps }: LiveDrive, lap: number): number {
  const { startTimeMs, lapTimeMs } = trueLaps[lap] ?? { startTimeMs: 0, lapTimeMs: 0 };
  return fixes.findIndex(([at]) => at > startTimeMs + lapTimeMs) + 1;
}

/** Expects that a row shows a time, up to what a live preview may be wrong by. */
async function expectTime(row: Locator, timeMs: number): Promise<void> {
  const listTimes = async () =>
    [...((await row.textContent()) ?? '').matchAll(/(\d):(\d\d\.\d{3})/g)].map(
      ([, minutes, seconds]) => Number(minutes) * 60_000 + Number(seconds) * 1000,
    );
  const isShown = async () => (await listTimes()).some((shown) => Math.abs(shown - timeMs) < 25);
  await expect.poll(isShown, { timeout: 60_000 }).toBe(true);
}

test('two drivers share live; guests see laps, order and positions on a desk and a phone, until the end', async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const { url } = server();
  const track = libraryTrack(SPA);
  const drives = [
    driveLive({ track, seed: 1, laps: 2, topSpeedMetersPerSecond: 62, rateHz: 5 }),
    driveLive({ track, seed: 2, laps: 2, topSpeedMetersPerSecond: 64, rateHz: 5 }),
  ] as const;
  const theo = await share(browser, { name: 'Theo Okafor', drive: drives[0] });
  const { code } = theo.sharing;
  const priya = await share(browser, { name: 'Priya Venkat', drive: drives[1], code });
  await send(theo, 0, endOfLap(drives[0], 0) + 10);

  const [desk, phone] = await Promise.all([watch(browser, 0, code), watch(browser, 1, code)]);
  const rows = desk.getByRole('table', { name: 'Drivers of the live session' }).locator('tbody tr');
  await expect(desk.getByRole('heading', { name: 'Autumn Track Day, Group B' })).toBeVisible();
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0)).toContainText('Theo Okafor');
  await expect(rows.nth(0)).toContainText('Mazda MX-5');
  await expectTime(rows.nth(0), drives[0].trueLaps[0]?.lapTimeMs ?? 0);

  await send(priya, 0, endOfLap(drives[1], 0) + 60);
  const list = phone.getByRole('listitem');
  for (const one of [rows, list]) {
    await expect(one.nth(0)).toContainText('Priya Venkat');
    await expect(one.nth(1)).toContainText('Theo Okafor');
  }
  await expect(rows.nth(1)).toContainText(/\+\d+\.\d{3}/);
  await expect(rows.nth(0)).toContainText('On track');
  await expect(desk.getByText(/On the map: .*1 Priya Venkat/)).toBeAttached();
  await expect(phone.getByText('On the map: ', { exact: false })).toContainText('Priya Venkat');
  await expectAccessible(desk);
  await expectAccessible(phone);

  await send(theo, endOfLap(drives[0], 0) + 10, drives[0].fixes.length);
  await expectTime(desk.getByRole('row', { name: /Theo Okafor/ }), drives[0].trueLaps[1]?.lapTimeMs ?? 0);
  await desk.getByRole('button', { name: 'Last', exact: true }).click();
  await expect(desk.getByRole('columnheader', { name: 'Last' })).toHaveAttribute('aria-sort', 'ascending');
  await phone.getByRole('button', { name: 'On track' }).click();
  await expect(list.first()).toBeVisible();

  // A page that has lost its connection comes back by itself.
  await desk.context().setOffline(true);
  await send(priya, endOfLap(drives[1], 0) + 60, drives[1].fixes.length);
  await desk.context().setOffline(false);
  await expectTime(desk.getByRole('row', { name: /Priya Venkat/ }), drives[1].trueLaps[1]?.lapTimeMs ?? 0);

  await desk.getByRole('button', { name: 'Share live session' }).click();
  await expect(desk.getByRole('img', { name: 'QR code of this live session' })).toBeVisible();
  await expect(desk.getByRole('dialog')).toContainText(`${url}/live/${code}`);
  await desk.getByRole('button', { name: 'Close' }).click();
  await desk.getByRole('button', { name: 'Show on a big screen' }).click();
  await expect(desk).toHaveURL(/\?screen=big$/);

  for (const { page } of [theo, priya])
    await page.request.delete(`${url}/api/live/sharing`, { headers: { origin: url } });
  for (const page of [desk, phone])
    await expect(page.getByText('This live session has ended.')).toBeVisible();
  const later = await browser.newPage();
  await later.goto(`${url}/live/${code}`);
  await expect(later.getByRole('heading', { name: 'Live Session Not Found' })).toBeAttached();
  await expect(later.getByRole('link', { name: 'Explore Leaderboards' })).toBeVisible();
  await expectAccessible(later);
});

test(
  'a session for everybody is on the home page and its track, one by link is not',
  { tag: '@all' },
  async ({ browser }) => {
    const { url } = server();
    const page = await openAs(browser, url, 'Theo Okafor');
    const guest = await browser.newPage();
    for (const visibility of ['link', 'everybody'] as const) {
      const answer = await page.request.post(`${url}/api/live/sharing`, {
        headers: { origin: url },
        data: { trackId: SPA, visibility, title: 'Open Pit Lane' },
      });
      const { code }: LiveSharing = await answer.json();
      for (const [path, name] of [
        ['/', /^Watch .* live$/],
        [`/track/${SPA}`, 'Watch Open Pit Lane live'],
      ] as const) {
        await guest.goto(url + path);
        await expect(guest.getByRole('heading', { level: 1 })).toBeVisible();
        const watchLink = guest.getByRole('link', { name });
        if (visibility === 'link') await expect(watchLink).toHaveCount(0);
        else await expect(watchLink).toHaveAttribute('href', `/live/${code}`);
      }
    }
    await expectAccessible(guest);
    await guest.getByRole('link', { name: 'Watch Open Pit Lane live' }).click();
    await expect(guest.getByRole('heading', { name: 'Open Pit Lane' })).toBeVisible();
    await page.request.delete(`${url}/api/live/sharing`, { headers: { origin: url } });
  },
);

async function watch(browser: Browser, screen: 0 | 1, code: string): Promise<Page> {
  const chosen = SCREENS[screen]?.screen;
  if (!chosen) throw new Error('There is no such screen.');
  const page = await (await browser.newContext({ locale: 'en' })).newPage();
  await useScreen(page, chosen);
  await page.goto(`${server().url}/live/${code}`);
  return page;
}
